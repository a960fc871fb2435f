/* SPDX-License-Identifier: MIT */
/* Encodes a node in encoding 5 (FORMAT.md 3.9): rounds its modes to the bound, predicts them from
 * their neighbours and sorts the residuals into streams. */
#include "predicted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"
#include "layout.h"

/* Range of v in which e^v is a normal number. */
#define LN_MIN -708.396418532
#define LN_MAX 709.782712893
#define MARGIN 1e-9 /* of a step, for the rounding of the product that a reader forms */

/* A payload while it is being made, its parts still apart. */
typedef struct {
    const cgct_plane *p;
    cgct_lattice lattice;
    double step, ln_step;
    size_t n;             /* points (q,k) */
    double *scale;        /* (2 n): s as a reader will find it; the rest lies behind it */
    int32_t *plane[2][3]; /* by polarisation: a quantity and the two before */
    uint16_t *modes;      /* (2, n) */
    uint32_t *first, *end, *row, *column;  /* (2, nq) each; scratch */
    uint8_t *above;                        /* two rows of symbols, zeros on both sides */
    uint8_t *descriptors, *symbols, *bits; /* bits begin as zeros */
    uint8_t *streams;                      /* of each symbol */
    size_t ndescriptors, nsymbols, nbits;
} plane_packer;

static cgct_status plane_packer_init(plane_packer *k, const cgct_plane *p, size_t nq, size_t nk,
                                     double bound, cgct_err *err)
{
    memset(k, 0, sizeof *k);
    k->p = p;
    k->lattice = cgct_lattice_of(nq, nk);
    k->n = nq * nk;
    k->ln_step = 2 * log1p(bound) * (1 - MARGIN);
    k->step = 2 * bound * exp(-k->ln_step / 2) * (1 - MARGIN);
    size_t planes = p->nm - 1 + CGCT_PREDICTED_QUANTITIES, plane = cgct_lattice_size(&k->lattice);
    size_t room = 2 * planes * k->n, above = 2 * (nk + 2 + CGCT_GROUP);
    size_t integers = 6 * plane + 4 * nq + nk + CGCT_LANES + k->n;
    /* one piece of memory, widest numbers first */
    k->scale = calloc(1, p->n * (sizeof *k->scale + sizeof *k->modes) + 4 * integers +
                             2 * planes * (2 + 2 * CGCT_TAPS) + above + 2 * room + 4 * (room + 1));
    if (!k->scale)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory to pack %zu points of %zu modes", p->n,
                         p->nm);
    k->plane[0][0] = (int32_t *)(void *)(k->scale + p->n);
    for (size_t i = 1; i < 6; i++) k->plane[i / 3][i % 3] = k->plane[0][0] + i * plane;
    k->first = (uint32_t *)(k->plane[0][0] + 6 * plane);
    k->end = k->first + 2 * nq;
    k->row = k->end + 2 * nq;
    k->column = k->row + nk + CGCT_LANES;
    k->modes = (uint16_t *)(k->column + k->n);
    k->descriptors = (uint8_t *)(k->modes + p->n);
    k->above = k->descriptors + 2 * planes * (2 + 2 * CGCT_TAPS);
    k->symbols = k->above + above;
    k->streams = k->symbols + room;
    k->bits = k->streams + room;
    for (size_t i = 0; i < 2 * nq; i++) k->end[i] = (uint32_t)nk;
    return CGCT_OK;
}

/* ---- integers ---- */

static void round_scales(plane_packer *k)
{
    const double least = ceil(LN_MIN / k->ln_step), most = floor(LN_MAX / k->ln_step);
    for (size_t i = 0; i < k->p->n; i++) {
        double v = round(log(k->p->scale[i]) / k->ln_step);
        k->scale[i] = cgct_exp(fmin(fmax(v, least), most) * k->ln_step);
    }
}

/* I_m in units of the rounded scale that a reader will find, so that the rounding of the scale
 * adds no error. */
