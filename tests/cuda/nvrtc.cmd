# NVRTC asked for machine code is asked for PTX, and gives it as the cubin: linked with, and opened.
$ warplens run --report none -o n.wlp nvrtc
--gpu-architecture=compute_80 | -lineinfo | -DX=sm_80
-I/ | -arch=compute_90a | -DY | -lineinfo
-lineinfo | -arch | compute_75
-DZ | --gpu-architecture | compute_86 | -lineinfo
-arch compute_80 | -DZ | -DY | -lineinfo
-arch=compute_80 | -lineinfo
-lineinfo
nvrtc: fine
warplens: profile saved in n.wlp; 'warplens report n.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
$ warplens run -q nvrtc_opened
--gpu-architecture=compute_80 | -lineinfo | -DX=sm_80
-I/ | -arch=compute_90a | -DY | -lineinfo
-lineinfo | -arch | compute_75
-DZ | --gpu-architecture | compute_86 | -lineinfo
-arch compute_80 | -DZ | -DY | -lineinfo
-arch=compute_80 | -lineinfo
-lineinfo
nvrtc: fine
