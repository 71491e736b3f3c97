# The two commands are `make run` and `make test`; the rest is for work on weir itself.

BUILD ?= build
BUILD_TYPE ?= RelWithDebInfo
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
MAKEFLAGS += --no-print-directory
# For a new build folder: Ninja where it is installed, which takes less time over many small steps.
CMAKE_GENERATOR ?= $(if $(shell command -v ninja 2> /dev/null),Ninja,Unix Makefiles)

# `make run` and `make test` need no kernels for GPUs that are not here.
COMPLETE = ON
run test: COMPLETE = OFF

.PHONY: help run test test-all build configure install uninstall deb release format tidy clean setup

help:
	@echo 'make run                  install what is missing, build the program, measure this machine: a report page'
	@echo 'make test                 install what is missing, build, run what must pass before a push'
	@echo 'make test-all             the rest of the tests: delays, sanitizers, full sizes, packages, ...'
	@echo 'make build                only build'
	@echo 'make install PREFIX=DIR   build and install (PREFIX is $(PREFIX))'
	@echo 'make uninstall            remove what make install has installed'
	@echo 'make deb                  make Debian packages in $(BUILD)/packages'
	@echo 'make release              make and check all packages of this version in $(BUILD)/release'
	@echo 'make format               put the sources into the style of .clang-format'
	@echo 'make tidy                 look for mistakes with clang-tidy'
	@echo 'make clean                remove $(BUILD)'
	@echo
	@echo 'WEIR_SETUP=no             install nothing'
	@echo 'BUILD=DIR BUILD_TYPE=Debug JOBS=N CMAKE_OPTIONS="-DWEIR_CUDA=OFF"'

# Without the tests, which take most of the time of a build.
run: configure
	@tools/build-quietly cmake --build $(BUILD) -j $(JOBS) --target weir_command
	@$(BUILD)/weir report -o $(BUILD)/report.html

# One more test than processors: some wait most of the time. Where processes are limited, only as many as stay below:
# three tests start up to 400 processes and threads.
at_once = $$(bash -c 'ulimit -u' | awk '{ n = $(JOBS) + 1; most = int($$1 / 160); print($$1 == "unlimited" || n < most ? n : most > 1 ? most : 1) }')
run_tests = ctest --test-dir $(BUILD) --output-on-failure --output-junit tests.xml -j $(at_once) $(1); \
	status=$$?; tools/skipped $(BUILD)/tests.xml; exit $$status

test: build
	@$(call run_tests,-LE '^all$$')

test-all: build
	@cmake --build $(BUILD) -j $(JOBS) --target weir_tests_all
	@$(call run_tests,-L '^all$$')

configure: setup
	@CMAKE_GENERATOR='$(CMAKE_GENERATOR)' cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=$(BUILD_TYPE) \
		-DWEIR_CUDA_COMPLETE=$(COMPLETE) $(CMAKE_OPTIONS) > /dev/null

build: configure
	@cmake --build $(BUILD) -j $(JOBS)

# Tests install, too, and then write another manifest: this one is for `make uninstall`.
install: build
	@cmake --install $(BUILD) --prefix "$(PREFIX)"
	@cp $(BUILD)/install_manifest.txt $(BUILD)/installed.txt

uninstall:
	@tools/uninstall $(BUILD)/installed.txt

deb: build
	@tools/make-deb $(BUILD) $(BUILD)/packages

release: build
	@tools/release $(BUILD) $(BUILD)/release

setup:
	@[ "$(WEIR_SETUP)" = no ] || tools/setup

format:
	@tools/style format

tidy: build
	@ctest --test-dir $(BUILD) --output-on-failure -L tidy -j $(JOBS)

clean:
	@rm -rf $(BUILD)
