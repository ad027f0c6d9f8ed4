/* reasons: why a call is refused, as a program's user reads it when the call is made, and in
 * docs/api-support.md. The rows of api.def and runtime/calls.def name them without REASON_. */
#pragma once

#define REASON_CHECKPOINTS "checkpoints hold the state of NVIDIA's driver"
#define REASON_DECOMPRESSION "the decompression engine of Blackwell GPUs is not modelled"
#define REASON_DMA_BUFFERS "there is no dma-buf of memory that other devices could map"
#define REASON_GRAPHICS "OpenGL, EGL and VDPAU need a display and a GPU's driver"
#define REASON_MULTICAST "the memories of several GPUs are not joined by NVSwitch"
#define REASON_LINKS "atomic operations over NVLink and PCIe are not told apart"
#define REASON_OLD_ABI "the 32-bit form of before CUDA 3.2; programs built since call its _v2"
#define REASON_OTHER_DRIVERS                                                                       \
    "memory and semaphores of other drivers (Vulkan, Direct3D, NvSci) cannot be reached"
#define REASON_SEVERAL_DEVICES "one launch on several devices, which ended with CUDA 13"
#define REASON_SPARSE_ARRAYS "arrays have all of their memory: sparse ones are not modelled"
#define REASON_TEXTURE_REFERENCES                                                                  \
    "texture and surface references ended with CUDA 12; objects took their place"
#define REASON_UNDOCUMENTED "it is not documented"
#define REASON_UNIFIED_FUNCTIONS "kernels cannot call functions of the host"
#define REASON_VIDEO_ARRAYS "arrays of video formats with several planes are not modelled"
#define REASON_WIDE_IM2COL "the im2col::w modes of Blackwell GPUs are not modelled"
