# WebAssembly by Debian 12's clang 14, wasi-libc, lld and compiler-rt. 128-bit vectors; memory that grows to 1 GiB.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR /usr/bin/llvm-ar-14)
set(CMAKE_RANLIB /usr/bin/llvm-ranlib-14)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# CMake's find_program is the host's; nothing else of the host is looked for.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
