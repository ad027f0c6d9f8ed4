"""PyTorch's own operators on "cuda" tensors, which run on the CPU: results beside the CPU's, and what the profile lists.

Run by pytest, or `test_torch.py` by itself, as ctest does: exit status 77 says that torch or pytest is not installed.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

MISSING = [name for name in ("torch", "triton", "pytest") if not importlib.util.find_spec(name)]
if __name__ == "__main__" and MISSING:
    print(f"skipped, all tests of {os.path.basename(__file__)}: {', '.join(MISSING)} not installed")
    sys.exit(77)

import warplens  # noqa: E402, I001 - before torch
import pages  # noqa: E402
import pytest  # noqa: E402
import torch  # noqa: E402
import torch_families  # noqa: E402
import torch_transformer  # noqa: E402
from warplens._torch import operators  # noqa: E402

HERE = pathlib.Path(__file__).parent


def calls(made):
    """What ran on the host, and how often."""
    return {call["function"]: call["calls"] for call in made.document.get("host_calls", []) if call["library"] == "torch"}


def same(found, wanted, within=None):
    """Equal bit for bit, NaN where NaN is; or within a tolerance."""
    assert found.device.type == "cuda" or not found.numel() or wanted.device.type == found.device.type
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    found = found.detach().cpu()
    if within:
        within = max(within, 2 * torch.finfo(found.dtype).eps) if found.is_floating_point() else within
        torch.testing.assert_close(found, wanted.detach(), rtol=within, atol=within, equal_nan=True)
    else:
        wanted = wanted.detach().resolve_conj().resolve_neg().contiguous()
        as_bytes = [each.contiguous().view(-1).view(torch.uint8) if each.numel() else each for each in (found, wanted)]
        assert as_bytes[0].equal(as_bytes[1]), f"{found}\n{wanted}"


@pytest.mark.parametrize("name", torch_families.FAMILIES)
def test_family(name):
    results = {}
    for device in ("cuda", "cpu"):
        torch.set_num_threads(1)  # sums are made in the same order
        results[device] = torch_families.FAMILIES[name](torch_families.Values(device))
    assert len(results["cuda"]) == len(results["cpu"]) > 0
    for found, wanted in zip(results["cuda"], results["cpu"]):
        same(found, wanted, torch_families.WITHIN.get(name))


def run(*command, **environment):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, cwd=HERE, env=os.environ | environment)


def python(text, **environment):
    return run(sys.executable, "-B", "-c", text, **environment)


def line_of(path, text):
    found = [number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line]
    assert len(found) == 1, found
    return found[0]


def check_transformer(made):
    """Its own kernels are counted, at the lines of the script; PyTorch's operators are listed."""
    path = HERE / "torch_transformer.py"
    kernels = {kernel["short"] for kernel in made.document["kernels"]}
    assert kernels == {"rms_norm_forward", "rms_norm_backward", "swiglu_forward", "swiglu_backward", "cross_entropy"}
    assert len(made) == 2 * (5 + 5 + 2 + 2 + 1)
    lines = {line.line: line for line in made.lines() if line.file and pathlib.Path(line.file).name == path.name}
    assert lines[line_of(path, "tl.store(grad_x + row * columns")].sectors == 2 * 5 * 32 * 6  # 48 floats are 6 sectors
    assert lines[line_of(path, "tl.atomic_add(grad_weight")].launches == 10
    assert lines[line_of(path, "u = tl.load(grad + i, mask=i < n), tl.load(gate")].sector_ratio == 1
    listed = calls(made)
    assert listed["aten::addmm"] == 2 * 2 * 5 and listed["aten::_foreach_add_.List"] == 3
    assert not {name for name in listed if not name.startswith("aten::")}


def test_transformer():
    with warplens.profile() as made:
        torch_transformer.check()
    check_transformer(made)


@pytest.mark.parametrize("way", ("warplens run python", "python -m warplens"))
def test_transformer_as_program(way, tmp_path):
    out = tmp_path / "step.wlp"
    before = [warplens.program(), "run", "-o", out, sys.executable] if way.startswith("warplens") else [
        sys.executable, "-m", "warplens", f"--output={out}"]
    ran = run(*before, HERE / "torch_transformer.py")
    assert ran.stdout.startswith("tensor([1., 1., 1.])") and ran.stdout.startswith("losses 4."), ran.stderr
    check_transformer(warplens.load(out))


