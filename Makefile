# SPDX-License-Identifier: GPL-3.0-or-later
# cgctab: `make help` lists the targets.  Everything built lies under $(BUILD).
#
# A folder's rules.mk may use: BIN, LIB, OBJ (output folders), CC, AR, CFLAGS_<folder> (flags of the
# pattern rule $(OBJ)/<folder>/%.o: <folder>/%.c), LIBS_GENERATOR, VERSION, SOVERSION, `archive` and
# the lists it adds to: READER_FILES, GENERATOR_FILES, CUDA_FILES (built by make reader, ...).

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
ifneq ($(filter-out /%,$(firstword $(PREFIX))),)
override PREFIX := $(CURDIR)/$(PREFIX)
endif
DATA_DIR ?= $(PREFIX)/share/cgctab/tables
$(foreach c,' " ` \,$(if $(findstring $(c),$(PREFIX)$(DESTDIR)$(DATA_DIR)), \
  $(error PREFIX, DESTDIR and DATA_DIR may contain blanks, but not $(c): $(DESTDIR)$(PREFIX))))
ARCH ?= native
CUDA ?= 1
V ?= 0
BIN := $(BUILD)/bin
LIB := $(BUILD)/lib
OBJ := $(BUILD)/obj

ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
INSTALL ?= install
Q := $(if $(filter 0,$(V)),@)
JOBS ?= $(shell nproc)
many = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
say = $(if $(filter 0,$(V)),@printf '  %-7s %s\n' '$(1)' '$(2)')
flag = $(shell $(CC) $(1) -E -x c /dev/null >/dev/null 2>&1 && echo $(1)) # where the compiler has it
pkg = $(shell $(PKG_CONFIG) $(1) $(2) 2>/dev/null || echo $(3))

# The version is written once, in the reader's header.
version_part = $(shell sed -n 's/^\#define CGCT_VERSION_$(1)  *\([0-9][0-9]*\).*/\1/p' reader/cgctab.h)
SOVERSION := $(call version_part,MAJOR)
VERSION := $(SOVERSION).$(call version_part,MINOR).$(call version_part,PATCH)

# DEPS=DIR: the libraries unpacked under DIR (tests/gpu/bring.sh) where they are not installed.
DEPS ?=
ifneq ($(DEPS),)
PKG_CONFIG := false
# its static library is not brought
READER_ZSTD := 0
DEPS_USR := $(abspath $(DEPS))/usr
DEPS_LIB := $(DEPS_USR)/lib/x86_64-linux-gnu $(DEPS_USR)/lib/x86_64-linux-gnu/openblas-openmp
CFLAGS += -I$(DEPS_USR)/include -I$(DEPS_USR)/include/x86_64-linux-gnu \
  -I$(DEPS_USR)/include/x86_64-linux-gnu/openblas-openmp
LDFLAGS += $(foreach d,$(DEPS_LIB),-L$(d) -Wl,-rpath,$(d) -Wl,-rpath-link,$(d)) -Wl,--disable-new-dtags
endif

# --- flags ------------------------------------------------------------------------------------------
WARN := -Wall -Wextra -Wshadow -pedantic
BASE := -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) -MMD -MP
WIDE := $(if $(filter x86_64,$(shell uname -m)),-mprefer-vector-width=512) # gcc halves AVX-512 otherwise
XOPEN := -D_XOPEN_SOURCE=700 # M_PI
SANITIZE ?=
ifneq ($(SANITIZE),)
SAN := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer -g
LDFLAGS += -fsanitize=$(SANITIZE)
OPT_PORTABLE := -O1 -march=$(ARCH) $(call flag,-mno-fma) # there are no copies for dispatch then
OPT_NATIVE := -O2 -march=$(ARCH) $(WIDE) -fopenmp
else
OPT_PORTABLE := -O2 -ftree-vectorize $(call flag,-fvect-cost-model=dynamic) $(call flag,-ffp-contract=fast) \
  -fno-asynchronous-unwind-tables
