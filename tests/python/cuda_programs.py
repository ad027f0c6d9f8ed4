"""A kernel that NVRTC compiles, and nvJitLink links: machine code that is asked for, PTX that is linked, LTO-IR that is linked."""

import warplens  # noqa: F401 - before others open CUDA
from cuda.bindings import nvjitlink, nvrtc
from cuda.core import Device, LaunchConfig, ObjectCode, launch

KINDS = ("code", "ptx", "lto")
SOURCE = """extern "C" __global__ void turn_KIND(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.x][0] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][0];
}"""


def checked(result):
    assert result[0] == 0, result
    return result[1] if len(result) == 2 else None


def compiled(text, options, size, get):
    program = checked(nvrtc.nvrtcCreateProgram(text.encode(), b"", 0, [], []))
    checked(nvrtc.nvrtcCompileProgram(program, len(options), options))
    data = b" " * checked(size(program))
    checked(get(program, data))
    return data


def linked(options, kind, data):
    handle = nvjitlink.create(len(options), options)
    nvjitlink.add_data(handle, kind, data, len(data), "turn")
    nvjitlink.complete(handle)
    code = bytearray(nvjitlink.get_linked_cubin_size(handle))
    nvjitlink.get_linked_cubin(handle, code)
    nvjitlink.destroy(handle)
    return bytes(code)


def code_of(kind):
    text = SOURCE.replace("KIND", kind)
    if kind == "code":
        return compiled(text, [b"-arch=sm_90"], nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)
    if kind == "ptx":
        return linked(["-arch=sm_90"], nvjitlink.InputType.PTX,
                      compiled(text, [b"-arch=compute_90"], nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX))
    return linked(["-arch=sm_90", "-lto"], nvjitlink.InputType.LTOIR,
                  compiled(text, [b"-arch=sm_90", b"-dlto"], nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR))


def run(kind):
    device = Device()
    device.set_current()
    stream = device.create_stream()
    memory = device.allocate(128, stream=stream)
    launch(stream, LaunchConfig(grid=1, block=32), ObjectCode.from_cubin(code_of(kind)).get_kernel(f"turn_{kind}"), memory)
    stream.sync()


if __name__ == "__main__":  # in a process of its own: others may bring an NVRTC that is newer than nvJitLink
    with warplens.profile() as made:
        for each in KINDS:
            run(each)
    for line in made.lines():
        print(line.kernel, line.line, line.n_way, line.text.strip())
