"""A training step of a small transformer layer, for `warplens run --on gpu python3 torch_step.py`."""
import time

import torch

torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True).cuda()
optimizer = torch.optim.AdamW(layer.parameters())
data = torch.randn(16, 128, 512, device="cuda")
for step in range(3):
    begin = time.perf_counter()
    loss = layer(data).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    print(f"step {step}: loss {loss.item():.4f}, {1000 * (time.perf_counter() - begin):.1f} ms", flush=True)
