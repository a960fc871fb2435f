# SPDX-License-Identifier: MIT
# libcgctab.a, libcgctab.so and the program cgctab.  zstd's decoder is linked in from libzstd.a and
# only the functions that cgctab.h marks CGCT_API stay visible.  READER_ZSTD=0 builds without zstd.
READER_ZSTD ?= 1
OBJCOPY ?= objcopy
READER_FORMAT_SRC := $(addprefix format/,error.c crc64.c header.c codec.c predicted_unpack.c \
  sections.c tmpfile.c)
READER_SRC := $(wildcard reader/cgctab*.c) $(READER_FORMAT_SRC)
READER_OBJ := $(READER_SRC:%.c=$(OBJ)/%.o)
READER_HEADERS := $(wildcard reader/*.h) \
  $(addprefix format/,codec.h crc64.h elementary.h error.h header.h layout.h predicted.h sections.h \
  tmpfile.h vectors.h)
# Command line, lists and words are those of the generator's program, too.
TOOL_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard reader/tool/*.c) \
  $(addprefix format/,command_line.c lists.c words.c error.c))

READER_VISIBILITY := -fvisibility=hidden
ifeq ($(READER_ZSTD),0)
ZSTD_A :=
else
READER_VISIBILITY += -DCGCT_WITH_ZSTD
ZSTD_A = $(shell $(CC) -print-file-name=libzstd.a)
endif
$(READER_OBJ): private CFLAGS_reader += $(READER_VISIBILITY)
$(READER_OBJ): private CFLAGS_format += $(READER_VISIBILITY)

# One object, so that hidden symbols can be made local: neither zstd's names nor ours can clash.
$(OBJ)/reader/libcgctab.o: $(READER_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -r -nostdlib -o $@ $(READER_OBJ) $(ZSTD_A)
	$(Q)$(OBJCOPY) --localize-hidden $@
	$(Q)$(OBJCOPY) -w --keep-global-symbol='cgct_*' $@

$(LIB)/libcgctab.a: $(OBJ)/reader/libcgctab.o
	$(archive)

$(LIB)/libcgctab.so.$(SOVERSION): $(READER_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--exclude-libs,ALL -o $@ \
	  $(READER_OBJ) $(ZSTD_A) -lm

$(LIB)/libcgctab.so: $(LIB)/libcgctab.so.$(SOVERSION)
	$(Q)ln -sf $(<F) $@

# 'cgctab plot inner' reads INNER.md's files, whose decoder is no part of the library.
ifneq ($(READER_ZSTD),0)
TOOL_OBJ += $(patsubst %,$(OBJ)/format/%.o,inner_archive inner_unpack crc64 header sections tmpfile)
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

# The reader as one folder of .c and .h files, evaluate.c is the program: cc -std=c11 *.c -lm, or
# cc -std=c11 -DCGCT_WITH_ZSTD *.c -lzstd -lm.
DIST_READER := $(BUILD)/dist-reader
DIST_FLAGS := $(WARN) -Werror -O2
dist-reader-files: $(PUBLIC_HEADER)
	$(Q)rm -rf $(DIST_READER) && mkdir -p $(DIST_READER)
	$(Q)for f in $(READER_SRC) $(READER_HEADERS) reader/examples/evaluate.c; do \
	  sed 's|#include "\.\./[a-z]*/|#include "|; s|<cgctab.h>|"cgctab.h"|' $$f > $(DIST_READER)/$${f##*/}; done
	$(Q)cp $(PUBLIC_HEADER) $(DIST_READER)
	$(Q)sed -i 's|#include "status.h"|#include "cgctab.h"|' $(DIST_READER)/error.h
dist-reader: dist-reader-files ## the reader as a flat folder of sources, checked as C and as C++
	$(Q)cd $(DIST_READER) && $(CC) -std=c11 $(DIST_FLAGS) -o evaluate *.c -lm && rm evaluate
	$(Q)cd $(DIST_READER) && if command -v g++ >/dev/null; then \
	  g++ -std=c++17 $(DIST_FLAGS) -x c++ -o evaluate *.c -lm && rm evaluate; \
	  else echo 'dist-reader: not compiled as C++, no g++'; fi
	@echo $(DIST_READER)
.PHONY: dist-reader dist-reader-files
