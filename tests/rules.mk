# SPDX-License-Identifier: GPL-3.0-or-later
# One program per tests/test_*.c; LONG=1 adds tests/long_*.c.  TEST=name runs only tests/test_name.c.
TEST ?= *
LONG ?=
TEST_SKIP ?=
# Under sanitizers these take minutes and exercise no parsing of foreign bytes.
# test_bindings installs and links with plain flags.
ASAN_SKIP ?= bindings
TEST_SRC := $(wildcard $(TEST:%=tests/test_%.c)) $(if $(LONG),$(wildcard tests/long_*.c))
TEST_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(filter-out $(TEST_SKIP:%=tests/test_%.c),$(TEST_SRC)))
BENCH_BIN := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

define link_test
@mkdir -p $(@D)
$(call say,LD,$@)
$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(LIBS_OWN) -Wl,--end-group \
  $(LIBS_CUDA) $(LIBS_CHECK) $(LIBS_GENERATOR)
endef

$(BUILD)/tests/%: $(OBJ)/tests/%.o $(LIBS_OWN)
	$(link_test)
$(BUILD)/bench/%: $(OBJ)/tests/bench/%.o $(LIBS_OWN)
	$(link_test)

check-run: export CHECK_LONG := $(LONG)
check-run: all $(TEST_BIN)
	@bash tests/run_checks.sh $(TEST_BIN)
bench-run: all $(BENCH_BIN)
	@set -e; for b in $(BENCH_BIN); do $$b; done

.PHONY: check-run bench-run
