/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "config/params.h"

void config_print_help(FILE *out)
{
    const char *section = "";
    fputs("Keys of a run card (--set section.key=value) with their defaults:\n", out);
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        if (strcmp(section, p->section)) fprintf(out, "[%s]\n", section = p->section);
        char line[256];
        snprintf(line, sizeof line, "%s = %s", p->key, p->def);
        fprintf(out, "%-22s ; %s", line, p->doc);
        if (*p->unit || *p->range)
            fprintf(out, "; %s%s%s", p->range, *p->unit && *p->range ? " " : "", p->unit);
        fputc('\n', out);
    }
    fputs("Lists: '1,2,5', 'geom LO HI N' or 'lin LO HI N', strictly rising.  Files are named\n"
          "relative to the working directory.\n",
          out);
}
