# SPDX-License-Identifier: GPL-3.0-or-later
# With nvcc: CUDA sources for the listed architectures, and PTX of the last one for newer devices.
# Without it, or with CUDA=0: gpu_none.c, which has the functions of gpu.cu and says why there is no device.
CUDA_ARCH ?= 80 86 89 90
NVCC ?= $(shell command -v nvcc 2>/dev/null || ls /usr/local/cuda/bin/nvcc 2>/dev/null)

ifeq ($(CUDA),0)
CUDA_MODE := off
CUDA_NOTE := CUDA: switched off (CUDA=0), building without it
else ifeq ($(NVCC),)
CUDA_MODE := none
CUDA_NOTE := CUDA: nvcc not found, building without it
else
CUDA_MODE := $(CUDA_ARCH)
CUDA_NOTE := CUDA: $(NVCC), architectures $(CUDA_ARCH) (CUDA=0 builds without)
endif

CUDA_SRC := $(filter-out cuda/make_bessel_lookup.c,$(wildcard cuda/*.c))
ifneq ($(filter off none,$(CUDA_MODE)),)
CUDA_OBJ := $(CUDA_SRC:%.c=$(OBJ)/%.o)
LIBS_CUDA :=
else
CUDA_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out %/gpu_none.c,$(CUDA_SRC))) \
  $(patsubst %.cu,$(OBJ)/%.cu.o,$(wildcard cuda/*.cu))
CUDA_HOME := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v $(NVCC))))
CUDA_GENCODE := $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCH)),code=compute_$(lastword $(CUDA_ARCH))
LIBS_CUDA := $(addprefix -L,$(wildcard $(CUDA_HOME)/lib64 $(CUDA_HOME)/lib/x86_64-linux-gnu)) \
  -lcudart_static -ldl -lrt -lpthread
# Nothing of the C++ library is needed, so that a C compiler links.
NVCC_FLAGS := -std=c++17 -O3 $(ROOMS) -Xcompiler -Wall,-Wextra,-fno-exceptions,-fno-threadsafe-statics
$(OBJ)/cuda/libraries.o: private CFLAGS_cuda += -DCUDA_HOME_BUILT='"$(CUDA_HOME)"'
endif

$(OBJ)/%.cu.o: %.cu $(OBJ)/cuda_mode
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(NVCC_FLAGS) $(CUDA_GENCODE) -MD -MP -MF $(@:.o=.d) -c -o $@ $<

# Integrands of three momenta are compiled at run time: the texts that NVRTC is given.
$(eval $(call embed,cuda,$(addprefix generator/three/three_,user.h integrand.h kernel.h gaussian.cu)))

# A program of the build prints the tables of Bessel functions.
LOOKUP := $(OBJ)/cuda/make_bessel_lookup
$(LOOKUP)_out.c: $(LOOKUP).o $(OBJ)/cuda/lookup.o $(LIB)/libcgctgen.a $(LIB)/libcgctformat.a
	$(call say,RUN,cuda/make_bessel_lookup)
	$(Q)$(CC) $(LDFLAGS) -o $(LOOKUP) $^ $(LIBS_GENERATOR) && $(LOOKUP) > $@
$(LOOKUP)_out.o: $(LOOKUP)_out.c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_cuda) -Icuda -c -o $@ $<

$(LIB)/libcgctcuda.a: $(CUDA_OBJ) $(LOOKUP)_out.o $(OBJ)/cuda/texts.o $(OBJ)/cuda_mode
	$(archive)

CUDA_FILES += $(LIB)/libcgctcuda.a
