# NVML as it answers what is wrong, on a machine of two GPUs
$ warplens run -q --devices 2 nvml
0: Success
1: Uninitialized
2: Invalid Argument
3: Not Supported
6: Not Found
7: Insufficient Size
25: Argument Version Mismatch
nvml: fine