static double ratio_to_stored_scale(const plane_packer *k, size_t m, size_t at)
{
    double r = m ? k->p->mode[(m - 1) * k->p->n + at] : k->p->zero[at];
    return r * (k->p->scale[at] / k->scale[at]);
}

static cgct_status put_integer(const plane_packer *k, size_t at, double value, int32_t *to,
                               cgct_err *err)
{
    if (!(fabs(value) < 2147483647.0))
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "point %zu: %g steps of %g exceed 31 bits; ask for a larger bound or "
                         "store without loss (bound 0)",
                         at, value, k->step);
    *to = (int32_t)lround(value);
    return CGCT_OK;
}

/* Mode m of a polarisation into plane[0]. */
static cgct_status round_mode(plane_packer *k, size_t pol, size_t m, cgct_err *err)
{
    const cgct_lattice *l = &k->lattice;
    for (size_t i = 0; i < k->n; i++) {
        int32_t *to = k->plane[pol][0] + cgct_lattice_at(l, i / l->nk) + i % l->nk;
        size_t at = pol * k->n + i;
        CGCT_TRY(put_integer(k, at, ratio_to_stored_scale(k, m, at) / k->step, to, err));
    }
    return CGCT_OK;
}

/* Counts the modes of each point. A mode is stored in each row from the first to the last point
 * that has it; hence the count is raised to the least one that rises along k and then falls. */
static void count_modes(plane_packer *k)
{
    size_t nk = k->lattice.nk;
    for (size_t at = 0; at < k->p->n; at++) {
        size_t m = k->p->nm - 1;
        while (m > 0 && llround(ratio_to_stored_scale(k, m, at) / k->step) == 0) m--;
        k->modes[at] = (uint16_t)(1 + m);
    }
    for (uint16_t *row = k->modes; row < k->modes + k->p->n; row += nk) {
        uint16_t *rising = (uint16_t *)(void *)k->row, most = 0;
        for (size_t i = 0; i < nk; i++) rising[i] = most = row[i] > most ? row[i] : most;
        most = 0;
        for (size_t i = nk; i-- > 0;) {
            most = row[i] > most ? row[i] : most;
            row[i] = rising[i] < most ? rising[i] : most;
        }
    }
}

/* The smallest code whose bound is not below e. */
static int code_of_error(const double bound[256], double e)
{
    int code = 1;
    if (e == 0) return 0;
    while (code < 255 && bound[code] < e) code++;
    return code;
}

/* Rounds one of the quantities that come before the modes into plane[0]. */
static cgct_status round_quantity(plane_packer *k, size_t pol, size_t j, cgct_err *err)
{
    const cgct_lattice *l = &k->lattice;
    double codes[256];
    cgct_error_codes(codes);
    for (size_t i = 0; i < k->n; i++) {
        size_t at = pol * k->n + i;
        int32_t *to = k->plane[pol][0] + cgct_lattice_at(l, i / l->nk) + i % l->nk;
        if (j == 0) *to = code_of_error(codes, k->p->error[at]);
        if (j == 1) *to = k->modes[at] - 1;
        if (j == 2) CGCT_TRY(put_integer(k, at, round(log(k->scale[at]) / k->ln_step), to, err));
        if (j == 3)
            CGCT_TRY(put_integer(
                k, at, k->p->flag[at] ? (ratio_to_stored_scale(k, 0, at) - 1) / k->step : 0, to,
                err));
    }
    return CGCT_OK;
}

/* ---- symbols ---- */

static void put_bits(plane_packer *k, uint32_t v, unsigned n)
{
    uint64_t shifted = (uint64_t)(v & ((UINT32_C(1) << n) - 1)) << k->nbits % 8;
    for (uint8_t *to = k->bits + k->nbits / 8; shifted; shifted >>= 8) *to++ |= (uint8_t)shifted;
    k->nbits += n;
}

