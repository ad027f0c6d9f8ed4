"""A kernel without anybody's package: the driver API by ctypes. Importing it imports warplens, which puts the driver there."""

import ctypes

import warplens  # noqa: F401

PTX = b"""
.version 9.0
.target sm_90
.address_size 64
.file 1 "column.py"
.visible .entry column(.param .u64 out, .param .u32 pitch)
{
    .reg .b32 %r<9>;
    .reg .b64 %d<4>;
    .shared .align 4 .b8 tile[8192];
    ld.param.u64 %d1, [out];
    ld.param.u32 %r1, [pitch];
    .loc 1 2 0
    mov.u32 %r2, %tid.x;
    mul.lo.u32 %r3, %r2, %r1;
    mov.u32 %r4, tile;
    add.u32 %r3, %r3, %r4;
    .loc 1 3 0
    st.shared.u32 [%r3], %r2;
    .loc 1 4 0
    mul.wide.u32 %d2, %r2, 4;
    add.u64 %d1, %d1, %d2;
    st.global.u32 [%d1], %r2;
    ret;
}
\0"""

cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    assert status == 0, f"CUDA error {status}"


def launch(pitch, image=PTX, threads=32):
    """A block of 32 threads, each of which stores to shared memory `pitch` bytes behind the last: pitch 128 is a 32-way conflict.
    Returns what the kernel wrote. image: the module.
    threads: of the block."""
    device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    out = ctypes.c_uint64()
    check(cuda.cuInit(0))
    check(cuda.cuDeviceGet(ctypes.byref(device), 0))
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    check(cuda.cuCtxSetCurrent(context))
    check(cuda.cuModuleLoadData(ctypes.byref(module), image))
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"column"))
    check(cuda.cuMemAlloc_v2(ctypes.byref(out), ctypes.c_size_t(128)))
    bytes_apart = ctypes.c_uint32(pitch)
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(out), ctypes.addressof(bytes_apart))
    check(cuda.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, None, arguments, None))
    result = (ctypes.c_uint32 * 32)()
    check(cuda.cuMemcpyDtoH_v2(result, out, ctypes.c_size_t(128)))
    check(cuda.cuMemFree_v2(out))
    check(cuda.cuModuleUnload(module))
    return list(result)

