# SPDX-License-Identifier: MIT
# Writer, codec and checksum for the generator; links libzstd (encoder) dynamically.
FORMAT_SRC := $(wildcard format/*.c)

$(LIB)/libcgctformat.a: $(FORMAT_SRC:%.c=$(OBJ)/%.o)
	$(archive)
# Of the generator alone, which has threads.
$(OBJ)/format/table_writer.o: private CFLAGS_format += -fopenmp