def test_listed():
    x = torch.arange(6.0, device="cuda").view(2, 3)
    with warplens.profile() as made:
        y = (x + 1).t() @ x
        x.view(3, 2), x[0], x.shape, torch.empty(3, device="cuda")  # launch nothing
    assert y.is_cuda
    assert calls(made) == {"aten::add.Tensor": 1, "aten::mm": 1}
    assert "On the host, not counted: aten::add.Tensor, aten::mm." in str(made)


def test_printing():
    x = torch.tensor([[1.5, -2.0], [3.25, 0.0]], device="cuda")
    assert str(x) == str(x.cpu())[:-1] + ", device='cuda:0')"
    assert repr(torch.nn.Parameter(x)).startswith("Parameter containing:\ntensor([[ 1.5000, -2.0000],")


class TestRandom:
    def draws(self, generator=None):
        more = {"device": "cuda", "generator": generator}
        dropped = torch.nn.functional.dropout(torch.ones(8, device="cuda"), 0.5) if generator is None else torch.ones(1)
        return torch.cat([torch.rand(4, **more).cpu(), torch.randn(4, **more).cpu(), torch.randint(99, (4,), **more).cpu(),
                          torch.randperm(9, **more).cpu(), dropped.cpu(), torch.empty(3, device="cuda").exponential_(generator=generator).cpu(),
                          torch.multinomial(torch.ones(9, device="cuda"), 3, generator=generator).cpu()])

    def test_seed(self):
        torch.cuda.manual_seed(3)
        first, second = self.draws(), self.draws()
        torch.manual_seed(3)
        assert first.equal(self.draws()) and not first.equal(second)
        torch.cuda.manual_seed_all(4)
        assert not first.equal(self.draws())

    def test_state(self):
        self.draws()
        state = torch.cuda.get_rng_state()
        first = self.draws()
        torch.cuda.set_rng_state(state)
        assert first.equal(self.draws())
        with torch.random.fork_rng(devices=[0]):
            inside = self.draws()
        assert inside.equal(self.draws())

    def test_generator(self):
        own = torch.Generator("cuda").manual_seed(5)
        state = torch.cuda.get_rng_state()
        first = self.draws(own)
        assert torch.cuda.get_rng_state().equal(state)  # the default one has not moved
        assert first.equal(self.draws(torch.Generator("cuda").manual_seed(5)))
        with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator but found 'cpu'"):
            torch.rand(3, device="cuda").normal_(generator=torch.Generator())

    def test_the_generator_of_the_cpu_stays(self):
        torch.manual_seed(3)
        first = torch.rand(3)
        torch.manual_seed(3)
        self.draws()
        assert torch.rand(3).equal(first)

    def test_distribution(self):
        many = torch.randn(100_000, device="cuda")
        assert abs(many.mean().item()) < 0.02 and abs(many.std().item() - 1) < 0.02
        rows = torch.stack([torch.rand(4, device="cuda") for _ in range(2000)])
        assert rows.unique().numel() > 7900 and abs(rows.mean().item() - 0.5) < 0.02

    def test_checkpoint(self):
        """The pass that is repeated on the way back draws the same numbers."""
        x = torch.ones(1000, device="cuda", requires_grad=True)
        out = torch.utils.checkpoint.checkpoint(lambda x: torch.nn.functional.dropout(x, 0.5), x, use_reentrant=False)
        out.sum().backward()
        assert x.grad.equal(out.detach())


class TestGraphs:
    def test_replay(self):
        a, total, none = torch.zeros(4, device="cuda"), torch.zeros(4, device="cuda"), torch.empty(0, device="cuda")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            b = torch.cat([a * 2, a])
            total.add_(a)
            torch.add(a, 1, out=none)
            random = torch.rand(50, device="cuda")
        assert not total.any()  # nothing has run yet
        seen = []
        for i in range(1, 4):
            a.fill_(i)
            with warplens.profile() as made:
                graph.replay()
            assert b.tolist() == [2.0 * i] * 4 + [float(i)] * 4 and none.tolist() == [i + 1.0] * 4
            assert calls(made)["aten::cat"] == 1
            seen += random.tolist()
        assert total.tolist() == [6.0] * 4 and len(set(seen)) > 140

    def test_what_has_no_shape(self):
        a = torch.ones(4, device="cuda")
        with pytest.raises(RuntimeError, match="nonzero"), torch.cuda.graph(torch.cuda.CUDAGraph()):
            a.nonzero()
        assert (a + 1).tolist() == [2.0] * 4