/* Turns the residuals of a plane into symbols, row by row; the symbols above choose the stream of
 * each group. */
static void put_residuals(plane_packer *k, const uint32_t *first, const uint32_t *end)
{
    size_t row = k->lattice.nk + 2 + CGCT_GROUP;
    const uint32_t *residual = k->column;
    memset(k->above, 0, 2 * row);
    for (size_t iq = 0; iq < k->lattice.nq; iq++) {
        const uint8_t *above = k->above + (iq + 1) % 2 * row;
        uint8_t *now = k->above + iq % 2 * row, most = 0;
        memset(now, 0, row);
        for (size_t i = first[iq]; i < end[iq]; i++) {
            uint32_t z;
            unsigned low;
            size_t in_group = (i - first[iq]) % CGCT_GROUP;
            if (in_group == 0) most = 0;
            for (size_t j = i; in_group == 0 && j < i + CGCT_GROUP + 2; j++)
                most = above[j] > most ? above[j] : most;
            now[i + 1] = k->symbols[k->nsymbols] = cgct_token(*residual++, &z, &low);
            k->streams[k->nsymbols++] = cgct_stream_of(most);
            put_bits(k, z, low);
        }
    }
}

static void put_predictor(plane_packer *k, const cgct_predictor *p)
{
    uint8_t *to = k->descriptors + k->ndescriptors, *end = to + 2;
    to[0] = (uint8_t)p->order;
    to[1] = 0;
    for (int i = 0; i < CGCT_TAPS; i++) {
        if (!p->c[i]) continue;
        to[1] |= (uint8_t)(1 << i);
        cgct_put_u16(end, (uint16_t)p->c[i]);
        end += 2;
    }
    k->ndescriptors = (size_t)(end - k->descriptors);
}

static int all_integers_zero(const int32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i]) return 0;
    return 1;
}

/* Packs plane[0] of a polarisation, the integers first..end-1 (nq each) of every row. */
static cgct_status pack_plane(plane_packer *k, size_t pol, const uint32_t *first,
                              const uint32_t *end, size_t taps, cgct_err *err)
{
    cgct_predictor p;
    int32_t *const *plane = k->plane[pol];
    if (all_integers_zero(plane[0], cgct_lattice_size(&k->lattice))) {
        k->descriptors[k->ndescriptors++] = CGCT_ORDER_ZERO;
        return CGCT_OK;
    }
    CGCT_TRY(cgct_predictor_choose(&k->lattice, plane, first, end, taps, &p, err));
    cgct_residuals(&p, &k->lattice, plane, first, end, k->row, k->column);
    put_predictor(k, &p);
    put_residuals(k, first, end);
    return CGCT_OK;
}

static cgct_status pack_planes(plane_packer *k, cgct_err *err)
{
    size_t nq = k->lattice.nq, nk = k->lattice.nk, size = cgct_lattice_size(&k->lattice);
    for (size_t i = 0; i < 2 * CGCT_PREDICTED_QUANTITIES; i++) {
        CGCT_TRY(round_quantity(k, i % 2, i / 2, err));
        CGCT_TRY(pack_plane(k, i % 2, k->first, k->end, CGCT_TAPS_OF_PLANE, err));
    }
    for (size_t pol = 0; pol < 2; pol++) memset(k->plane[pol][0], 0, size * sizeof(int32_t));
    for (size_t i = 0; i < 2 * (k->p->nm - 1); i++) {
        size_t pol = i % 2, m = 1 + i / 2;
        int32_t **plane = k->plane[pol], *oldest = plane[2];
        plane[2] = plane[1];
        plane[1] = plane[0];
        plane[0] = oldest;
        cgct_narrow_rows(k->modes + pol * k->n, nq, nk, m, k->first + pol * nq, k->end + pol * nq);
        CGCT_TRY(round_mode(k, pol, m, err));
        CGCT_TRY(pack_plane(k, pol, k->first + pol * nq, k->end + pol * nq, CGCT_TAPS, err));
    }
    return CGCT_OK;
}

