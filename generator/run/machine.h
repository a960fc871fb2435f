/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h: the memory and the processors that the machine, its batch system and the shell leave
 * to this process. */
#ifndef CGCT_RUN_MACHINE_H
#define CGCT_RUN_MACHINE_H
#include <stddef.h>

/* root: the folder that holds proc and sys, "" for those of the system. */

/* Bytes: four fifths of what is free now, of the machine, under the limits of the control groups of
 * this process and of those above them (version 1 and 2), and under ulimit -v and -d. */
size_t machine_memory(const char *root);
/* As many as OMP_NUM_THREADS says; else the processors that this process may use, or fewer where
 * its control groups limit their time. */
int machine_threads(const char *root);
#endif
