# Builds for 64-bit ARM on another machine, with Debian's compiler and the libraries that `tools/setup --arm64` installs. What
# is built runs there under QEMU, where Linux is told so (binfmt_misc).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
