# SPDX-License-Identifier: MIT
"""cgctab: read tables of the CGC DIS dijet cross section from Python.

    import cgctab
    table = cgctab.Table("demo.cgct")
    I = table(0.01, 1.0, q, k1, theta)          # arrays broadcast; I[..., 0] is T, I[..., 1] is L

Needs NumPy and libcgctab.so, which is looked for in CGCTAB_LIBRARY, beside the installed
package, and where the system looks.  Units: GeV, radian; I in GeV^-6.
"""
import ctypes as c
import os
import pathlib

import numpy as np

T, L = 0, 1
_double_p = c.POINTER(c.c_double)


class Error(Exception):
    """status: as in cgctab.h."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Err(c.Structure):
    _fields_ = [("text", c.c_char * 512)]


class Event(c.Structure):
    """q, k1 in GeV, theta in radian, weight near 1."""
    _fields_ = [(name, c.c_double) for name in ("q", "k1", "theta", "weight")]


def _load():
    here = pathlib.Path(__file__).resolve()
    names = [os.environ.get("CGCTAB_LIBRARY")]
    names += [str(up / "lib" / "libcgctab.so.2") for up in here.parents[1:4]]
    for name in names:
        if name and os.path.exists(name):
            return c.CDLL(name)
    return c.CDLL("libcgctab.so.2")


def _declare(lib):
    p, size = c.c_void_p, c.c_size_t
    err = c.POINTER(_Err)
    d = c.c_double
    signatures = {
        "cgct_version": (c.c_char_p, []),
        "cgct_strerror": (c.c_char_p, [c.c_int]),
        "cgct_open": (c.c_int, [c.c_char_p, c.POINTER(p), err]),
        "cgct_close": (None, [p]),
        "cgct_set_policy": (c.c_int, [p, c.c_int]),
        "cgct_set_negative": (c.c_int, [p, c.c_int]),
        "cgct_meta": (c.c_char_p, [p, c.c_char_p]),
        "cgct_meta_count": (size, [p]),
        "cgct_meta_key": (c.c_char_p, [p, size]),
        "cgct_axis_values": (_double_p, [p, c.c_int, c.POINTER(size)]),
        "cgct_eval_many": (c.c_int, [p, size] + 6 * [_double_p] + [c.POINTER(size)]),
        "cgct_eval_error": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_reference": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_eval_members": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_uncertainty": (c.c_int, [p] + 5 * [d] + 3 * [_double_p]),
        "cgct_member_name": (c.c_char_p, [p, size]),
        "cgct_check": (c.c_int, [p] + 5 * [d] + [err]),
        "cgct_slice_init": (c.c_int, [c.POINTER(p), p, d, d, err]),
        "cgct_slice_many": (c.c_int, [p, size] + 4 * [_double_p] + [c.POINTER(size)]),
        "cgct_slice_free": (None, [p]),
        "cgct_sampler_init": (c.c_int, [c.POINTER(p), p, d * 2, err]),
        "cgct_sample": (c.c_int, [p, d * 5, c.POINTER(Event)]),
        "cgct_sample_many": (c.c_int, [p, size, _double_p, c.c_void_p, c.POINTER(size)]),
        "cgct_sampler_total": (d, [p]),
        "cgct_sampler_free": (None, [p]),
    }
    for name, (result, arguments) in signatures.items():
        f = getattr(lib, name)
        f.restype, f.argtypes = result, arguments
    return lib


_lib = _declare(_load())
__version__ = _lib.cgct_version().decode()


def _require(status, err=None):
    if status:
        text = (err.text if err else b"") or _lib.cgct_strerror(status)
        raise Error(status, text.decode())


def _arrays(*values):
    """Contiguous arrays of doubles of one shape, their pointers, and an array for the results."""
    arrays = [np.ascontiguousarray(a, dtype=float)
              for a in np.broadcast_arrays(*[np.asarray(v, dtype=float) for v in values])]
    out = np.empty(arrays[0].shape + (2,))
    pointers = [a.ctypes.data_as(_double_p) for a in arrays + [out]]
    return arrays, pointers, out


class Table:
    """A table, or FILE@MEMBER; call it with x, eps, q, k1, theta.  on_error: "raise", or "nan" for
    the points that fail.  policy: what happens outside the range, "error" or "freeze".  negative:
    interpolated values below 0 become 0, "zero", or are kept, "keep"."""

    def __init__(self, path, policy="error", negative="zero"):
        self._handle, err = c.c_void_p(), _Err()
        _require(_lib.cgct_open(os.fsencode(path), c.byref(self._handle), c.byref(err)), err)
        _require(_lib.cgct_set_policy(self._handle, ["error", "freeze"].index(policy)))
        _require(_lib.cgct_set_negative(self._handle, ["zero", "keep"].index(negative)))

    def __del__(self):
        _lib.cgct_close(self._handle)

    @property
    def meta(self):
        keys = [_lib.cgct_meta_key(self._handle, i)
                for i in range(_lib.cgct_meta_count(self._handle))]
        return {k.decode(): _lib.cgct_meta(self._handle, k).decode("utf-8", "replace")
                for k in keys}

    def axis(self, name):
        """Nodes in "x", "eps" or "q"."""
        n = c.c_size_t()
        v = _lib.cgct_axis_values(self._handle, ["x", "eps", "q"].index(name), c.byref(n))
        return np.array(v[:n.value])

    def __call__(self, x, eps, q, k1, theta, on_error="raise"):
        arrays, pointers, out = _arrays(x, eps, q, k1, theta)
        first = c.c_size_t()
        status = _lib.cgct_eval_many(self._handle, arrays[0].size, *pointers, c.byref(first))
        if status and on_error == "raise":
            self._raise(status, [float(a.flat[first.value]) for a in arrays])
        return out

    def _raise(self, status, point):
        err = _Err()
        _lib.cgct_check(self._handle, *point, c.byref(err))
        _require(status, err)

    def _at(self, call, point, *shapes):
        """Arrays of these shapes that a call fills at one point."""
        out = [np.empty(shape) for shape in shapes]
        status = call(self._handle, *point, *[a.ctypes.data_as(_double_p) for a in out])
        if status:
            self._raise(status, point)
        return out

    @property
    def members(self):
        """Their names."""
        names = []
        while (name := _lib.cgct_member_name(self._handle, len(names))) is not None:
            names.append(name.decode())
        return names

    def error(self, x, eps, q, k1, theta):
        """A bound on |error of I| at one point, T and L."""
        return self._at(_lib.cgct_eval_error, (x, eps, q, k1, theta), 2)[0]

    def reference(self, x, eps, q, k1, theta):
        """The correlation limit at one point; NaN where it is not known."""
        return self._at(_lib.cgct_reference, (x, eps, q, k1, theta), 2)[0]

    def of_members(self, x, eps, q, k1, theta):
        """All members at one point: array (members, 2)."""
        shape = (len(self.members), 2)
        return self._at(_lib.cgct_eval_members, (x, eps, q, k1, theta), shape)[0]

    def uncertainty(self, x, eps, q, k1, theta):
        """Central value, low and high at one point, T and L each."""
        return self._at(_lib.cgct_uncertainty, (x, eps, q, k1, theta), 2, 2, 2)

    def slice(self, x, eps):
        return Slice(self, x, eps)


class Slice:
    """x and eps blended once; call it with q, k1, theta."""

    def __init__(self, table, x, eps):
        self._table, self._handle, err = table, c.c_void_p(), _Err()
        _require(_lib.cgct_slice_init(c.byref(self._handle), table._handle, x, eps,
                                      c.byref(err)), err)

    def __del__(self):
        _lib.cgct_slice_free(self._handle)

    def __call__(self, q, k1, theta, on_error="raise"):
        arrays, pointers, out = _arrays(q, k1, theta)
        first = c.c_size_t()
        status = _lib.cgct_slice_many(self._handle, arrays[0].size, *pointers, c.byref(first))
        if on_error == "raise":
            _require(status)
        return out

    def sampler(self, factor_T, factor_L):
        return Sampler(self, factor_T, factor_L)


class Sampler:
    """Draws Event objects; random: a callable that gives numbers uniform in [0,1)."""

    def __init__(self, parent, factor_T, factor_L):
        self._parent, self._handle, err = parent, c.c_void_p(), _Err()
        factors = (c.c_double * 2)(factor_T, factor_L)
        _require(_lib.cgct_sampler_init(c.byref(self._handle), parent._handle, factors,
                                        c.byref(err)), err)

    def __del__(self):
        _lib.cgct_sampler_free(self._handle)

    def __call__(self, random):
        event = Event()
        u = (c.c_double * 5)(*[random() for _ in range(5)])
        _require(_lib.cgct_sample(self._handle, u, c.byref(event)))
        return event

    def many(self, u, on_error="raise"):
        """u: array (n, 5), uniform in [0,1).  Returns n records with the fields of Event; on_error
        "nan": those whose u is out of range are NaN."""
        u = np.ascontiguousarray(u, dtype=np.float64)
        if u.ndim != 2 or u.shape[1] != 5:
            raise ValueError(f"u has the shape {u.shape}, want (n, 5)")
        events = np.empty(len(u), dtype=Event)
        status = _lib.cgct_sample_many(self._handle, len(u), u.ctypes.data_as(_double_p),
                                       events.ctypes.data, None)
        if on_error == "raise":
            _require(status)
        return events

    @property
    def total(self):
        return _lib.cgct_sampler_total(self._handle)
