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

ifneq ($(filter off none,$(CUDA_MODE)),)
CUDA_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard cuda/*.c))
LIBS_CUDA :=
else
CUDA_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out %/gpu_none.c,$(wildcard cuda/*.c))) \
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

# Integrands of three momenta are compiled at run time: the texts that NVRTC is given travel in the
# program, as arrays of characters.
THREE_TEXTS := $(addprefix generator/three/three_,user.h integrand.h kernel.h gaussian.cu)

# three_name(path): generator/three/three_user.h -> user
three_name = $(patsubst three_%,%,$(basename $(notdir $(1))))
define three_text
{ printf 'const char three_text_%s[] = {' $(call three_name,$(1)); \
  od -An -v -tu1 $(1) | sed 's/[0-9]\{1,\}/&,/g'; echo '0};'; } >> $@;
endef
$(OBJ)/cuda/three_texts.c: $(THREE_TEXTS) cuda/rules.mk
	@mkdir -p $(@D)
	$(call say,TEXT,$@)
	$(Q)echo '#include "three_compile.h"' > $@; $(foreach t,$(THREE_TEXTS),$(call three_text,$t))
$(OBJ)/cuda/three_texts.o: $(OBJ)/cuda/three_texts.c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_cuda) -Icuda -c -o $@ $<

$(LIB)/libcgctcuda.a: $(CUDA_OBJ) $(OBJ)/cuda/three_texts.o $(OBJ)/cuda_mode
	$(archive)

CUDA_FILES += $(LIB)/libcgctcuda.a
