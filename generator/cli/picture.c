/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder, data and scripts of pictures. */
#include "cli/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/gnuplot.h"
#include "format/safe_text.h"

enum { PATH_TEXT = 4096 };
enum { SUBJECT = 110 }; /* bytes of the description of a dipole above a picture */

cgct_status picture_make_folder(const char *dir, cgct_err *err)
{
    struct stat st;
    if (!strcmp(dir, "-")) return cgct_fail(err, CGCT_E_USAGE, "-o -: want a folder");
    if (!mkdir(dir, 0777) || (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode)))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s: cannot be made a folder: %s", dir, strerror(errno));
}

cgct_status picture_open(const char *dir, const char *name, const char *heading, cgct_textfile *f,
                         cgct_err *err)
{
    char path[PATH_TEXT];
    if (snprintf(path, PATH_TEXT, "%s/%s", dir, name) >= PATH_TEXT)
        return cgct_fail(err, CGCT_E_USAGE, "folder name longer than %d bytes", PATH_TEXT);
    CGCT_TRY(cgct_textfile_open(f, path, err));
    if (heading) fprintf(f->f, "%s\n", heading);
    return CGCT_OK;
}

/* The description of a dipole begins with the kind and its parameters, and its end would not fit
 * above a picture. */
cgct_status picture_begin(const char *dir, const dipole_source *source, const char *name,
                          cgct_textfile *script, cgct_err *err)
{
    char file[64], subject[SUBJECT + 1];
    const char *text = source->describe;
    snprintf(file, sizeof file, "%s.gp", name);
    CGCT_TRY(picture_open(dir, file, NULL, script, err));
    fprintf(script->f, "subject = '%s%s'\n%s",
            safe_copy(SAFE_GNUPLOT, text, subject, sizeof subject),
            strlen(text) > SUBJECT ? " ..." : "", text_common_gp);
    return CGCT_OK;
}

cgct_status picture_end(const char *dir, const char *name, cgct_textfile *script, const char *text,
                        cgct_err *err)
{
    char path[PATH_TEXT];
    fputs(text, script->f);
    CGCT_TRY(cgct_textfile_close(script, CGCT_OK, err));
    if (gnuplot_missing()) {
        safe_line(stdout, "   no picture: gnuplot is not there; with it, run 'gnuplot %s.gp' in %s",
                  name, dir);
        return CGCT_OK;
    }
    snprintf(path, sizeof path, "%s/%s.gp", dir, name);
    int fd = open(path, O_RDONLY);
    cgct_status st = gnuplot_run(dir, fd, STDOUT_FILENO, err);
    close(fd);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", path);
    snprintf(path, sizeof path, "%s/%s.png", dir, name);
    fd = open(path, O_RDONLY);
    st = gnuplot_check(fd, PICTURE_PNG, path, err);
    close(fd);
    if (st != CGCT_OK)
        remove(path);
    else
        safe_line(stdout, "   %s", path);
    return st;
}
