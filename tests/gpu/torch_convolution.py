"""Two training steps of a small convolutional network (cuDNN), for `warplens run --on gpu python3 torch_convolution.py`."""
import time

import torch

torch.manual_seed(0)
torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
layers = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.BatchNorm2d(32), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, stride=2, padding=1),
                             torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(64, 10)).cuda()
optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
images, labels = torch.randn(8, 3, 64, 64, device="cuda"), torch.arange(8, device="cuda")
for step in range(2):
    begin = time.perf_counter()
    loss = torch.nn.functional.cross_entropy(layers(images), labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    print(f"step {step}: loss {loss.item():.4f}, {1000 * (time.perf_counter() - begin):.1f} ms", flush=True)
