# SPDX-License-Identifier: GPL-3.0-or-later
# The three-momentum transform on a device: plain C that loads NVRTC, cuBLAS and the driver at run
# time, hence built with and without nvcc.  The texts that NVRTC is given travel in the program.
THREE_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard cuda/three_*.c))
THREE_TEXTS := $(addprefix generator/three/three_,user.h integrand.h kernel.h gaussian.cu)

# name_of(path): generator/three/three_user.h -> user
three_name = $(patsubst three_%,%,$(basename $(notdir $(1))))
define three_text
{ printf 'const char three_text_%s[] = {' $(call three_name,$(1)); \
  od -An -v -tu1 $(1) | sed 's/[0-9]\{1,\}/&,/g'; echo '0};'; } >> $@;
endef
$(OBJ)/cuda/three_texts.c: $(THREE_TEXTS) cuda/three.mk
	@mkdir -p $(@D)
	$(call say,TEXT,$@)
	$(Q)echo '#include "three_compile.h"' > $@; $(foreach t,$(THREE_TEXTS),$(call three_text,$t))
$(OBJ)/cuda/three_texts.o: $(OBJ)/cuda/three_texts.c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_cuda) -Icuda -c -o $@ $<

$(LIB)/libcgctcuda.a: $(THREE_OBJ) $(OBJ)/cuda/three_texts.o
