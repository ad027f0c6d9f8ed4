# The launch calls of before CUDA 4. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q old_launch 2>/dev/null
cuFuncSetBlockShape(fill, 32, 1, 1): CUDA_SUCCESS
cuParamSetv(fill, 0, &at, sizeof at): CUDA_SUCCESS
cuParamSeti(fill, 8, 5): CUDA_SUCCESS
cuParamSetSize(fill, 12): CUDA_SUCCESS
cuFuncSetSharedSize(fill, 1024): CUDA_SUCCESS
cuLaunch(fill): CUDA_SUCCESS
5 5 0 0
cuParamSetf(fill, 8, 1.0f): CUDA_SUCCESS
cuLaunchGrid(fill, 2, 1): CUDA_SUCCESS
1065353216 1065353216 1065353216 0
cuParamSeti(fill, 8, 7): CUDA_SUCCESS
cuLaunchGridAsync(fill, 1, 3, NULL): CUDA_SUCCESS
7 7 1065353216 0
cuFuncSetBlockShape(fill, 0, 1, 1): CUDA_ERROR_INVALID_VALUE
cuFuncSetBlockShape(fill, 2048, 1, 1): CUDA_ERROR_INVALID_VALUE
cuLaunch(fill): CUDA_SUCCESS
cuFuncSetBlockShape(fill, 32, 1, 1): CUDA_SUCCESS
cuParamSetSize(fill, 4100): CUDA_SUCCESS
cuLaunchGrid(fill, 0, 1): CUDA_ERROR_INVALID_VALUE
cuLaunchGrid(fill, 1, 65536): CUDA_ERROR_INVALID_VALUE
cuParamSetSize(fill, 8): CUDA_SUCCESS
cuLaunch(fill): CUDA_SUCCESS
cuCtxSynchronize(): CUDA_SUCCESS
