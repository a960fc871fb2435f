# SPDX-License-Identifier: GPL-3.0-or-later
# The three-momentum transform on a device: plain C that loads NVRTC, cuBLAS and the driver at run
# time, hence built with and without nvcc.
THREE_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard cuda/three_*.c))
$(LIB)/libcgctcuda.a: $(THREE_OBJ)
