# The front door. Everything is built by CMake in $(BUILD); these targets are the commands that people type.
#
#   make            set up, build the programs
#   make demo       set up, build, profile the 2-D scan sample, print the pages
#   make test       set up, build, run every test
#   make test-long  what is too long for that: fuzzers (LONG_SECONDS each), sweeps, walks; tests/long/results.tsv adds it up
#   make bench      how fast kernels and programs run, each engine, counting or not, by workers, and how `auto` chooses (bench/README.md)
#   make install    into PREFIX (default /usr/local), below DESTDIR where that is given
#   make deb        a Debian package of it, in $(BUILD)-deb
#   make tarball    dist/warplens-VERSION-linux-x86_64.tar.gz, for any Linux with glibc 2.31; tried in bare Debian 11, 12, 13
#   make wheel      dist/warplens-VERSION-….whl: the Python package with the program, for glibc as new as this machine's, checked
#   make wheels     the same for glibc 2.31, of the tarball's files, and dist/warplens_jit-VERSION-….whl with the compiler
#   make playground the program in a page: $(BUILD)-playground/page/ for a web server, and warplens-playground.html there for any browser
#   make site       the documentation as a site, the playground and live pictures in it: $(BUILD)-site/html/
#   make format     clang-format every source file
#   make clean      remove $(BUILD)
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
LONG_SECONDS ?= 600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# Ninja where it is installed; looked up when the recipe runs, since set-up may just have installed it.
cmake = $$(command -v ninja >/dev/null && echo env CMAKE_GENERATOR=Ninja) cmake
warplens = $(BUILD)/warplens

.PHONY: all build everything setup configure demo test test-long bench install deb tarball wheel wheels playground site site-tools format clean

all: build

setup:
	@tools/setup

configure: setup
	@test -z "$(CMAKE_FLAGS)" -a \( -f $(BUILD)/build.ninja -o -f $(BUILD)/Makefile \) || \
	    $(cmake) -S . -B $(BUILD) $(CMAKE_FLAGS)

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target programs

everything: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

demo: build
	$(warplens) kernel samples/scan2d/scan2d.ptx -k 'blockScan<0>' --grid 32,32 --block 32,32 \
	    --arg 'u8[1048576]=random:1' --arg 'u64[1048576]' --arg 'u64[32768]=0' --arg 'u64[32768]=0' \
	    --arg i32=1024 --arg i32=1024 -p all -o $(BUILD)/demo.wlp

test: everything
	@ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure

test-long: everything
	@cmake --preset asan -G Ninja >/dev/null
	@cmake --build --preset asan --parallel $(JOBS) --target $(notdir $(basename $(wildcard tests/fuzz/fuzz_*.c)))
	@tests/long/run $(BUILD) --seconds $(LONG_SECONDS)

bench: everything
	@bench/run $(warplens)
	@python3 -B bench/engines.py $(warplens)

install: everything
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix $(PREFIX)
	@test -n "$(DESTDIR)" || ldconfig 2>/dev/null || true # so that programs find libwarplens.so

deb:
	@tools/setup --deb
	@$(cmake) -S . -B $(BUILD)-deb -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-deb --parallel $(JOBS)
	@cd $(BUILD)-deb && cpack -G DEB && ls -l "$$PWD"/*.deb
	@dpkg-deb --field $(BUILD)-deb/*.deb Depends | grep -q libsqlite3 || { echo 'make deb: the package lacks its dependencies' >&2; exit 1; }

tarball: # as root
	@packaging/debian-root bullseye dist packaging/tarball
	@for suite in bullseye bookworm trixie; do \
	    packaging/debian-root $$suite dist sh -c 'packaging/check-tarball /out/warplens-*.tar.gz' || exit 1; done

wheel: # for glibc as new as this machine's; the file's name says which
	@$(cmake) -S . -B $(BUILD)-wheel -DCMAKE_BUILD_TYPE=Release -DWARPLENS_PORTABLE=ON -DWARPLENS_LLVM_CONFIG=OFF -DBUILD_TESTING=OFF
	@cmake --build $(BUILD)-wheel --parallel $(JOBS)
	@cmake --install $(BUILD)-wheel --prefix $(BUILD)-wheel/prefix --strip >$(BUILD)-wheel/install.log
	@rm -f dist/*.whl && packaging/wheel $(BUILD)-wheel/prefix dist
	@packaging/check-wheel dist/*.whl

wheels: tarball # as root
	@packaging/wheels dist

playground:
	@tools/setup --playground
	@playground/sources $(BUILD)-playground-sources
	@test -f $(BUILD)-playground/build.ninja -o -f $(BUILD)-playground/Makefile || $(cmake) -S playground -B $(BUILD)-playground \
	    -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/playground/wasi/toolchain.cmake -DSOURCES=$(abspath $(BUILD)-playground-sources) $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-playground --parallel $(JOBS)
	@python3 -B playground/build.py $(BUILD)-playground/warplens.wasm $(BUILD)-playground/page

# MkDocs comes from PyPI, with all that it needs, of the versions that site/requirements.txt names.
site-tools:
	@tools/setup --playground
	@test -x $(BUILD)-site/venv/bin/mkdocs || { python3 -m venv $(BUILD)-site/venv && \
	    $(BUILD)-site/venv/bin/pip install --quiet --requirement site/requirements.txt; }

site: playground site-tools
	@python3 -B site/build.py $(BUILD)-playground/page $(BUILD)-site $(BUILD)-site/venv/bin/mkdocs

format:
	@git ls-files 'src/*.[ch]' 'src/*.js' 'playground/*.[ch]' 'playground/*.mjs' 'tests/*.[ch]' 'include/*.h' 'examples/*.c' 'bench/*.c' | xargs clang-format-14 -i

clean:
	rm -rf $(BUILD) $(BUILD)-deb $(BUILD)-playground $(BUILD)-playground-sources $(BUILD)-site
