"""Products of cuBLAS in three types, for `warplens run --on gpu python3 torch_products.py`."""
import time

import torch

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
for kind in (torch.float32, torch.float16, torch.bfloat16):
    a, b = (torch.randn(1024, 1024, device="cuda").to(kind) for _ in range(2))
    torch.cuda.synchronize()
    begin = time.perf_counter()
    product = a @ b
    torch.cuda.synchronize()
    took = 1000 * (time.perf_counter() - begin)
    wrong = (product.double() - a.double() @ b.double()).abs().max().item()
    print(f"{kind}: {took:.1f} ms, at most {wrong:.3g} off", flush=True)