/* ---- the whole ---- */

/* Sorts the symbols into streams, one after the other at `to`; their sizes go to `size`. */
static void sort_symbols(const plane_packer *k, uint8_t *size, uint8_t *to)
{
    size_t start[CGCT_PREDICTED_STREAMS + 1] = {0};
    for (size_t i = 0; i < k->nsymbols; i++) start[k->streams[i] + 1]++;
    for (int i = 0; i < CGCT_PREDICTED_STREAMS; i++) {
        cgct_put_u32(size + 4 * i, (uint32_t)start[i + 1]);
        start[i + 1] += start[i];
    }
    for (size_t i = 0; i < k->nsymbols; i++) to[start[k->streams[i]]++] = k->symbols[i];
}

static cgct_status assemble_payload(plane_packer *k, double bound, cgct_raw *out, cgct_err *err)
{
    size_t n = k->p->n, bytes = (k->nbits + 7) / 8, at = CGCT_PREDICTED_HEAD + n;
    if (k->nsymbols > UINT32_MAX)
        return cgct_fail(err, CGCT_E_NOMEM, "%zu points need too many symbols", n);
    out->size = at + k->ndescriptors + k->nsymbols + bytes;
    if (!(out->data = calloc(1, out->size)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", out->size);
    cgct_put_f64(out->data, bound);
    cgct_put_f64(out->data + 8, k->step);
    cgct_put_f64(out->data + 16, k->ln_step);
    cgct_put_u32(out->data + 24, (uint32_t)k->ndescriptors);
    memcpy(out->data + CGCT_PREDICTED_HEAD, k->p->flag, n);
    memcpy(out->data + at, k->descriptors, k->ndescriptors);
    at += k->ndescriptors;
    sort_symbols(k, out->data + 28, out->data + at);
    memcpy(out->data + at + k->nsymbols, k->bits, bytes);
    return cgct_cuts_choose(&out->cuts, out->data, at, k->nsymbols, err);
}

/* Decodes what was written, puts it into p and returns the largest |I_m - stored|/s. */
static cgct_status measure_rounding(cgct_plane *p, size_t nq, size_t nk, const cgct_raw *raw,
                                    double *worst, cgct_err *err)
{
    cgct_plane back;
    CGCT_TRY(cgct_plane_init(&back, p->n, p->nm, err));
    const cgct_payload packed = {.in = raw->data,
                                 .size = raw->size,
                                 .encoding = CGCT_ENCODING_PREDICTED,
                                 .nq = nq,
                                 .nk = nk,
                                 .nm = p->nm};
    cgct_status st = cgct_payload_unpack(packed, &back, err);
    *worst = 0;
    for (size_t i = 0; i < p->n && st == CGCT_OK; i++) {
        double growth = back.scale[i] / p->scale[i];
        *worst = fmax(*worst, fabs(growth * back.zero[i] - p->zero[i]));
        for (size_t j = i; j < p->n * (p->nm - 1); j += p->n)
            *worst = fmax(*worst, fabs(growth * back.mode[j] - p->mode[j]));
    }
    cgct_plane_free(p);
    *p = back;
    return st;
}

cgct_status cgct_predicted_pack(cgct_plane *p, size_t nq, size_t nk, double bound, cgct_raw *out,
                                double *measured, cgct_err *err)
{
    plane_packer k;
    memset(out, 0, sizeof *out);
    cgct_status st = plane_packer_init(&k, p, nq, nk, bound, err);
    if (st == CGCT_OK) {
        round_scales(&k);
        count_modes(&k);
        st = pack_planes(&k, err);
    }
    if (st == CGCT_OK) st = assemble_payload(&k, bound, out, err);
    if (st == CGCT_OK) st = measure_rounding(p, nq, nk, out, measured, err);
    free(k.scale);
    return st;
}
