"""Rows: PyTorch, and what is built on it."""

import warplens  # noqa: I001 - before torch
import pathlib
import shutil

import torch
from table_rows import row, run

HERE = pathlib.Path(__file__).parent
torch.manual_seed(0)


def same(a, b, **tolerance):
    torch.testing.assert_close(a.cpu(), b.cpu(), **tolerance)


@row("devices, copies, memset, streams, events, the caching allocator")
def devices():
    assert torch.cuda.is_available() and "H100" in torch.cuda.get_device_name()
    stream, begin, end = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        begin.record()
        x = torch.zeros(1000, device="cuda")
        same(x.copy_(torch.arange(1000.0).pin_memory(), non_blocking=True), torch.arange(1000.0))
        end.record()
    stream.synchronize()
    assert begin.elapsed_time(end) >= 0 and torch.cuda.memory_allocated() >= 4000


@row("its own operators (`y + 1`, `@`, `sum`, `sort`, indices, convolutions): on the host, listed and not counted")
def operators():
    x, w = torch.randn(2, 3, 16, 16), torch.randn(8, 3, 3, 3)
    with warplens.profile() as made:
        y = x.cuda()
        same(y + 1, x + 1)
        same(y @ y.mT, x @ x.mT)
        same(y.sum(), x.sum())
        same(y.sort().values, x.sort().values)
        same(y[y > 0], x[x > 0])
        same(torch.nn.functional.conv2d(y, w.cuda()), torch.nn.functional.conv2d(x, w))
    assert made.document["host_calls"]


@row("autograd, optimisers, autocast, GradScaler")
def training():
    made = []
    for device in ("cpu", "cuda"):
        torch.manual_seed(1)
        model, x = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 4)).to(device), torch.randn(8, 16).to(device)
        if device == "cuda":
            model.load_state_dict(made[0])
        else:
            made.append({name: value.clone() for name, value in model.state_dict().items()})
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            model(x.new_tensor(torch.linspace(-1, 1, 128).view(8, 16).tolist())).square().mean().backward()
            optimizer.step()
        made.append([value.detach().cpu() for value in model.parameters()])
    for a, b in zip(made[1], made[2]):
        same(a, b, atol=1e-4, rtol=1e-4)
    scaler, model = torch.amp.GradScaler("cuda"), torch.nn.Linear(16, 16, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.autocast("cuda", torch.float16):
        loss = model(torch.ones(4, 16, device="cuda")).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


@row("CUDA graphs")
def graphs():
    x, graph = torch.zeros(9, device="cuda"), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x += 1
    for _ in range(3):
        graph.replay()
    assert (x == 3).all()


@row("`torch.compile`: Inductor's Triton kernels, counted, by line")
def compiled():
    function = torch.compile(lambda x: torch.softmax(torch.nn.functional.gelu(x), -1))
    x = torch.randn(64, 300, device="cuda")
    with warplens.profile() as made:
        y = function(x)
    same(y, torch.softmax(torch.nn.functional.gelu(x.cpu()), -1), atol=1e-6, rtol=1e-5)
    assert len(made) >= 1 and all(line.text for line in made.lines())


@row("`torch.compile(mode=\"max-autotune\")`")
def autotuned():
    x = torch.randn(64, 64, device="cuda")
    same(torch.compile(lambda a: torch.relu(a @ a + a), mode="max-autotune-no-cudagraphs")(x), torch.relu(x.cpu() @ x.cpu() + x.cpu()), atol=1e-3, rtol=1e-3)


@row("scaled_dot_product_attention, FlexAttention compiled")
def attention():
    from torch.nn.attention.flex_attention import flex_attention

    q, k, v = (torch.randn(1, 2, 128, 64, device="cuda") for _ in range(3))
    right = torch.nn.functional.scaled_dot_product_attention(q.cpu(), k.cpu(), v.cpu())
    same(torch.nn.functional.scaled_dot_product_attention(q, k, v), right, atol=1e-4, rtol=1e-4)
    same(torch.compile(flex_attention)(q, k, v), right, atol=5e-3, rtol=5e-3)


@row("an extension in CUDA (`cpp_extension.load_inline`, nvcc), by line")
def extension():
    from torch.utils.cpp_extension import load_inline

    if not shutil.which("nvcc") or not shutil.which("ninja"):
        raise RuntimeError("there is no nvcc, or no ninja")
    text = """#include <torch/extension.h>
__global__ void twice(const float *a, float *o, int n) {
    __shared__ float t[1024];
    int i = threadIdx.x;
    t[i * 32] = a[i];
    __syncthreads();
    o[i] = t[i * 32] * 2;
}
torch::Tensor run(torch::Tensor a) {
    auto o = torch::empty_like(a);
    twice<<<1, 32>>>(a.data_ptr<float>(), o.data_ptr<float>(), a.numel());
    return o;
}"""
    module = load_inline("table_extension", cpp_sources="torch::Tensor run(torch::Tensor a);", cuda_sources=text, functions=["run"],
                         extra_cuda_cflags=["-lineinfo"])
    x = torch.arange(32.0, device="cuda")
    with warplens.profile() as made:
        same(module.run(x), 2 * x)
    assert made.lines()[0].n_way == 32 and made.lines()[0].text


@row("a training step of a small transformer with Triton kernels of its own")
def transformer():
    import torch_transformer

    with warplens.profile() as made:
        torch_transformer.check()
    assert {"rms_norm_forward", "rms_norm_backward", "swiglu_forward", "swiglu_backward", "cross_entropy"} <= {line.kernel for line in made.lines()}


@row("liger-kernel: RMS norm, layer norm, SwiGLU, cross entropy, forward and backward")
def liger():
    from liger_kernel.transformers import LigerCrossEntropyLoss, LigerLayerNorm, LigerRMSNorm

    x = torch.randn(4, 16, 64, device="cuda", requires_grad=True)
    norm = LigerRMSNorm(64).cuda()
    y = norm(x)
    with torch.no_grad():
        same(y, x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6), atol=1e-4, rtol=1e-4)
    y.sum().backward()
    host = x.detach().cpu().requires_grad_()
    (host * torch.rsqrt(host.square().mean(-1, keepdim=True) + 1e-6)).sum().backward()
    same(x.grad, host.grad, atol=1e-4, rtol=1e-4)
    same(LigerLayerNorm(64).cuda()(x).detach(), torch.nn.functional.layer_norm(x.detach(), (64,)), atol=1e-4, rtol=1e-4)
    logits, labels = torch.randn(32, 100), torch.randint(0, 100, (32,))
    same(LigerCrossEntropyLoss()(logits.cuda(), labels.cuda()), torch.nn.functional.cross_entropy(logits, labels), atol=1e-4, rtol=1e-4)
    from liger_kernel.ops import LigerSiLUMulFunction

    a, b = torch.randn(8, 64), torch.randn(8, 64)
    same(LigerSiLUMulFunction.apply(a.cuda(), b.cuda()), torch.nn.functional.silu(a) * b, atol=1e-5, rtol=1e-5)


@row("an operator that has no kernel for the CPU, by its name", refused="aten::_cslt_compress cannot run")
def missing():
    torch.ops.aten._cslt_compress(torch.ones(32, 32, device="cuda", dtype=torch.half))


@row("sparse tensors on \"cuda\" that compute", refused="cannot run")
def sparse():
    (torch.eye(4, device="cuda").to_sparse() @ torch.ones(4, 4, device="cuda")).sum()


if __name__ == "__main__":
    run()
