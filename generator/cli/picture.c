/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes data and scripts, and runs gnuplot on them. */
#include "cli/plot.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/safe_text.h"

enum {
    PATH_TEXT = 4096,
    SUBJECT = 110,   /* bytes of the description of a dipole above a picture */
    NO_PROGRAM = 127 /* exit status of a shell for a program that is not there */
};

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

/* *found: 0 where there is no gnuplot. */
static cgct_status run_gnuplot_in(const char *dir, const char *script, int *found, cgct_err *err)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!chdir(dir)) execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return cgct_fail(err, CGCT_E_IO, "gnuplot: %s", strerror(errno));
    *found = !WIFEXITED(status) || WEXITSTATUS(status) != NO_PROGRAM;
    if (!*found || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s/%s: gnuplot failed; run it by hand to see why", dir,
                     script);
}

/* gnuplot does not tell when the disk is full: a PNG ends with the chunk IEND and its checksum. */
static cgct_status check_png(const char *dir, const char *name, cgct_err *err)
{
    char path[PATH_TEXT], end[8] = "";
    snprintf(path, sizeof path, "%s/%s.png", dir, name);
    FILE *f = fopen(path, "rb");
    const int whole = f && !fseek(f, -(long)sizeof end, SEEK_END) &&
                      fread(end, sizeof end, 1, f) == 1 && !memcmp(end, "IEND", 4);
    if (f) fclose(f);
    if (whole) return CGCT_OK;
    remove(path);
    return cgct_fail(err, CGCT_E_IO,
                     "%s: gnuplot left it unfinished; is the disk full, or the size of files "
                     "limited (ulimit -f)?",
                     path);
}

/* The description of a dipole begins with the kind and its parameters, and its end would not fit
 * above a picture. */
cgct_status picture_draw(const char *dir, const dipole_source *source, const char *name,
                         const char *variables, const char *script, cgct_err *err)
{
    char file[64], subject[SUBJECT + 1];
    const char *text = dipole_source_describe(source);
    cgct_textfile to;
    int found = 1;
    snprintf(file, sizeof file, "%s.gp", name);
    safe_copy(SAFE_GNUPLOT, text, subject, sizeof subject);
    CGCT_TRY(picture_open(dir, file, NULL, &to, err));
    fprintf(to.f, "subject = '%s%s'\n%s%s%s", subject, strlen(text) > SUBJECT ? " ..." : "",
            text_common_gp, variables, script);
    CGCT_TRY(cgct_textfile_close(&to, CGCT_OK, err));
    CGCT_TRY(run_gnuplot_in(dir, file, &found, err));
    if (!found) {
        safe_line(stdout, "   no picture: gnuplot is not there; with it, run 'gnuplot %s' in %s",
                  file, dir);
        return CGCT_OK;
    }
    CGCT_TRY(check_png(dir, name, err));
    safe_line(stdout, "   %s/%s.png", dir, name);
    return CGCT_OK;
}
