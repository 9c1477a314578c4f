# The front door. Every target does its own set-up and may be run again at any time.
#   make demo      train on the OpenCL device, then on the CPU, and compare (under 20 minutes on 2 cores)
#   make test      what CI runs (under 30 minutes on 2 cores)
#   make test-all  every test: the CPU drivers whole, sanitizers, clang, memory and race checks (hours)
#   make dev       what a change of C++ wants: the library with its tests in build/dev, the wheel in .venv
#   make bench     this machine's speed beside OpenBLAS and TensorFlow's CPU
#   make matrix    one wheel with every TensorFlow that it promises to work with
#   make wheel     dist/*.whl with the bridges of all TensorFlow versions that need one
#   make format    clang-format over C++ (OpenCL C, whose macros it would break, is laid out by hand)
# PYTHON chooses the interpreter of the checkout's .venv, TENSORFLOW what is installed into it.
PYTHON ?= python3
TENSORFLOW ?= tensorflow-cpu==2.21.0
VENV := $(CURDIR)/.venv
BIN := $(VENV)/bin

# No rules but those below: to make, the folder src/runtime/trial beside trial.cpp is a program to be built.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# ccache takes paths relative to the checkout, so that clones share objects.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

SOURCES := $(shell find CMakeLists.txt cmake include src plugins python tuning tests/CMakeLists.txt tests/check tests/runtime \
             pyproject.toml README.md LICENSE -not -name '*.pyc' -not -name '__pycache__' 2> /dev/null)

.PHONY: help demo test test-all dev bench matrix wheel format clean FORCE system-demo system-test system-all
help:
	@sed -n '2,/^# PYTHON/s/^# \{0,1\}//p' Makefile

system-demo system-test system-all: system-%:
	@tools/setup/system.sh $*

$(VENV)/state: FORCE | system-demo
	@tools/setup/python.sh $(VENV) '$(TENSORFLOW)' $(PYTHON)

# Intel's FPGA emulator: OpenCL 1.2 and no more, of device type ACCELERATOR.
$(VENV)-emulator/ready: tools/setup/requirements-emulator.txt
	@echo "Setting up $(@D)"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --no-compile -r $<
	@touch $@

# The wheel for this .venv's TensorFlow, installed into it. The second tree also holds the C++ tests.
build/installed: $(VENV)/state $(SOURCES)
	@tools/wheel.sh $(BIN)/python build/dist
	@$(BIN)/python -m pip install --quiet --force-reinstall --no-deps build/dist/*.whl
	@touch $@

build/tests: $(VENV)/state $(SOURCES) | system-test
	@cmake --preset dev -B build/test -DOCLDNN_TENSORFLOW=OFF > build/test.log || { cat build/test.log; exit 1; }
	@ninja -C build/test --quiet
	@touch $@

demo: build/installed
	@$(BIN)/python tools/demo.py

test: build/installed build/tests
	@$(BIN)/python tools/run_tests.py

test-all: system-all build/installed build/tests $(VENV)-emulator/ready
	@$(BIN)/python tools/run_tests.py --all

# After the wheel: by then .venv has the headers of TensorFlow, without which build/dev has no plug-in.
dev: build/installed | system-test
	@cmake --preset dev > build/dev.log || { cat build/dev.log; exit 1; }
	@ninja -C build/dev --quiet

bench: system-all build/installed build/tests
	@OCLDNN_DRIVER_FOLDERS=$(VENV)/lib $(BIN)/python bench/run.py --write
	@OCLDNN_DRIVER_FOLDERS=$(VENV)/lib $(BIN)/python bench/steps.py --write
	@OCLDNN_DRIVER_FOLDERS=$(VENV)/lib $(BIN)/python bench/ops.py --write

matrix: wheel
	@$(PYTHON) tools/matrix.py

wheel: $(VENV)/state
	@tools/wheel.sh $(BIN)/python dist 2.19.1 2.20.0 2.21.0

format: $(VENV)/state
	@git ls-files '*.cpp' '*.hpp' '*.c' | xargs $(BIN)/clang-format -i

clean:
	rm -rf build dist out
