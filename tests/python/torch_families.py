"""Families of PyTorch's operators: each function computes on the device that it is told, from values made on the CPU, and returns tensors.

What test_torch.py compares between "cuda" and "cpu": bit for bit, or within what WITHIN says, where PyTorch takes another way on a GPU, or
a library of the processor's maker computes.
"""

import copy

import torch
from torch import nn
from torch.nn import functional as F

FAMILIES, WITHIN = {}, {}


def family(function=None, *, within=None):
    def add(function):
        FAMILIES[function.__name__] = function
        if within:
            WITHIN[function.__name__] = within
        return function

    return add(function) if function else add


class Values:
    """The same values for every device."""

    def __init__(self, device):
        self.device, self.generator = device, torch.Generator().manual_seed(11)

    def normal(self, *shape, dtype=torch.float32, grad=False):
        return torch.randn(*shape, generator=self.generator).to(dtype).to(self.device).requires_grad_(grad)

    def whole(self, high, *shape):
        return torch.randint(high, shape, generator=self.generator).to(self.device)


@family
def arithmetic(v):
    a, b = v.normal(5, 7), v.normal(7)
    return [a + b, a - 2, 3 * a, a / b, a // b, a % 2, a**2, 2**a, -a, a.abs(), torch.add(a, b, alpha=0.5), torch.rsub(a, 1)]


@family
def promotion(v):
    """A number weighs less than a tensor, a tensor without dimensions less than one with."""
    half, whole, zero = v.normal(4, dtype=torch.float16), v.whole(9, 4), v.normal(())
    small, little = half[0], whole[0].to(torch.int8)
    return [half + 1.5, half * zero, whole + 1, whole + 1.5, whole / 2, whole * half, zero + 2, torch.where(half > 0, half, 2.5),
            torch.tensor(1.5) + half, small + 1.5, 2 - small, little * 3, small * zero, torch.where(small > 9, small, 2.5), little > 1.5,
            little / 2]


@family
def pointwise(v):
    a = v.normal(50).abs() + 0.1
    return [getattr(torch, name)(a) for name in ("exp", "log", "sqrt", "rsqrt", "sin", "tanh", "sigmoid", "erf", "floor", "round", "sign",
                                                 "reciprocal", "expm1", "log1p", "lgamma", "digamma", "isnan", "isfinite")]


@family
def comparisons(v):
    a, b = v.whole(3, 6, 6), v.whole(3, 6, 6)
    return [a == b, a < b, a >= 1, torch.maximum(a, b), torch.isclose(a.float(), b.float()), torch.logical_and(a, b), a.bool() ^ b.bool()]


@family
def integers(v):
    a, b = v.whole(1000, 20), v.whole(7, 20) + 1
    return [a & b, a | 3, a << 1, a >> b, a // b, torch.gcd(a, b), torch.bitwise_not(a), a.to(torch.uint8), a.to(torch.int16) * 7]


@family
def reductions(v):
    a = v.normal(6, 5, 4)
    return [a.sum(), a.sum(1), a.mean((0, 2)), a.prod(0), a.std(), a.var(1), a.max(), *a.max(1), a.argmin(2), a.amax((0, 1)), a.norm(),
            a.logsumexp(1), a.median(), a.any(), (a > 9).all(0), a.count_nonzero()]


@family
def scans(v):
    a = v.normal(6, 50)
    return [a.cumsum(1), a.cumprod(0), *a.cummax(1), a.logcumsumexp(1), a.diff(), torch.trapezoid(a)]


@family
def sorting(v):
    a = v.normal(6, 50)
    return [*a.sort(1), *a.topk(5), a.argsort(0), *a.kthvalue(3), *torch.unique(v.whole(9, 40), return_counts=True), a.msort(),
            torch.searchsorted(a[0].sort().values, a[1]), torch.bucketize(a, a[0].sort().values)]


@family
def indexing(v):
    a, i = v.normal(8, 9), v.whole(8, 5)
    return [a[i], a[i, i], a[a > 0], a[:, 2:7:2], a[..., None], a.index_select(1, i), a.take(i), a.gather(1, i.view(-1, 1)), a.nonzero(),
            torch.where(a > 0)[0], a[i.cpu()]]


@family
def writing(v):
    a, i = v.normal(8, 9), v.whole(8, 5)
    a[2] = 5
    a[:, 1] += 1
    a[a < 0] = 0
    a[i, i] = v.normal(5)[0]
    return [a, a.clone().index_add_(0, i, v.normal(5, 9)), a.scatter(1, i.view(1, -1), 3.0), a.scatter_add(0, i.view(1, -1), v.normal(1, 5)),
            a.masked_fill(a > 1, 7), a.index_put((i,), v.normal(9), accumulate=True), a.index_fill(0, i, 2), a.fill_diagonal_(1)]


@family
def views(v):
    """Views are of the same storage: what is written through one is in the others."""
    a = v.normal(6, 8)
    turned, part, wide = a.t(), a[1:5, ::2], a.unsqueeze(1).expand(6, 3, 8)
    turned.mul_(2)
    part.add_(1)
    a.view(-1)[3] = 9
    strided = a.as_strided((3, 4), (8, 2), 1)
    strided.zero_()
    return [a, turned, part, wide, strided, a.unfold(1, 3, 2), a.diagonal(), a.reshape(4, 12), a.permute(1, 0).contiguous(), a.view(torch.int32)]


@family
def joining(v):
    a, b = v.normal(3, 4), v.normal(3, 4)
    return [torch.cat([a, b], 1), torch.stack([a, b]), torch.hstack([a, b]), *a.split([1, 3], 1), *a.chunk(2), a.repeat(2, 2), a.flip(0),
            a.roll(1, 1), torch.tril(a), torch.triu(a), a.rot90(), torch.block_diag(a, b), a.repeat_interleave(2, 0), F.pad(a, (1, 2), value=3)]


@family
def outs(v):
    """out= of the right shape, of none yet, of too small a one, and of strides."""
    a, b = v.normal(4, 6), v.normal(4, 6)
    right, none, strided = v.normal(4, 6), torch.empty(0, device=v.device), v.normal(6, 4).t()
    return [torch.add(a, b, out=right), torch.mul(a, b, out=none), torch.sub(a, b, out=strided), right, none, strided,
            torch.mm(a, b.t(), out=torch.empty(0, device=v.device)), torch.add(a, b, out=a), a,
            *torch.sort(b, out=(torch.empty(0, device=v.device), torch.empty(0, dtype=torch.long, device=v.device)))]


@family
def in_place(v):
    a = v.normal(5, 5)
    address = a.data_ptr()
    a.add_(1).mul_(2).clamp_(-1, 3).exp_().sub_(v.normal(5)).relu_().t_().copy_(v.normal(5, 5).double()).addcmul_(v.normal(5), v.normal(5, 5))
    assert a.data_ptr() == address
    return [a, a.fill_(2).zero_(), a.normal_().zero_()]


@family
def making(v):
    to = {"device": v.device}
    return [torch.zeros(3, 2, **to), torch.ones(2, **to), torch.full((2,), 3, **to), torch.arange(2, 9, 2, **to), torch.linspace(0, 1, 5, **to),
            torch.eye(3, **to), torch.logspace(0, 1, 3, **to), torch.tensor([1, 2], **to), torch.hann_window(8, **to),
            torch.tril_indices(3, 3, **to), torch.empty(0, 3, **to), torch.scalar_tensor(3, **to)]


@family
def types(v):
    a = v.normal(3, 9) * 100
    return [a.to(kind) for kind in (torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.bool, torch.float8_e4m3fn,
                                    torch.complex64)]


@family
def complexes(v):
    a = torch.complex(v.normal(4, 4), v.normal(4, 4))
    return [a * a, a.conj() + 1, a.abs(), a.angle(), a.real * 2, a.imag.neg(), a @ a.mH, a.conj().clone(), torch.view_as_real(a.conj().resolve_conj()),
            torch.polar(v.normal(3).abs(), v.normal(3))]


@family
def products(v):
    a, b, c = v.normal(5, 6), v.normal(6, 7), v.normal(3, 5, 6)
    return [a @ b, c @ b, torch.bmm(c, c.mT), a.mv(b[:, 0]), torch.addmm(v.normal(7), a, b), torch.einsum("bij,jk->bik", c, b), a[0].dot(a[1]),
            torch.outer(a[0], b[0]), torch.baddbmm(v.normal(3, 5, 5), c, c.mT), torch.kron(a, b), a.half() @ b.half(), a.bfloat16() @ b.bfloat16()]


@family
def linear_algebra(v):
    a = v.normal(5, 5)
    symmetric = a @ a.T + 5 * torch.eye(5, device=v.device)
    return [torch.linalg.inv(a), torch.linalg.det(a), torch.linalg.cholesky(symmetric), torch.linalg.solve(a, v.normal(5, 2)), *torch.linalg.qr(a),
            torch.linalg.svdvals(a), torch.linalg.eigvalsh(symmetric), torch.linalg.lstsq(v.normal(7, 5), v.normal(7, 2)).solution,
            torch.linalg.matrix_exp(a), torch.linalg.pinv(a), torch.cdist(a, a), torch.trace(a)]


@family
def transforms(v):
    a = v.normal(3, 16)
    return [torch.fft.fft(a), torch.fft.irfft(torch.fft.rfft(a)), torch.fft.fft2(a), torch.fft.fftshift(a), torch.stft(a, 8, return_complex=True,
            window=torch.ones(8, device=v.device))]


@family
def counting(v):
    a, whole = v.normal(50), v.whole(9, 50)
    return [torch.histc(a, 10), torch.bincount(whole), torch.cov(a.view(5, 10)), torch.corrcoef(a.view(5, 10)), torch.quantile(a, 0.3), a.mode().values]


def step(module, *inputs):
    """The output, and the gradients of its square's sum by parameters and inputs."""
    module = module.to(inputs[0].device)
    out = module(*inputs)
    out = out[0] if isinstance(out, tuple) else out
    out.square().sum().backward()
    return [out, *(each.grad for each in (*module.parameters(), *inputs) if each.requires_grad and each.grad is not None)]


def module(make, *shape, whole=None):
    """A family of one module of torch.nn."""
    def function(v):
        torch.manual_seed(3)
        made = copy.deepcopy(make())
        return step(made, v.whole(whole, *shape) if whole else v.normal(*shape, grad=True))

    return function


for name, make, shape, within in (
    ("linear", lambda: nn.Linear(6, 5), (4, 6), None),
    ("convolution_1d", lambda: nn.Conv1d(4, 6, 3, padding=1), (2, 4, 9), None),
    ("convolution_2d", lambda: nn.Conv2d(4, 8, 3, stride=2, groups=2), (2, 4, 9, 9), None),
    ("convolution_depthwise", lambda: nn.Conv2d(4, 4, 3, groups=4), (2, 4, 9, 9), None),
    ("convolution_3d", lambda: nn.Conv3d(2, 3, 2), (1, 2, 4, 4, 4), None),
    ("convolution_transposed", lambda: nn.ConvTranspose2d(4, 3, 3, stride=2), (2, 4, 5, 5), None),
    ("layer_norm", lambda: nn.LayerNorm(7), (4, 7), None),
    ("rms_norm", lambda: nn.RMSNorm(7), (4, 7), 1e-6),
    ("group_norm", lambda: nn.GroupNorm(2, 6), (3, 6, 5), None),
    ("batch_norm", lambda: nn.BatchNorm2d(4), (3, 4, 5, 5), None),
    ("instance_norm", lambda: nn.InstanceNorm2d(4), (3, 4, 5, 5), None),
    ("max_pool", lambda: nn.MaxPool2d(2), (2, 3, 6, 6), None),
    ("average_pool", lambda: nn.AvgPool2d(3, 2, 1), (2, 3, 7, 7), None),
    ("adaptive_pool", lambda: nn.AdaptiveAvgPool2d(3), (2, 3, 7, 7), None),
    ("upsampling", lambda: nn.Upsample(scale_factor=2, mode="bilinear"), (2, 3, 4, 4), None),
    ("pixel_shuffle", lambda: nn.PixelShuffle(2), (2, 8, 3, 3), None),
    ("lstm", lambda: nn.LSTM(5, 7, 2), (3, 4, 5), 1e-5),
    ("gru", lambda: nn.GRU(5, 7, bidirectional=True), (3, 4, 5), 1e-5),
    ("rnn", lambda: nn.RNN(5, 7), (3, 4, 5), 1e-5),
    ("transformer_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (2, 5, 8), 1e-4),
    ("multi_head_attention", lambda: Attention(), (2, 5, 8), 1e-4),
):
    FAMILIES[name] = module(make, *shape)
    if within:
        WITHIN[name] = within
FAMILIES["embedding"] = module(lambda: nn.Embedding(9, 4), 3, 5, whole=9)
FAMILIES["embedding_bag"] = module(lambda: nn.EmbeddingBag(9, 4), 3, 5, whole=9)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


@family
def activations(v):
    a = v.normal(40, grad=True)
    made = [getattr(F, name)(a) for name in ("relu", "gelu", "silu", "elu", "leaky_relu", "softplus", "hardtanh", "mish", "logsigmoid", "selu",
                                             "hardswish", "softsign", "celu", "relu6")] + [F.softmax(a, 0), F.log_softmax(a, 0), F.glu(a)]
    sum(each.sum() for each in made).backward()
    return [*made, a.grad]


@family
def losses(v):
    a, b, labels = v.normal(6, 5, grad=True), v.normal(6, 5), v.whole(5, 6)
    made = [F.mse_loss(a, b), F.l1_loss(a, b), F.smooth_l1_loss(a, b), F.huber_loss(a, b), F.cross_entropy(a, labels), F.cross_entropy(a, labels,
            label_smoothing=0.1), F.nll_loss(a.log_softmax(1), labels), F.kl_div(a.log_softmax(1), b.softmax(1), reduction="sum"),
            F.binary_cross_entropy_with_logits(a, b.sigmoid()), F.binary_cross_entropy(a.sigmoid(), b.sigmoid()), F.cosine_embedding_loss(a, b,
            labels.sign().float()), F.triplet_margin_loss(a, b, b.flip(0)), F.multi_margin_loss(a, labels),
            F.ctc_loss(v.normal(7, 2, 5).log_softmax(2), v.whole(4, 2, 3) + 1, torch.tensor([7, 7]), torch.tensor([3, 2]))]
    sum(made).backward()
    return [*made, a.grad]


@family(within=1e-5)
def attention(v):
    q, k, w = (v.normal(2, 3, 6, 8, grad=True) for _ in range(3))
    made = [F.scaled_dot_product_attention(q, k, w), F.scaled_dot_product_attention(q, k, w, is_causal=True),
            F.scaled_dot_product_attention(q, k, w, attn_mask=v.normal(6, 6))]
    sum(each.square().sum() for each in made).backward()
    return [*made, q.grad, k.grad, w.grad]


@family
def sampling(v):
    a = v.normal(2, 3, 5, 5, grad=True)
    grid = F.affine_grid(v.normal(2, 2, 3), (2, 3, 4, 4))
    made = [F.grid_sample(a, grid), F.interpolate(a, 7, mode="nearest"), F.interpolate(a, 8, mode="bicubic"), F.unfold(a, 2),
            F.fold(F.unfold(a, 2), (5, 5), 2), F.pixel_unshuffle(F.pad(a, (0, 1, 0, 1), mode="reflect"), 2)]
    sum(each.sum() for each in made).backward()
    return [*made, a.grad]


@family
def lists(v):
    a, b = [v.normal(3), v.normal(2, 2)], [v.normal(3), v.normal(2, 2)]
    torch._foreach_add_(a, b, alpha=2)
    torch._foreach_mul_(a, [2.0, 3.0])
    return [*a, *torch._foreach_norm(a), *torch._foreach_addcdiv(a, b, b), *torch._foreach_sqrt(torch._foreach_abs(a))]


@family
def higher_gradients(v):
    a = v.normal(4, grad=True)
    first, = torch.autograd.grad((a**3).sin().sum(), a, create_graph=True)
    second, = torch.autograd.grad(first.sum(), a)
    return [first, second, torch.func.vmap(torch.func.grad(lambda x: x.exp() * x))(v.normal(5)),
            torch.func.jvp(lambda x: x.sin() * 2, (v.normal(3),), (v.normal(3),))[1]]


@family
def to_python(v):
    """Values that the program asks for."""
    a = v.normal(4)
    assert isinstance(a[0].item(), float) and a.tolist() == a.cpu().tolist() and bool(a[0] == a[0]) and int(v.whole(9, 1)) < 9
    assert a.cpu().numpy().shape == (4,) and a.equal(a.clone()) and torch.allclose(a, a.clone())
    return [torch.tensor(a.tolist())]


def optimizer(make):
    def function(v):
        torch.manual_seed(5)
        model = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 3)).to(v.device)
        method, x, labels = make(list(model.parameters()), v.device), v.normal(10, 6), v.whole(3, 10)
        for _ in range(3):
            method.zero_grad()
            F.cross_entropy(model(x), labels).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            method.step()
        return list(model.parameters())

    return function


for kind, options in (("SGD", {"momentum": 0.9}), ("Adam", {}), ("AdamW", {"amsgrad": True}), ("Adagrad", {}), ("RMSprop", {"centered": True}),
                      ("Adadelta", {}), ("Adamax", {}), ("NAdam", {}), ("RAdam", {}), ("Rprop", {}), ("ASGD", {})):
    for way in ({"foreach": True}, {"foreach": False}, {"fused": True}):
        if "fused" not in way or kind in ("SGD", "Adam", "AdamW"):
            name = f"{kind} {next(iter(way)) if list(way.values())[0] else 'plain'}"
            FAMILIES[name] = optimizer(lambda p, device, kind=kind, o=options | way | {"lr": 0.01}: getattr(torch.optim, kind)(p, **o))
# On "cuda" the step count is a tensor there; the CPU's optimiser has no such thing.
FAMILIES["Adam capturable"] = optimizer(lambda p, device: torch.optim.Adam(p, lr=0.01, capturable=device == "cuda"))
WITHIN["Adam capturable"] = WITHIN["NAdam foreach"] = WITHIN["RAdam foreach"] = WITHIN["ASGD foreach"] = 1e-5


def mixed_precision(kind, scaled):
    def function(v):
        torch.manual_seed(5)
        model = nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.Linear(8, 3)).to(v.device)
        method, x, labels = torch.optim.AdamW(model.parameters(), lr=0.01), v.normal(10, 6), v.whole(3, 10)
        scaler, kinds = torch.amp.GradScaler(v.device, enabled=scaled), []
        for _ in range(3):
            method.zero_grad()
            with torch.autocast(v.device, dtype=kind):
                out = model(x)
                kinds.append(out.dtype)
                loss = F.cross_entropy(out.float(), labels)
            scaler.scale(loss).backward()
            scaler.step(method)
            scaler.update()
        assert kinds == [kind] * 3 and scaler.get_scale() == (65536.0 if scaled else 1.0)
        return list(model.parameters())

    return function


FAMILIES["autocast to bfloat16"] = mixed_precision(torch.bfloat16, False)
FAMILIES["autocast to float16, scaled"] = mixed_precision(torch.float16, True)
# Autocast for CUDA computes other operators in float32 than that of the CPU.
WITHIN["autocast to bfloat16"], WITHIN["autocast to float16, scaled"] = 2e-2, 2e-3

# MKL and oneDNN choose their loops by where arrays lie, too.
for name in FAMILIES:
    if name in ("products", "linear_algebra", "transforms", "linear", "complexes", "counting", "outs") or name.startswith("convolution") or any(
            name.endswith(way) for way in (" foreach", " plain", " fused")):
        WITHIN.setdefault(name, 1e-5)
