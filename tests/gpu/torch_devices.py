"""Two training steps of a small network whose batch two GPUs share, for `warplens run --on gpu python3 torch_devices.py`. Exit status 77: there are no two."""
import sys
import time

import torch

if torch.cuda.device_count() < 2:
    sys.exit(77)
torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
layers = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.LayerNorm(512), torch.nn.Linear(512, 10)).cuda()
both = torch.nn.DataParallel(layers, device_ids=[0, 1])
optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
inputs, labels = torch.randn(64, 256, device="cuda:0"), torch.arange(64, device="cuda:0") % 10
for step in range(2):
    begin = time.perf_counter()
    loss = torch.nn.functional.cross_entropy(both(inputs), labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    print(f"step {step}: loss {loss.item():.4f}, {1000 * (time.perf_counter() - begin):.1f} ms", flush=True)