OPT_NATIVE := -O3 -march=$(ARCH) $(WIDE) -fopenmp
endif
# Against -Ofast in CFLAGS: the programs need NaN, infinity and sums in the order that is written.
EXACT := $(addprefix -f,no-fast-math no-unsafe-math-optimizations no-associative-math \
  no-reciprocal-math no-finite-math-only signed-zeros trapping-math no-math-errno)
CFLAGS_reader := $(BASE) $(OPT_PORTABLE) -fPIC $(SAN) $(CFLAGS) $(EXACT)
CFLAGS_format := $(CFLAGS_reader)
# Includes name the folder: "dipole/dipole.h", "format/error.h".
ROOMS := -I. -Igenerator
# Without this, gcc vectorises loops with a condition for AVX-512 alone.  The reader does without,
# since its host may trap divisions by 0.
NO_TRAPS := -fno-trapping-math
CFLAGS_cuda := $(BASE) $(XOPEN) $(OPT_NATIVE) $(SAN) $(ROOMS) $(CFLAGS) $(EXACT) $(NO_TRAPS)
CFLAGS_generator := $(BASE) $(XOPEN) $(OPT_NATIVE) $(SAN) $(ROOMS) $(CFLAGS) $(EXACT) $(NO_TRAPS) \
  $(call pkg,--cflags,gsl openblas inih libzstd,)
CFLAGS_tests := $(BASE) $(XOPEN) -O2 -fopenmp $(SAN) $(ROOMS) -Itests $(CFLAGS) $(EXACT) $(call pkg,--cflags,check gsl openblas,) \
  -DTESTS_DIR='"$(abspath tests)"' -DBIN_DIR='"$(abspath $(BIN))"' -DEVOLVED='"$(abspath $(BUILD))/tests/evolved.dat"'

# OpenBLAS is loaded at run time (generator/numerics/blas.c).
LIBS_GENERATOR := $(call pkg,--libs,gsl,-lgsl -lgslcblas) $(call pkg,--libs,inih,-linih) \
  $(call pkg,--libs,libzstd,-lzstd) -fopenmp -ldl -lm
LIBS_CHECK := $(call pkg,--libs,check,-lcheck -lsubunit -lrt -lpthread)

define archive
$(Q)mkdir -p $(@D) && rm -f $@
$(call say,AR,$@)
$(Q)$(AR) rcs $@ $(filter %.o,$^)
endef

# Texts that travel in a program: $(call embed,FOLDER,FILES) makes $(OBJ)/FOLDER/texts.o, where each file
# is an array of characters without its licence line: plots/map.gp is text_map_gp.
define embed
$(OBJ)/$(1)/texts.c: $(2) Makefile
	@mkdir -p $$(@D)
	$(call say,TEXT,$$@)
	$$(Q)for f in $(2); do n=text_$$$$(basename $$$$f | tr -c 'A-Za-z0-9\n' _); \
	  echo "extern const char $$$$n[]; const char $$$$n[] = {"; \
	  sed '/SPDX/d' $$$$f | od -An -v -td1 | sed 's/-\{0,1\}[0-9]\{1,\}/&,/g'; echo '0};'; done > $$@
$(OBJ)/$(1)/texts.o: $(OBJ)/$(1)/texts.c $(OBJ)/flags
	$$(Q)$$(CC) $$(CFLAGS_$(firstword $(subst /, ,$(1)))) -c -o $$@ $$<
endef

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

# --- folders ----------------------------------------------------------------------------------------
-include reader/rules.mk
-include format/rules.mk
include cuda/rules.mk
include generator/rules.mk
include tests/rules.mk

