"""A sort, a product, a sum and a kernel of its own in CuPy, for `warplens run --on gpu python3 cupy_arrays.py`."""
import cupy
import numpy

values = cupy.random.RandomState(0).random_sample((512, 512), dtype=cupy.float32)
ordered, product, total = cupy.sort(values.ravel()), values @ values.T, values.sum()
double = cupy.ElementwiseKernel("float32 x", "float32 y", "y = 2 * x", "doubled")(values)
host = values.get()
assert numpy.array_equal(ordered.get(), numpy.sort(host.ravel())) and numpy.array_equal(double.get(), 2 * host)
print(f"product at most {abs(product.get() - host @ host.T).max():.3g} off, sum {abs(float(total) - float(host.sum(dtype=numpy.float64))):.3g} off")
