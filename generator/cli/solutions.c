/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of solutions is a journal, in which each record begins with the key of its solution. */
#include "cli/solutions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/journal.h"

static const char suffix[] = ".solutions", identity[] = "solutions of the BK equation";

static uint32_t index_of(const journal *j, const char *key)
{
    return (uint32_t)cgct_crc64(&j->crc, key, strlen(key));
}

/* The solution of the record, or NULL: another key, or damaged. */
static double *read_solution(const journal *j, const journal_record *r, const char *key, size_t *n)
{
    uint8_t *data;
    double *numbers = NULL;
    const size_t head = strlen(key) + 1;
    if (r->index != index_of(j, key) || journal_read(j, r, &data, NULL) != CGCT_OK) return NULL;
    if (r->size > head && memcmp(data, key, head) == 0) {
        *n = ((size_t)r->size - head) / sizeof *numbers;
        numbers = malloc(*n * sizeof *numbers);
        if (numbers) memcpy(numbers, data + head, *n * sizeof *numbers);
    }
    free(data);
    return numbers;
}

static double *find_solution(void *self, const char *key, size_t *n)
{
    const cli_solutions *s = self;
    journal *j;
    double *numbers = NULL;
    if (journal_open_read(&j, s->path, NULL) != CGCT_OK) return NULL;
    for (size_t i = 0; i < j->n && !numbers; i++) numbers = read_solution(j, &j->record[i], key, n);
    journal_close(j);
    return numbers;
}

static void keep_solution(void *self, const char *key, size_t n, const double *numbers)
{
    const cli_solutions *s = self;
    const size_t head = strlen(key) + 1, size = head + n * sizeof *numbers;
    uint8_t *data = malloc(size);
    journal *j = NULL;
    int existing;
    if (data && journal_open(&j, s->path, identity, &existing, NULL) == CGCT_OK) {
        memcpy(data, key, head);
        memcpy(data + head, numbers, n * sizeof *numbers);
        journal_append(j, 0, index_of(j, key), data, size, NULL);
    }
    journal_close(j);
    free(data);
}

const bk_keeper *cli_solutions_beside(cli_solutions *s, const char *output)
{
    s->path = malloc(strlen(output) + sizeof suffix);
    if (!s->path) return NULL;
    strcat(strcpy(s->path, output), suffix);
    s->keeper = (bk_keeper){s, find_solution, keep_solution};
    return &s->keeper;
}

void cli_solutions_remove(const cli_solutions *s)
{
    if (s->path) unlink(s->path);
}

void cli_solutions_free(cli_solutions *s)
{
    free(s->path);
    s->path = NULL;
}