# Objects are rebuilt when a flag changes, also one of the linker: the stamp changes only with its content.
FLAGS_TEXT := $(subst ',,$(CC) $(VERSION) $(READER_ZSTD) $(READER_ZLIB) $(READER_WASM) $(CFLAGS_reader) $(CFLAGS_generator) $(CFLAGS_tests) $(LDFLAGS) $(LIBS_GENERATOR))
define stamp
@mkdir -p $(@D)
@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' > $@
endef
$(OBJ)/flags: FORCE
	$(call stamp,$(FLAGS_TEXT))
$(OBJ)/data_dir: FORCE
	$(call stamp,$(DATA_DIR))
$(OBJ)/cuda_mode: FORCE
	$(call stamp,$(CUDA_MODE))

$(OBJ)/%.o: %.c $(OBJ)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS_$(firstword $(subst /, ,$<))) -c -o $@ $<

DEPFILES := $(shell find $(OBJ) -name '*.d' 2>/dev/null)
-include $(DEPFILES)

# --- targets ----------------------------------------------------------------------------------------
all: reader generator cuda ## reader, generator and (with nvcc) the CUDA part
reader: $(READER_FILES) ## libcgctab and the program cgctab
	$(ZSTD_NOTE)
	$(WASM_NOTE)
generator: deps-present announce $(GENERATOR_FILES) ## the program cgctab-generate
cuda: announce $(CUDA_FILES) ## the CUDA part; one line where nvcc is missing or CUDA=0

announce:
	@printf '%s\n' '$(CUDA_NOTE)'

deps: ## install missing Debian packages (apt-get, sudo when not root)
	@$(if $(DEPS),,sh tests/deps.sh install)
deps-present:
	@$(if $(DEPS),,sh tests/deps.sh list)

demo: deps ## a small table from a run card, verified and compared with exact values, and a picture
	@$(MAKE) --no-print-directory $(many) all
	@bash tables/demo.sh $(BIN) $(BUILD)/demo

TABLES ?= tables
tables: deps ## the shipped tables again, from their cards: hours; TABLES=DIR, TABLES_SET='section.key=value ...'
	@$(MAKE) --no-print-directory $(many) all
	@bash tables/make.sh $(BIN) "$(TABLES)"
reference: deps ## tables/reference.card and the table of keys in generator/GUIDE.md, from generator/config/params.def
	@$(MAKE) --no-print-directory $(many) all
	@bash tables/reference.sh $(BIN) tables/reference.card generator/GUIDE.md
gallery: deps ## tables/gallery.html: pictures of the shipped tables, each with its command
	@$(MAKE) --no-print-directory $(many) all
	@bash tables/gallery.sh $(BIN) tables/gallery.html
.PHONY: tables gallery reference

deps-tests:
	@$(if $(DEPS),,sh tests/deps.sh tests)

check: deps-tests ## all tests, 10 minutes on two threads of one core; ends with 'N passed, N failed, N skipped'
	@$(MAKE) --no-print-directory $(many) check-run CHECK_TAKES="10 minutes on two threads of one core"
QUICK_SKIP := documents run sample node bindings cuda_node targets fields archive run_plan bk_delay \
  flags install plot inner_table inner_direct dis_events run_dipole bk impacts changes studies reference
check-quick: deps-tests ## the tests but for the longest programs, in two minutes
	@$(MAKE) --no-print-directory $(many) check-run TEST_SKIP='$(QUICK_SKIP)' CHECK_TAKES="two minutes on two quiet cores"
check-long: deps-tests ## the tests with ten times the random cases, the long ones, a minute of fuzzing for each parser
	@TEST_MULT=10 $(MAKE) --no-print-directory $(many) check-run LONG=1
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=60
check-browser: deps-tests ## the page of `cgctab explore` in Chromium, with screenshots; check-long has it, too
	@$(MAKE) --no-print-directory $(many) check-run LONG=1 TEST=explore
# Atomic counts, because threads share them.
COVERAGE ?= check-quick
coverage: deps-tests ## lines that the tests run, by folder, in $(BUILD)/coverage; COVERAGE=check: all tests
	-@CFLAGS='$(CFLAGS) --coverage -fprofile-update=atomic' LDFLAGS='$(LDFLAGS) --coverage' \
	  GCOV_ERROR_FILE=/dev/null CUT_COUNTS=$(abspath $(BUILD))/coverage/cut CK_TIMEOUT_MULTIPLIER=4 \
	  $(MAKE) --no-print-directory $(many) BUILD=$(BUILD)/coverage CUDA=0 $(COVERAGE)
	@bash tests/coverage.sh $(BUILD)/coverage/obj
