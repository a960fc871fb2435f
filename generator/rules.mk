# SPDX-License-Identifier: GPL-3.0-or-later
# Everything but cli/ is a library, so that tests link the same objects.
GENERATOR_CLI := $(wildcard generator/cli/*.c)
GENERATOR_SRC := $(filter-out $(GENERATOR_CLI),$(wildcard generator/*/*.c))
# In the order of who needs whom.
LIBS_OWN := $(LIB)/libcgctcuda.a $(LIB)/libcgctgen.a $(LIB)/libcgctab.a $(LIB)/libcgctformat.a

$(LIB)/libcgctgen.a: $(GENERATOR_SRC:%.c=$(OBJ)/%.o)
	$(archive)

# The script that `slurm` fills in travels in the program, without its licence line.
SLURM_TEXT := $(OBJ)/generator/cli/slurm_template
$(SLURM_TEXT).c: generator/cli/slurm.template generator/rules.mk
	@mkdir -p $(@D)
	$(call say,TEXT,$@)
	$(Q){ echo 'const char cli_slurm_template[] = {'; sed '/SPDX/d' $< | od -An -v -tu1 | sed 's/[0-9]\{1,\}/&,/g'; \
	  echo '0};'; } > $@
$(SLURM_TEXT).o: $(SLURM_TEXT).c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_generator) -c -o $@ $<

$(BIN)/cgctab-generate: $(GENERATOR_CLI:%.c=$(OBJ)/%.o) $(SLURM_TEXT).o $(LIBS_OWN)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS_OWN) $(LIBS_CUDA) $(LIBS_GENERATOR)

GENERATOR_FILES += $(BIN)/cgctab-generate
# Its sums are products of matrices, as in BLAS; nothing there depends on single roundings.
$(OBJ)/generator/three/tile.o: private CFLAGS_generator += -ffp-contract=fast

# The gnuplot scripts of 'cgctab-generate validate' travel in the program: plots/NAME.gp is the array
# plot_NAME (cli/validate_study.h).
PLOTS := $(wildcard generator/cli/plots/*.gp)
define plot_text
{ printf 'const char plot_%s[] = {' $(basename $(notdir $(1))); \
  sed '/SPDX/d' $(1) | od -An -v -tu1 | sed 's/[0-9]\{1,\}/&,/g'; echo '0};'; } >> $@;
endef
$(OBJ)/generator/cli/plots.c: $(PLOTS) generator/rules.mk
	@mkdir -p $(@D)
	$(call say,TEXT,$@)
	$(Q)echo '#include "cli/validate_study.h"' > $@; $(foreach p,$(PLOTS),$(call plot_text,$p))
$(OBJ)/generator/cli/plots.o: $(OBJ)/generator/cli/plots.c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_generator) -c -o $@ $<
$(BIN)/cgctab-generate: $(OBJ)/generator/cli/plots.o
