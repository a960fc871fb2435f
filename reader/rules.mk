# SPDX-License-Identifier: MIT
# libcgctab.a, libcgctab.so and the program cgctab.  Only the functions that cgctab.h marks CGCT_API
# stay visible.
OBJCOPY ?= objcopy
READER_SRC := $(wildcard reader/cgctab_*.c)
READER_OBJ := $(READER_SRC:%.c=$(OBJ)/%.o)
READER_HEADERS := reader/cgctab.h format/status.h
# Command line, lists, rows and words are those of the generator's program, too.
TOOL_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard reader/tool/*.c) \
  $(addprefix format/,gnuplot.c command_line.c lists.c rows.c words.c error.c safe_text.c tmpfile.c))

$(READER_OBJ): private CFLAGS_reader += -fvisibility=hidden
# Names of tables are looked for in the folder of the installed ones, too.
$(OBJ)/reader/cgctab_table.o: private CFLAGS_reader += -DCGCT_DATA_DIR='"$(DATA_DIR)"'
$(OBJ)/reader/cgctab_table.o: $(OBJ)/data_dir

# One object, so that hidden symbols can be made local: our names cannot clash with others.
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
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $(READER_OBJ) -lm

$(LIB)/libcgctab.so: $(LIB)/libcgctab.so.$(SOVERSION)
	$(Q)ln -sf $(<F) $@

# 'cgctab plot inner' reads INNER.md's files, which zstd has compressed.  READER_ZSTD=0 builds the
# program without it, and so does the absence of zstd's header.
READER_ZSTD := $(or $(READER_ZSTD),$(if $(strip $(call flag,-include zstd.h)),1,0))
ifneq ($(READER_ZSTD),0)
ZSTD_A = $(shell $(CC) -print-file-name=libzstd.a)
TOOL_OBJ += $(patsubst %,$(OBJ)/format/%.o,inner_archive inner_unpack chunks)
endif
$(OBJ)/reader/tool/plot_inner.o: private CFLAGS_reader += $(if $(ZSTD_A),-DCGCT_WITH_ZSTD)

# The reader for browsers, in the pages of 'cgctab explore'.  READER_WASM=0 builds the program without
# it, and so does the absence of clang, lld, wasi-libc or clang's functions for this target.
WASM_CC := clang --target=wasm32-wasi
READER_WASM := $(or $(READER_WASM),$(shell command -v wasm-ld >/dev/null && \
  [ -e "$$($(WASM_CC) --rtlib=compiler-rt -print-libgcc-file-name 2>/dev/null)" ] && \
  echo '#include <math.h>' | $(WASM_CC) -E - >/dev/null 2>&1 && echo 1 || echo 0))
WASM := $(OBJ)/reader/explore/reader.wasm
# All of it at once, so that what reads files falls away: its exports are the functions that the page
# calls.
$(WASM): $(filter-out %_soft.c,$(READER_SRC)) $(READER_HEADERS) $(addprefix format/,bytes.h crc64.h) $(wildcard reader/explore/*.js)
	@mkdir -p $(@D)
	$(call say,WASM,$@)
	$(Q)$(WASM_CC) -std=c11 $(WARN) -O2 -flto -msimd128 -mbulk-memory -mexec-model=reactor -o $@ $(filter %.c,$^) \
	  -Wl,--strip-all $$(grep -oh 'wasm\.[a-z]*_*[a-zA-Z_]*' reader/explore/*.js | sort -u | \
	  sed -n 's/^wasm\.\(cgct_.*\|malloc\|free\)$$/-Wl,--export=\1/p')
$(WASM).base64: $(if $(filter 0,$(READER_WASM)),,$(WASM)) $(OBJ)/flags
	@mkdir -p $(@D)
	$(Q)$(if $(filter 0,$(READER_WASM)),: > $@,base64 -w 0 $(WASM) > $@)
$(eval $(call embed,reader/explore,$(wildcard $(addprefix reader/explore/*.,html css js)) $(WASM).base64))
TOOL_OBJ += $(OBJ)/reader/explore/texts.o
WASM_NEEDS := clang lld wasi-libc libclang-rt-dev-wasm32
WASM_NOTE := $(if $(filter 0,$(READER_WASM)),@echo "cgctab: built without 'explore': needs $(WASM_NEEDS)")
wasm: $(if $(filter 0,$(READER_WASM)),,$(WASM)) ## the reader as WebAssembly, with clang, lld and wasi-libc
	@$(if $(filter 0,$(READER_WASM)),echo 'make wasm: needs $(WASM_NEEDS)' >&2; exit 1,wc -c $<)
.PHONY: wasm

ZSTD_NOTE := $(if $(filter 0,$(READER_ZSTD)),@echo "cgctab: no zstd.h (libzstd-dev): built without 'plot inner'")

# The gnuplot scripts of `plot`.
$(eval $(call embed,reader/tool,$(wildcard reader/tool/plots/*.gp)))
TOOL_OBJ += $(OBJ)/reader/tool/texts.o

$(BIN)/cgctab: $(TOOL_OBJ) $(LIB)/libcgctab.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(ZSTD_A) -lm

# Events from a table.
# NAME.gz is written where zlib's header and library are there; READER_ZLIB=0 builds without.
READER_ZLIB := $(or $(READER_ZLIB),$(if $(strip $(call flag,-include zlib.h)),$(if $(filter /%,$(shell $(CC) \
  -print-file-name=libz.so)),1,0),0))
$(OBJ)/reader/events/gzip.o: private CFLAGS_reader += -DCGCT_WITH_ZLIB=$(READER_ZLIB)
EVENTS_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard reader/events/*.c) \
  $(addprefix format/,command_line.c lists.c rows.c words.c error.c safe_text.c tmpfile.c))
LIBS_EVENTS := $(if $(filter-out 0,$(READER_ZLIB)),-lz)
$(BIN)/cgctab-events: $(EVENTS_OBJ) $(LIB)/libcgctab.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -pthread -o $@ $^ $(LIBS_EVENTS) -lm

EXAMPLES := $(addprefix $(BUILD)/examples/,evaluate uncertainty v2)
$(OBJ)/reader/examples/%.o: private CFLAGS_reader += -Ireader
$(EXAMPLES): $(BUILD)/examples/%: $(OBJ)/reader/examples/%.o $(LIB)/libcgctab.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lm

# The public header for copies outside of this tree: the statuses are pasted into it.
PUBLIC_HEADER := $(BUILD)/include/cgctab.h
$(PUBLIC_HEADER): reader/cgctab.h format/status.h
	@mkdir -p $(@D)
	$(Q)sed -e '/^#include ".*status\.h"/r format/status.h' -e '//d' $< > $@

READER_FILES += $(PUBLIC_HEADER) $(LIB)/libcgctab.a $(LIB)/libcgctab.so $(BIN)/cgctab $(BIN)/cgctab-events \
  $(EXAMPLES)

# The reader to copy: headers, sources, licence, an example each in C and C++, and a CMakeLists.txt:
# cc -std=c11 evaluate.c cgctab_*.c -lm
DIST_READER := $(BUILD)/dist-reader
DIST_FLAGS := $(WARN) -Werror -O2
dist-reader-files: $(PUBLIC_HEADER)
	$(Q)rm -rf $(DIST_READER) && mkdir -p $(DIST_READER)
	$(Q)cp $(READER_SRC) $(PUBLIC_HEADER) reader/bindings/cgctab.hpp reader/examples/evaluate.c* \
	  $(DIST_READER)
	$(Q)for h in bytes crc64; do sed -i -e "/^#include \".*$$h\.h\"/r format/$$h.h" -e '//d' \
	  $(DIST_READER)/cgctab_table.c || exit 1; done
	$(Q)sed -i 's|<\(cgctab.h.*\)>|"\1"|' $(DIST_READER)/evaluate.c*
	$(Q)sed 's|@VERSION@|$(VERSION)|' reader/bindings/CMakeLists.txt.in > $(DIST_READER)/CMakeLists.txt
	$(Q)sed -n '/^MIT License/s/ (.*//p; /^Copyright/,/^SOFTWARE/p' LICENSE | \
	  sed -e '/^SOFTWARE/q' -e 's/^Copyright/\n&/' > $(DIST_READER)/LICENSE