check-gpu: deps ## builders on a GPU against the processor's, and whole runs; DEVICE=N, DEPS=DIR (cuda/README.md)
	@$(MAKE) --no-print-directory $(many) check-gpu-run
check-gpu-sanitizer: deps ## the same under the tools of compute-sanitizer
	@$(MAKE) --no-print-directory $(many) check-gpu-sanitizer-run
bench-gpu: deps ## time of each builder and stage on a GPU, beside the device's limits
	@$(MAKE) --no-print-directory $(many) bench-gpu-run

check-events: reader ## events through Pythia 8 to hadrons and jets; installs wheels into build/events
	@BUILD=$(BUILD) bash tests/events/check.sh
check-slurm: deps ## a run in shards under a Slurm of its own on this machine (installs slurm-wlm; root)
	@$(MAKE) --no-print-directory $(many) all
	@bash tests/slurm.sh $(BIN)

studies: deps ## tests/studies/cgctab-studies in $(BUILD): the paper's convergence studies, and routes beside each other
	@$(MAKE) --no-print-directory $(many) $(STUDIES)

bench: deps ## time of each stage beside a matrix product on the same machine
	@$(MAKE) --no-print-directory $(many) bench-run

bench-reader: deps ## the reader alone: time of each kind of call, open time, memory, bits a number
	@$(MAKE) --no-print-directory $(many) bench-reader-run

lint: ## format, cppcheck, include graph, size limits, licences, scripts
	@bash tests/lint.sh

asan: deps ## build and test under the address and undefined-behaviour sanitizers, in $(BUILD)/asan
	@CK_TIMEOUT_MULTIPLIER=10 $(MAKE) --no-print-directory $(many) BUILD=$(BUILD)/asan CUDA=0 \
	  SANITIZE=address,undefined,float-cast-overflow TEST_SKIP='$(ASAN_SKIP)' check-run

tsan: deps ## sixteen threads on one table under the thread sanitizer, in $(BUILD)/tsan
	@OMP_NUM_THREADS=1 CK_TIMEOUT_MULTIPLIER=10 $(MAKE) --no-print-directory $(many) \
	  BUILD=$(BUILD)/tsan CUDA=0 SANITIZE=thread TEST=threads check-run

clean: ## remove $(BUILD)
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(filter-out %.d,$(MAKEFILE_LIST)) | \
	  awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'
	@echo 'variables: BUILD=$(BUILD) PREFIX=$(PREFIX) DESTDIR= DATA_DIR=$(DATA_DIR) (where programs look for tables) ARCH=$(ARCH) CUDA=0|1 CUDA_ARCH="80 90" V=1'

# --- installation -----------------------------------------------------------------------------------
# A staged copy of the installed tree is the list of what to install; the list is installed first, with
# what an earlier installation put there, and uninstall removes what it names.
STAGE := $(BUILD)/stage
MANIFEST := share/cgctab/installed

define install_from
@list="$(DESTDIR)$(PREFIX)/$(MANIFEST)"; mkdir -p "$(DESTDIR)$(PREFIX)/$(dir $(MANIFEST))" && \
  { cat "$$list" 2>/dev/null; cat $(1)/$(MANIFEST); } | sort -u > "$$list.part" && mv "$$list.part" "$$list" && \
  while read -r f; do [ "$$f" = $(MANIFEST) ] || { mkdir -p "$(DESTDIR)$(PREFIX)/$${f%/*}" && \
  cp -Pf "$(1)/$$f" "$(DESTDIR)$(PREFIX)/$$f"; } || exit 1; done < $(1)/$(MANIFEST)