class TestStreams:
    def test_order(self):
        x, other = torch.zeros(8, device="cuda"), torch.cuda.Stream()
        other.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(other):
            x.add_(1)
            done = other.record_event()
        torch.cuda.current_stream().wait_event(done)
        x.mul_(3)
        torch.cuda.synchronize()
        assert x.tolist() == [3.0] * 8 and done.query()

    def test_beside_kernels(self):
        """A kernel reads what operators before it have written, and the other way round."""
        x = torch.arange(1000.0, device="cuda")
        out = torch_transformer.SwiGLUOp.apply(x + 1, torch.ones_like(x)) * 2
        torch.testing.assert_close(out.cpu(), torch.nn.functional.silu(torch.arange(1.0, 1001.0)) * 2)

    def test_after_a_fault(self):
        """An operator behind a kernel that has faulted does not run."""
        ran = python("import warplens, torch, device\n"
                     "x = torch.ones(3, device='cuda')\n"
                     "try: device.launch(1 << 20)\nexcept AssertionError: pass\n"
                     "try: x.add_(1)\nexcept RuntimeError as error: print('told:', error)")
        assert ran.stdout.startswith("told: aten::add_.Tensor: CUDA error: CUDA_ERROR_"), ran.stdout + ran.stderr


def test_threads():
    import threading

    results = [None] * 4

    def work(index):
        x = torch.full((100,), float(index), device="cuda", requires_grad=True)
        (x * x).sum().backward()
        results[index] = x.grad.mean().item()

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0.0, 2.0, 4.0, 6.0]


def test_no_room():
    """PyTorch's own error, for whose message it asks NVML what else is on the device; the process goes on."""
    for _ in range(2):
        with pytest.raises(torch.cuda.OutOfMemoryError, match="Tried to allocate 4096.00 GiB"):
            torch.empty(1 << 40, device="cuda")
    assert torch.ones(9, device="cuda").sum().item() == 9


def test_memory_is_accounted():
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    x = torch.ones(1 << 20, device="cuda")
    y = x * 2
    assert torch.cuda.memory_allocated() - before == 2 << 22
    del y
    assert torch.cuda.memory_allocated() - before == 1 << 22 and torch.cuda.max_memory_allocated() - before == 2 << 22
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total and torch.cuda.memory_reserved() >= 1 << 22 and "Allocated memory" in torch.cuda.memory_summary()
    del x


class TestModes:
    """Modes of the user see the operators that the user called, once each."""

    def test_dispatch(self):
        from torch.utils._python_dispatch import TorchDispatchMode

        seen = []

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen.append(str(func))
                return func(*args, **(kwargs or {}))

        x = torch.ones(3, device="cuda")
        with Mode():
            x + 1
        assert seen == ["aten.add.Tensor"]

    def test_default_device(self):
        with torch.device("cuda"):
            x = torch.ones(3) + torch.arange(3)
        assert x.is_cuda and x.tolist() == [1.0, 2.0, 3.0]

    def test_autocast_of_the_cpu_is_another(self):
        x = torch.ones(3, 3, device="cuda")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert (x @ x).dtype == torch.float32 and (x.cpu() @ x.cpu()).dtype == torch.bfloat16

    def test_inference(self):
        x = torch.ones(3, device="cuda")
        with torch.inference_mode():
            y = x * 2
        assert y.is_inference() and y.tolist() == [2.0] * 3


def coo(device):
    indices = torch.tensor([[0, 1], [1, 0]], device=device)
    return torch.sparse_coo_tensor(indices, torch.tensor([1.0, 2.0], device=device), (2, 2), check_invariants=False)


def csr(device):
    return torch.sparse_csr_tensor(torch.tensor([0, 1, 2], device=device), torch.tensor([1, 0], device=device),
                                   torch.tensor([1.0, 2.0], device=device), (2, 2), check_invariants=False)


def nested(device):
    return torch.nested.nested_tensor([torch.ones(2, 3), torch.full((4, 3), 2.0)], device=device)


