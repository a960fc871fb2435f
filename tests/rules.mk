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

FUZZ_TARGETS := open eval meta
FUZZ_COMMON := tests/fuzz/common.c $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%.c)

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
$(BUILD)/tests/reader/test_fuzz: $(FUZZ_COMMON:%.c=$(OBJ)/%.o)
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
$(BUILD)/bench/bench_events: $(filter-out %/main.o,$(EVENTS_OBJ))
$(BUILD)/bench/bench_events: private LDFLAGS += -pthread
$(BUILD)/bench/bench_events: private LIBS_CUDA += $(LIBS_EVENTS)

# They run where Check is not installed, too.
$(BUILD)/bench/% $(BUILD)/gpu/%: private LIBS_CHECK :=

$(BUILD)/gpu/%: $(OBJ)/tests/gpu/%.o $(LIBS_OWN)
	$(link_test)
check-gpu-run: $(BUILD)/gpu/check_gpu
	@$(BUILD)/gpu/check_gpu $(DEVICE)
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

# Fuzzing: the reader's sources with the sanitizers, in a program per target.  The same sources serve
# libFuzzer (clang) and AFL++ (afl-clang-fast); where neither is installed, run.sh says so.
FUZZ_SECONDS ?= 20
FUZZ_CC ?= clang
FUZZ_SAN := -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZ_SRC := $(READER_SRC) format/crc64.c $(FUZZ_COMMON) tests/fuzz/entry.c
fuzz_build = $(Q)mkdir -p $(@D) && $(1) $(ROOMS) -Itests -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 $(2) \
  -DTESTS_DIR='"$(abspath tests)"' -DFUZZ_TARGET=$(@F) -o $@ $(FUZZ_SRC) -lm

$(BUILD)/fuzz/libfuzzer/fuzz_%: $(FUZZ_SRC) $(READER_HEADERS) tests/fuzz/fuzz.h
	$(call say,CLANG,$@)
	$(call fuzz_build,$(FUZZ_CC),$(FUZZ_SAN))
$(BUILD)/fuzz/afl/fuzz_%: $(FUZZ_SRC) $(READER_HEADERS) tests/fuzz/fuzz.h
	$(call say,AFL,$@)
	$(call fuzz_build,AFL_QUIET=1 afl-clang-fast,-fsanitize=fuzzer)

fuzz-libfuzzer: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/libfuzzer/fuzz_%)
fuzz-afl: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/afl/fuzz_%)
fuzz: deps ## every fuzz target for FUZZ_SECONDS=20 under libFuzzer and AFL++, where there is clang
	@MAKE='$(MAKE)' BUILD='$(BUILD)' bash tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

.PHONY: check-gpu-run bench-gpu-run check-gpu-sanitizer-run check-run bench-run bench-reader-run fuzz fuzz-libfuzzer fuzz-afl
