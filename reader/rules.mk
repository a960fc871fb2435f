# SPDX-License-Identifier: MIT
# libcgctab.a, libcgctab.so and the program cgctab.  The library is the sources cgctab_*.c alone; only the
# functions that cgctab.h marks CGCT_API stay visible.
OBJCOPY ?= objcopy
READER_SRC := $(wildcard reader/cgctab_*.c)
READER_OBJ := $(READER_SRC:%.c=$(OBJ)/%.o)
# Command line, lists and words are those of the generator's program, too.
TOOL_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard reader/tool/*.c) \
  $(addprefix format/,command_line.c lists.c words.c error.c))

$(READER_OBJ): private CFLAGS_reader += -fvisibility=hidden

# One object, so that hidden symbols can be made local: no names of ours can clash.
$(OBJ)/reader/libcgctab.o: $(READER_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -r -nostdlib -o $@ $(READER_OBJ)
	$(Q)$(OBJCOPY) --localize-hidden $@
	$(Q)$(OBJCOPY) -w --keep-global-symbol='cgct_*' $@

$(LIB)/libcgctab.a: $(OBJ)/reader/libcgctab.o
	$(archive)

$(LIB)/libcgctab.so.$(SOVERSION): $(READER_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--exclude-libs,ALL -o $@ \
	  $(READER_OBJ) -lm

$(LIB)/libcgctab.so: $(LIB)/libcgctab.so.$(SOVERSION)
	$(Q)ln -sf $(<F) $@

# 'cgctab plot inner' reads INNER.md's files, which zstd has compressed.  READER_ZSTD=0 builds the
# program without it.
READER_ZSTD ?= 1
ifneq ($(READER_ZSTD),0)
ZSTD_A = $(shell $(CC) -print-file-name=libzstd.a)
TOOL_OBJ += $(patsubst %,$(OBJ)/format/%.o,inner_archive inner_unpack crc64 archive tmpfile)
endif
$(OBJ)/reader/tool/plot_inner.o: private CFLAGS_reader += $(if $(ZSTD_A),-DCGCT_WITH_ZSTD)

# The gnuplot scripts of `plot`.
$(eval $(call embed,reader/tool,$(wildcard reader/tool/plots/*.gp)))
TOOL_OBJ += $(OBJ)/reader/tool/texts.o

$(BIN)/cgctab: $(TOOL_OBJ) $(LIB)/libcgctab.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(ZSTD_A) -lm

$(OBJ)/reader/examples/evaluate.o: private CFLAGS_reader += -Ireader
$(BUILD)/examples/evaluate: $(OBJ)/reader/examples/evaluate.o $(LIB)/libcgctab.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lm

# The public header for copies outside of this tree: the statuses are pasted into it.
PUBLIC_HEADER := $(BUILD)/include/cgctab.h
$(PUBLIC_HEADER): reader/cgctab.h format/status.h
	@mkdir -p $(@D)
	$(Q)sed -e '/^#include ".*status\.h"/r format/status.h' -e '//d' $< > $@

READER_FILES += $(PUBLIC_HEADER) $(LIB)/libcgctab.a $(LIB)/libcgctab.so $(BIN)/cgctab $(BUILD)/examples/evaluate

# The reader as a user copies it: the header and the sources; evaluate.c is an example.
DIST_READER := $(BUILD)/dist-reader
DIST_FLAGS := $(WARN) -Werror -O2
dist-reader-files: $(PUBLIC_HEADER)
	$(Q)rm -rf $(DIST_READER) && mkdir -p $(DIST_READER)
	$(Q)cp $(PUBLIC_HEADER) $(READER_SRC) reader/examples/evaluate.c $(DIST_READER)
	$(Q)cd $(DIST_READER) && sed -i 's|<cgctab.h>|"cgctab.h"|' *.c
dist-reader: dist-reader-files ## the reader as sources to copy, checked as C and as C++
	$(Q)cd $(DIST_READER) && $(CC) -std=c11 $(DIST_FLAGS) -o evaluate *.c -lm && rm evaluate
	$(Q)cd $(DIST_READER) && if command -v g++ >/dev/null; then \
	  g++ -std=c++17 $(DIST_FLAGS) -x c++ -o evaluate *.c -lm && rm evaluate; \
	  else echo 'dist-reader: not compiled as C++, no g++'; fi
	@echo $(DIST_READER)
.PHONY: dist-reader dist-reader-files