endef

stage: all
	@rm -rf $(STAGE)
	@mkdir -p $(addprefix $(STAGE)/,bin include/cgctab lib/pkgconfig lib/cmake/cgctab share/cgctab/cards \
	  share/cgctab/fortran share/cgctab/python share/doc/cgctab/reader/examples \
	  share/bash-completion/completions share/zsh/site-functions)
	@cp $(BIN)/cgctab $(BIN)/cgctab-events $(BIN)/cgctab-generate $(STAGE)/bin
	@cp -P $(LIB)/libcgctab.a $(wildcard $(LIB)/libcgctab.so*) $(STAGE)/lib
	@cp $(PUBLIC_HEADER) reader/bindings/cgctab.hpp $(STAGE)/include
	@cp generator/three/three_integrand.h generator/three/three_user.h $(STAGE)/include/cgctab
	@cp reader/bindings/cgctab.f90 $(STAGE)/share/cgctab/fortran
	@cp reader/bindings/cgctab.py $(STAGE)/share/cgctab/python
	@cp reader/examples/*.* $(STAGE)/share/doc/cgctab/reader/examples
	$(call stage_finders,$(STAGE))
	@cp tables/*.card tables/*.txt $(STAGE)/share/cgctab/cards
	@cp --parents LICENSE generator/three/three_gaussian.cu $(wildcard *.md */*.md */*/*.md reader/*.png tables/*.png) \
	  $(STAGE)/share/doc/cgctab
	@for f in $(wildcard reader/man/*.[1-9] generator/man/*.[1-9]); do \
	  d=$(STAGE)/share/man/man$${f##*.}; mkdir -p $$d && cp $$f $$d || exit 1; done
	@cp format/cgctab.bash $(STAGE)/share/bash-completion/completions/cgctab
	@cd $(STAGE)/share/bash-completion/completions && for p in events generate; do ln -s cgctab cgctab-$$p; done
	@cp format/_cgctab $(STAGE)/share/zsh/site-functions
	@for f in $(wildcard tables/*.cgct); do mkdir -p $(STAGE)/share/cgctab/tables && \
	  cp $$f tables/MANIFEST $(STAGE)/share/cgctab/tables || exit 1; done
	@if [ -d $(STAGE)/share/cgctab/tables ]; then cd $(STAGE)/share/cgctab/tables && \
	  "$(abspath $(BIN))/cgctab" index . > index.tsv || echo 'install: index.tsv lists the others' >&2; fi
	@mkdir -p $(STAGE)/$(dir $(MANIFEST)) && : > $(STAGE)/$(MANIFEST)
	@cd $(STAGE) && find . ! -type d | sed 's,^\./,,' | sort > $(MANIFEST)

install: stage ## programs, library, header, pkg-config file, cards, manuals under $(DESTDIR)$(PREFIX)
	$(call install_from,$(STAGE))
	@echo 'installed $(words $(shell cat $(STAGE)/$(MANIFEST) 2>/dev/null)) files under $(DESTDIR)$(PREFIX)'

uninstall: ## remove exactly what install put there
	@cd "$(DESTDIR)$(PREFIX)" && [ -r $(MANIFEST) ] || { \
	  echo 'nothing installed: no $(DESTDIR)$(PREFIX)/$(MANIFEST)' >&2; exit 1; }
	@cd "$(DESTDIR)$(PREFIX)" && xargs -d '\n' rm -f < $(MANIFEST) || exit 1; \
	  find share/cgctab share/doc/cgctab lib/cmake/cgctab include/cgctab -depth -type d -exec rmdir {} \; 2>/dev/null; \
	  echo 'removed from $(DESTDIR)$(PREFIX)'

FORCE:
.PHONY: stage install uninstall all reader generator cuda announce deps deps-tests deps-present demo check studies check-quick check-long check-browser coverage check-gpu check-gpu-sanitizer check-events check-slurm \
  bench-gpu bench bench-reader lint asan tsan clean help FORCE
