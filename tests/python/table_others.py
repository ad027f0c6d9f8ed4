"""Rows: cuda.core, cuda.bindings, Warp, PyCUDA, TileLang, CuTe DSL."""

import warplens  # noqa: F401, I001 - before all others
import ctypes
import subprocess
import sys

import numpy
from table_rows import row, run


def at(memory, count, kind):
    """Memory of the device, which is the host's."""
    return numpy.ctypeslib.as_array(ctypes.cast(int(memory.handle), ctypes.POINTER(kind)), (count,))


def core():
    from cuda.core import Device

    device = Device()
    device.set_current()
    return device, device.create_stream()


def kernel_of(text, name="f", **options):
    from cuda.core import Program, ProgramOptions

    return Program(text, "c++", ProgramOptions(arch="sm_90", std="c++17", **options)).compile("cubin").get_kernel(name)


@row("cuda.core: Program (NVRTC) to a cubin, launch, dynamic shared memory, lines of its text")
def core_program():
    from cuda.core import LaunchConfig, launch

    device, stream = core()
    kernel = kernel_of('extern "C" __global__ void f(float *o, float a) {\n  extern __shared__ float t[];\n  t[threadIdx.x] = a;\n  __syncthreads();\n'
                       "  o[blockIdx.x * blockDim.x + threadIdx.x] = t[(threadIdx.x + 1) % blockDim.x] + threadIdx.x;\n}")
    out = device.allocate(4 * 128, stream=stream)
    with warplens.profile() as made:
        launch(stream, LaunchConfig(grid=2, block=64, shmem_size=256), kernel, out, numpy.float32(3))
        stream.sync()
    assert (at(out, 128, ctypes.c_float) == numpy.tile(numpy.arange(64), 2) + 3).all()
    assert {line.text.strip() for line in made.lines() if line.line == 3} == {"t[threadIdx.x] = a;"}


@row("cuda.core: Linker")
def core_linker():
    from cuda.core import LaunchConfig, Linker, LinkerOptions, Program, ProgramOptions, launch

    device, stream = core()
    options = ProgramOptions(arch="sm_90", relocatable_device_code=True)
    parts = [Program(text, "c++", options).compile("ptx") for text in (
        '__device__ float g(float); extern "C" __global__ void f(float *o) { o[threadIdx.x] = g(threadIdx.x); }', "__device__ float g(float x) { return x * x; }")]
    out = device.allocate(128, stream=stream)
    launch(stream, LaunchConfig(grid=1, block=32), Linker(*parts, options=LinkerOptions(arch="sm_90")).link("cubin").get_kernel("f"), out)
    stream.sync()
    assert (at(out, 32, ctypes.c_float) == numpy.arange(32.0) ** 2).all()


@row("cuda.core: graphs")
def core_graph():
    from cuda.core import LaunchConfig, launch

    device, stream = core()
    kernel, out = kernel_of('extern "C" __global__ void f(int *o) { atomicAdd(o, 1); }'), device.allocate(64, stream=stream)
    at(out, 1, ctypes.c_int)[0] = 0
    builder = device.create_graph_builder().begin_building()
    for blocks in (2, 1):
        launch(builder, LaunchConfig(grid=blocks, block=32), kernel, out)
    graph = builder.end_building().complete()
    for _ in range(2):
        graph.launch(stream)
    stream.sync()
    assert at(out, 1, ctypes.c_int)[0] == 192


@row("cuda.bindings: NVRTC and nvJitLink, LTO, by line of the text")
def bindings():
    ran = subprocess.run([sys.executable, "-B", "cuda_programs.py"], capture_output=True, text=True)
    assert ran.stdout.count("5 32.0 out[threadIdx.x] = tile[threadIdx.x][0];") == 3, ran.stderr


@row("cuda.bindings.runtime, whose CUDA runtime is linked in and stripped")
def runtime():
    from cuda.bindings import runtime

    error, memory = runtime.cudaMalloc(64)
    assert error == 0, error
    assert runtime.cudaMemset(memory, 1, 64)[0] == 0 and (numpy.ctypeslib.as_array((ctypes.c_byte * 64).from_address(memory)) == 1).all()


@row("Warp: kernels, tiles, gradients of kernels")
def warps():
    import warp
    import warp_kernels
    import warp_table

    warp_kernels.strided()
    warp_table.tiles()
    warp_table.gradients()
    warp.synchronize()


@row("PyCUDA: SourceModule, gpuarray")
def pycuda():
    import pycuda_kernels

    pycuda_kernels.turn()
    pycuda_kernels.add()


@row("TileLang: loads, stores; GEMM with TMA and wgmma")
def tilelang():
    import tile_kernels
    import tile_table

    tile_kernels.turn()
    tile_table.matmul()


@row("CuTe DSL: shared memory, swizzles, `ldmatrix`, by line")
def cute():
    import cute_kernels
    import cute_swizzle

    cute_kernels.transpose()
    cute_swizzle.loaded(3, 3, 4)


if __name__ == "__main__":
    run()