dist-reader: dist-reader-files ## the reader as sources to copy and an example, checked as C and as C++
	$(Q)cd $(DIST_READER) && $(CC) -std=c11 $(DIST_FLAGS) -o evaluate *.c -lm && rm evaluate
	$(Q)cd $(DIST_READER) && if command -v g++ >/dev/null; then \
	  g++ -std=c++17 $(DIST_FLAGS) -x c++ -o evaluate *.c -lm && rm evaluate && \
	  g++ -std=c++11 $(DIST_FLAGS) -c evaluate.cpp && rm evaluate.o; \
	  else echo 'dist-reader: not compiled as C++, no g++'; fi
	@echo $(DIST_READER)

# What other builds find the library with.  It relocates; in /usr, where compiler and loader look by
# themselves, the pkg-config file names no other folder.
ifeq ($(PREFIX),/usr)
PC_PREFIX := /usr
else
PC_PREFIX := $${pcfiledir}/../..
PC_RPATH := -Wl,-rpath,$${libdir}$() #
endif
define stage_finders
$(Q)for f in cgctab-config:bin cgctab.pc:lib/pkgconfig cgctabConfig.cmake:lib/cmake/cgctab \
  cgctabConfigVersion.cmake:lib/cmake/cgctab; do sed -e 's|@PC_PREFIX@|$(PC_PREFIX)|' \
  -e 's|@PC_RPATH@|$(PC_RPATH)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@SOVERSION@|$(SOVERSION)|' \
  reader/bindings/$${f%%:*}.in > $(1)/$${f##*:}/$${f%%:*} || exit 1; done
$(Q)chmod 755 $(1)/bin/cgctab-config
endef

# The reader alone, installed: needs a C compiler and make.
READER_STAGE := $(BUILD)/stage-reader
stage-reader: $(PUBLIC_HEADER) $(LIB)/libcgctab.a $(LIB)/libcgctab.so
	$(Q)rm -rf $(READER_STAGE)
	$(Q)mkdir -p $(addprefix $(READER_STAGE)/,bin include lib/pkgconfig lib/cmake/cgctab share/man/man3 \
	  share/cgctab/fortran share/cgctab/python share/doc/cgctab/reader/examples)
	$(Q)cp -P $(LIB)/libcgctab.a $(LIB)/libcgctab.so $(LIB)/libcgctab.so.$(SOVERSION) $(READER_STAGE)/lib
	$(Q)cp $(PUBLIC_HEADER) reader/bindings/cgctab.hpp $(READER_STAGE)/include
	$(Q)cp reader/bindings/cgctab.f90 $(READER_STAGE)/share/cgctab/fortran
	$(Q)cp reader/bindings/cgctab.py $(READER_STAGE)/share/cgctab/python
	$(Q)cp reader/examples/*.* $(READER_STAGE)/share/doc/cgctab/reader/examples
	$(Q)cp --parents reader/*.md reader/*.png format/FORMAT.md $(READER_STAGE)/share/doc/cgctab
	$(Q)cp reader/man/cgctab.3 $(READER_STAGE)/share/man/man3
	$(call stage_finders,$(READER_STAGE))
	$(Q)cd $(READER_STAGE) && : > $(MANIFEST) && find . ! -type d | sed 's,^\./,,' | sort > $(MANIFEST)

install-reader: stage-reader ## the library alone, with headers, bindings and manual
	$(call install_from,$(READER_STAGE))
	@echo 'installed the reader under $(DESTDIR)$(PREFIX)'

# The binding and the shared library as one file for pip; needs no more than Python itself.
PYTHON ?= python3
wheel: $(LIB)/libcgctab.so.$(SOVERSION) ## the reader as a Python wheel: pip install build/wheel/*.whl
	@command -v $(PYTHON) >/dev/null || { \
	  echo 'make wheel: no $(PYTHON) here; install python3 or give PYTHON=PROGRAM' >&2; exit 1; }
	$(Q)$(PYTHON) reader/bindings/wheel.py $(VERSION) $< $(BUILD)/wheel
.PHONY: dist-reader dist-reader-files stage-reader install-reader wheel
