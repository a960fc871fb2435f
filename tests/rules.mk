# SPDX-License-Identifier: GPL-3.0-or-later
# One program per tests/*/test_*.c.  TEST=name runs only test_name.c.
TEST ?= *
LONG ?=
TEST_SKIP ?=
# Under sanitizers these take minutes and exercise no parsing of foreign bytes.
# test_bindings and test_install install and link with plain flags; test_dis_weights loads the library
# into Python, which has no sanitizer.
ASAN_SKIP ?= bindings install dis_weights
TEST_SRC := $(wildcard $(TEST:%=tests/*/test_%.c))
TEST_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(filter-out $(addprefix %/,$(TEST_SKIP:%=test_%.c)),$(TEST_SRC)))
BENCH_BIN := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

# The fuzz targets, and the parts of the programs that they call.
FUZZ_TARGETS := $(notdir $(wildcard tests/fuzz/corpus/*))
FUZZ_OBJ := $(patsubst %.c,$(OBJ)/%.o,tests/fuzz/common.c $(wildcard tests/fuzz/fuzz_*.c) \
  $(addprefix generator/cli/,common.c solutions.c)) \
  $(filter-out %/main.o $(OBJ)/format/%,$(EVENTS_OBJ) $(TOOL_OBJ))

define link_test
@mkdir -p $(@D)
$(call say,LD,$@)
$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS_CUDA) $(LIBS_CHECK) $(LIBS_GENERATOR)
endef

# Slow routes to which tests and studies compare, with the flags of the generator.
ORACLE := $(LIB)/liboracle.a
$(ORACLE): $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/oracle/*.c))
	$(archive)
$(OBJ)/tests/oracle/%.o: private CFLAGS_tests := $(CFLAGS_generator) -Itests

# A dipole of the program's own evolution, for tests that read a file.
EVOLVED := $(BUILD)/tests/evolved.dat
$(EVOLVED): $(wildcard generator/dipole/bk*.c) | $(BIN)/cgctab-generate
	@mkdir -p $(@D)
	$(call say,EVOLVE,$@)
	$(Q)$(BIN)/cgctab-generate evolve --dipole bk:mve --set axes.x=1e-4 --set dipole.refine=0.5 --no-cache -o $@

$(BUILD)/tests/%: $(OBJ)/tests/%.o $(ORACLE) $(LIBS_OWN) | $(EVOLVED)
	$(link_test)
$(BUILD)/tests/reader/test_sha256: $(OBJ)/reader/tool/sha256.o
$(BUILD)/tests/reader/test_decimal: $(OBJ)/reader/events/decimal.o
$(BUILD)/tests/reader/test_photons: $(OBJ)/reader/events/photon.o
$(BUILD)/tests/reader/test_pdf: $(OBJ)/reader/events/pdf.o
$(BUILD)/tests/fuzz/test_fuzz: $(FUZZ_OBJ)
$(BUILD)/tests/fuzz/test_fuzz $(BUILD)/fuzz/fuzz: private LIBS_CUDA := $(LIB)/libcgctcuda.a $(LIBS_CUDA) $(LIBS_EVENTS)
$(BUILD)/bench/%: $(OBJ)/tests/bench/%.o $(LIBS_OWN) | $(EVOLVED)
	$(link_test)

# The program cgctab-studies: its own parts and those of cgctab-generate but for its main.
STUDIES := $(BUILD)/tests/studies/cgctab-studies
STUDIES_SRC := $(filter-out %/test_studies.c,$(wildcard tests/studies/*.c))
$(eval $(call embed,tests/studies,$(wildcard tests/studies/plots/*.gp)))
$(STUDIES): $(STUDIES_SRC:%.c=$(OBJ)/%.o) $(OBJ)/tests/studies/texts.o $(OBJ)/generator/cli/texts.o \
  $(filter-out %/main.o,$(GENERATOR_CLI:%.c=$(OBJ)/%.o)) $(ORACLE) $(LIBS_OWN)
	$(link_test)
$(STUDIES): private LIBS_CHECK :=
$(BUILD)/tests/studies/test_studies: | $(STUDIES)

# The parts of the program cgctab-events.
WITH_EVENTS := $(BUILD)/bench/bench_events $(BUILD)/tests/reader/test_pa_events
$(WITH_EVENTS): $(filter-out %/main.o,$(EVENTS_OBJ))
$(WITH_EVENTS): private LDFLAGS += -pthread
$(WITH_EVENTS): private LIBS_CUDA += $(LIBS_EVENTS)

# They run where Check is not installed, too.
$(BUILD)/bench/% $(BUILD)/gpu/%: private LIBS_CHECK :=

$(BUILD)/gpu/%: $(OBJ)/tests/gpu/%.o $(LIBS_OWN)
	$(link_test)
check-gpu-run: $(BUILD)/gpu/check_gpu $(BIN)/cgctab-generate
	@bash tests/gpu/check.sh $(BUILD)/gpu/check_gpu $(BIN) $(DEVICE)
bench-gpu-run: $(BUILD)/gpu/bench_gpu
	@$(BUILD)/gpu/bench_gpu $(DEVICE)
check-gpu-sanitizer-run: $(BUILD)/gpu/check_gpu
	@sh tests/gpu/sanitizer.sh $(BUILD)/gpu/check_gpu $(DEVICE)

check-run: export CHECK_LONG := $(LONG)
check-run: all $(TEST_BIN)
	@CHECK_TAKES='$(if $(filter-out *,$(TEST)),,$(CHECK_TAKES))' bash tests/run_checks.sh $(TEST_BIN)
bench-run: all $(BENCH_BIN)
	@set -e; for b in $(BENCH_BIN); do $$b; done
bench-reader-run: $(BUILD)/bench/bench_reader
	@$(BUILD)/bench/bench_reader

# Fuzzing: all sources once more in a folder of their own, with the sanitizers, and one program of all
# targets.  It serves libFuzzer (clang) and AFL++ (afl-clang-fast); where neither is installed, run.sh
# says so.
FUZZ_SECONDS ?= 20
FUZZ_SAN := fuzzer-no-link,address,undefined
fuzz_make = @+$(MAKE) $(many) --no-print-directory BUILD=$(BUILD)/fuzz/$(1) CUDA=0 CC=$(2) SANITIZE=$(3) \
  fuzz-program
$(BUILD)/fuzz/fuzz: $(OBJ)/tests/fuzz/entry.o $(FUZZ_OBJ) $(LIBS_OWN)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIBS_OWN) $(LIBS_CUDA) $(LIBS_GENERATOR)
fuzz-program: $(BUILD)/fuzz/fuzz
fuzz-libfuzzer:
	$(call fuzz_make,libfuzzer,clang,$(FUZZ_SAN))
fuzz-afl:
	$(call fuzz_make,afl,afl-clang-fast,)
fuzz: deps ## every fuzz target for FUZZ_SECONDS=20 under libFuzzer and AFL++, where there is clang
	@MAKE='$(MAKE)' BUILD='$(BUILD)' bash tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

.PHONY: check-gpu-run bench-gpu-run check-gpu-sanitizer-run check-run bench-run bench-reader-run fuzz fuzz-program fuzz-libfuzzer fuzz-afl