@pytest.mark.filterwarnings("ignore")
class TestOtherLayouts:
    """Sparse, nested and quantised tensors are made, taken apart and copied as the CPU does it, or refused by the operator's name."""

    @pytest.mark.parametrize("make", [coo, csr])
    def test_sparse_parts(self, make):
        for work in (lambda x: x, lambda x: x.clone(), lambda x: x.cpu(), lambda x: torch.empty_like(x).copy_(x)):
            found, wanted = work(make("cuda")), work(make("cpu"))
            assert found.cpu().to_dense().equal(wanted.to_dense()) and found.layout == wanted.layout
            assert (found._nnz(), found.sparse_dim(), found.dense_dim()) == (2, 2, 0)
            assert str(found).splitlines()[0].startswith(str(wanted).splitlines()[0][:20])

    def test_nested_parts(self):
        for work in (lambda x: x, lambda x: x.clone(), lambda x: x.detach(), lambda x: x.to(torch.float64)):
            for found, wanted in zip(work(nested("cuda")).unbind(), work(nested("cpu")).unbind(), strict=True):
                same(found, wanted)
        assert [part.tolist() for part in nested("cuda").cpu().unbind()] == [part.tolist() for part in nested("cpu").unbind()]

    @pytest.mark.parametrize("work, said", [
        (lambda: torch.eye(3, device="cuda").to_sparse(), "aten::_to_sparse cannot run: .* sparse tensors"),
        (lambda: torch.eye(3, device="cuda").to_sparse_csr(), "aten::_to_sparse_csr cannot run: .* sparse tensors"),
        (lambda: coo("cuda").to_dense(), "aten::_to_dense cannot run: .* sparse"), (lambda: coo("cuda") + coo("cuda"), "aten::add.Tensor"),
        (lambda: coo("cuda").coalesce(), "aten::_coalesce "), (lambda: coo("cuda") @ torch.eye(2, device="cuda"), "aten::.*mm"),
        (lambda: csr("cuda") @ torch.eye(2, device="cuda"), "aten::.*mm"), (lambda: csr("cuda").sin(), "aten::sin cannot run: .* sparse"),
        (lambda: torch.ones(2, 2, device="cuda").add_(coo("cuda")), "aten::add_.Tensor cannot run: .* sparse"),
        (lambda: nested("cuda").to_padded_tensor(0.0), "aten::to_padded_tensor cannot run: .* nested tensors"),
        (lambda: nested("cuda") * 2, "aten::mul"), (lambda: torch.softmax(nested("cuda"), -1), "aten::_softmax cannot run: .* nested"),
        (lambda: torch.quantize_per_tensor(torch.ones(3, device="cuda"), 0.1, 0, torch.qint8), "aten::quantize_per_tensor cannot run: .* quantised")])
    def test_refused(self, work, said):
        with pytest.raises(NotImplementedError, match=f"warplens: {said}"):
            work()
        assert (torch.ones(2, device="cuda") + 1).tolist() == [2.0, 2.0]

    def test_an_encoder_takes_the_way_without_them(self):
        torch.manual_seed(0)
        encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1).eval()
        x, hidden = torch.randn(2, 4, 8), torch.tensor([[False] * 4, [False, False, True, True]])
        with torch.no_grad():
            wanted = encoder(x, src_key_padding_mask=hidden)
            found = encoder.cuda()(x.cuda(), src_key_padding_mask=hidden.cuda())
        torch.testing.assert_close(found.cpu()[~hidden], wanted[~hidden])


