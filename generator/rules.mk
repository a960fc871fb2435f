# SPDX-License-Identifier: GPL-3.0-or-later
# Everything but cli/ is a library, so that tests link the same objects.
GENERATOR_CLI := $(wildcard generator/cli/*.c)
FILON := generator/numerics/make_filon_rules
GENERATOR_SRC := $(filter-out $(GENERATOR_CLI) $(FILON).c,$(wildcard generator/*/*.c))
# In the order of who needs whom.
LIBS_OWN := $(LIB)/libcgctcuda.a $(LIB)/libcgctgen.a $(LIB)/libcgctab.a $(LIB)/libcgctformat.a

$(LIB)/libcgctgen.a: $(GENERATOR_SRC:%.c=$(OBJ)/%.o) $(OBJ)/$(FILON)_out.o
	$(archive)

# A program of the build prints the quadrature rules of Filon weights.
$(OBJ)/$(FILON)_out.c: $(OBJ)/$(FILON).o
	$(call say,RUN,$(FILON))
	$(Q)$(CC) $(LDFLAGS) -o $(OBJ)/$(FILON) $< -fopenmp -lm && $(OBJ)/$(FILON) > $@
$(OBJ)/$(FILON)_out.o: $(OBJ)/$(FILON)_out.c $(OBJ)/flags
	$(Q)$(CC) $(CFLAGS_generator) -c -o $@ $<

# The script that `slurm` fills in, and the gnuplot scripts of `plot`.
$(eval $(call embed,generator/cli,generator/cli/slurm.template $(wildcard generator/cli/plots/*.gp)))

$(BIN)/cgctab-generate: $(GENERATOR_CLI:%.c=$(OBJ)/%.o) $(OBJ)/generator/cli/texts.o $(LIBS_OWN)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS_OWN) $(LIBS_CUDA) $(LIBS_GENERATOR)

GENERATOR_FILES += $(BIN)/cgctab-generate
# Its sums are products of matrices, as in BLAS; nothing there depends on single roundings.
$(OBJ)/generator/three/tile.o: private CFLAGS_generator += -ffp-contract=fast