class TestRefusals:
    def test_every_operator_stays_replaces_or_is_refused(self):
        """None is left whose kernel for CUDA would be launched."""
        names = [name for name in torch._C._dispatch_get_registrations_for_dispatch_key("CUDA") if name.startswith("aten::")]
        refused = operators.refused()
        assert len(names) > 1000 and 50 < len(refused) < 150
        for name in names:
            where = torch._C._dispatch_dump_table(name).split("CUDA: ", 1)[1].split("\n")[0]
            op = operators.operator_of(name)
            assert ("warplens" in where) != operators.stays(op), (name, where)

    def test_by_name(self):
        assert "aten::_cslt_compress" in operators.refused()
        with pytest.raises(NotImplementedError, match="aten::_cslt_compress cannot run: .*kernel for CUDA alone.*Instead, .*Triton"):
            torch.ops.aten._cslt_compress(torch.ones(4, 4, device="cuda"))

    def test_attention_that_was_asked_for(self):
        from torch.nn.attention import SDPBackend, sdpa_kernel

        q = torch.ones(1, 1, 8, 8, device="cuda", dtype=torch.float16)
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION), pytest.raises((NotImplementedError, RuntimeError), match="flash|No available kernel"):
            torch.nn.functional.scaled_dot_product_attention(q, q, q)

    def test_two_devices(self):
        x = torch.ones(3, device="cuda")
        for wrong in (lambda: x + torch.ones(3), lambda: torch.ones(3).add_(x), lambda: torch.cat([x, torch.ones(1)]),
                      lambda: torch.nn.Linear(3, 3)(x)):
            with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
                wrong()
        assert (x + torch.tensor(1)).tolist() == [2.0] * 3  # a single number

    def test_errors_of_operators(self):
        with pytest.raises(RuntimeError, match="size of tensor a"):
            torch.ones(3, device="cuda") + torch.ones(4, device="cuda")

    def test_too_late(self):
        ran = python("import torch, warplens")
        assert ran.returncode and "must come before torch" in ran.stderr.splitlines()[-1], ran.stderr

    def test_without_the_import(self):
        """Under `warplens run` alone nobody replaces operators: their machine code is executed; without nvdisasm a message says what helps."""
        words = (warplens.program(), "run", "--no-save", sys.executable, "-B", "-c", "import torch; print(torch.ones(3, device='cuda').cpu())")
        refused = run(*words, WARPLENS_NVDISASM="/none")
        assert refused.returncode and "is not executed: there is no PTX" in refused.stderr and "'import warplens' before" in refused.stderr, refused.stderr
        if os.environ.get("WARPLENS_NVDISASM") or shutil.which("nvdisasm"):
            ran = run(*words)
            assert ran.stdout.startswith("tensor([1., 1., 1.])") and "executed from the machine code that the program has" in ran.stderr, ran.stderr

    def test_versions(self):
        from warplens import _torch

        with pytest.raises(warplens.WarplensError, match="torch 1.13.1 is older than what warplens was tried with, torch 2.9 to 2.15: it is too old"):
            _torch.check("1.13.1")
        _torch.check("99.0.0")  # of which a warning tells


def test_page():
    """The guide's page prints what it says."""
    page = HERE.parents[1] / "docs/guide/pytorch.md"
    now, failed = pages.check(page)
    assert not failed, failed
    assert now == page.read_text()


def test_compile():
    """Inductor's kernels are counted; what it leaves to PyTorch's operators is listed."""
    x, w = torch.randn(64, 32, device="cuda", requires_grad=True), torch.randn(32, 16, device="cuda")

    def layer(x, w):
        return torch.nn.functional.gelu(torch.softmax(x @ w, -1))

    grads = []
    for function in (layer, torch.compile(layer)):
        with warplens.profile() as made:
            out = function(x, w)
            out.square().sum().backward()
        grads.append((out.detach().cpu(), x.grad.cpu()))
        x.grad = None
    torch.testing.assert_close(grads[1], grads[0])
    assert any("gelu" in kernel["short"] for kernel in made.document["kernels"])
    assert calls(made)["aten::mm.out"] == 2


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_left(tmp_path):
    """The caches of the user have nothing of it, and a run without warplens is as before."""
    home, given = tmp_path / "home", tmp_path / "given"
    home.mkdir(), given.mkdir(), (tmp_path / "tmp").mkdir()
    places = {"HOME": str(home), "TMPDIR": str(tmp_path / "tmp"), "XDG_CACHE_HOME": ""}
    before = python(WITHOUT, **places).stdout
    assert before.startswith("False RegisterCUDA"), before
    for more in ({}, {"TRITON_CACHE_DIR": str(given), "TORCHINDUCTOR_CACHE_DIR": str(given)}):
        ran = python("import warplens, torch\n"
                     "f = torch.compile(lambda x: x.sin() + 1)\n"
                     "assert f(torch.ones(9, device='cuda')).allclose(torch.ones(9, device='cuda').sin() + 1)", **places, **more)
        assert ran.returncode == 0, ran.stderr
    made = files_below(home) | files_below(given) | files_below(tmp_path / "tmp")
    assert made and not {name for name in made if "warplens" not in pathlib.Path(name).parts}
    assert python(WITHOUT, **places).stdout == before


WITHOUT = """
import torch
where = torch._C._dispatch_dump_table('aten::add.Tensor').split('CUDA: registered at ')[1].split()[0]
print(torch.cuda.is_available(), where.split('/')[-1].split(':')[0], torch.backends.cudnn.enabled, torch.backends.cuda.flash_sdp_enabled())
"""


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
