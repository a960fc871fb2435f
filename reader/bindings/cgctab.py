# SPDX-License-Identifier: MIT
"""Read tables of the Color-Glass-Condensate cross section for dijets in deep-inelastic scattering.

    import cgctab
    table = cgctab.Table("demo.cgct")
    I = table(x=0.01, eps=1.2, q=1.0, k1=[2.0, 5.0], theta=1.5)
    I[0][cgctab.T], I[0][cgctab.L]                  # I_T and I_L at k1 = 2 GeV, in GeV^-6

A point is given by

    x      1       momentum fraction at which the target is seen
    eps    GeV     sqrt(z (1-z) Q^2 + mass^2)
    q      GeV     length of k1 + k2, the recoil of the pair
    k1     GeV     transverse momentum of the parton with the label 1
    theta  radian  angle between k1 and q

Each of these is a number or an array.  Arrays are broadcast against each other as in NumPy, and a
result has their common shape and, after it, an axis of length two for T and L: three values of k1
give an array of the shape (3, 2).  Without NumPy an argument is a number or a list, all lists of
one call have the same length, and results are nested lists.

A call that fails raises Error; a word that is not allowed raises ValueError, which names those that
are.  Calls for many points take on_error="nan": points that fail, such as those outside the table,
then give NaN, and the others their values.

Tables, slices and samplers never change: a copy of one is the object itself, and any number of
threads may use it.  A pickle, and so a process that multiprocessing starts, gets the path of the
file and the name of the member, and opens the file again.
"""
from __future__ import annotations

import ctypes as c
import math
import os
import pathlib
from typing import (TYPE_CHECKING, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple,
                    Union)

try:
    import numpy as np
except ImportError:
    np = None

if TYPE_CHECKING:
    import numpy
    Numbers = Union[float, Sequence[float], numpy.ndarray]
    Array = Union[numpy.ndarray, list]

__all__ = ["Table", "Slice", "PaSlice", "Soft", "Sampler", "Event", "Error", "dis_factors",
           "dis_fluxes", "dis_point", "dijet_variables", "dijet_momenta", "Variables", "pa_factor",
           "CHANNELS", "PB", "ELECTRON_MASS", "T", "L", "GLUON", "LEPTON_IN", "LEPTON", "QUARK",
           "ANTIQUARK"]

T, L = 0, 1  # index of the wave function of a table, and of the photon's polarisation
GLUON, LEPTON_IN, LEPTON, QUARK, ANTIQUARK = range(5)  # index of a four-momentum
CHANNELS = ("qg", "gg", "qqb")  # of dijets of a proton
PB = 0.3893793721e9  # picobarn in 1/GeV^2
ELECTRON_MASS = 0.51099895e-3  # GeV
_E_DOMAIN = 3  # of cgct_status
_double_p = c.POINTER(c.c_double)


class Error(Exception):
    """Raised by a call that fails.  The text names the value and what is allowed; status is the
    number of cgct_status in cgctab.h."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status

    def __reduce__(self):  # without it a pool of processes waits forever for a result that failed
        return type(self), (self.status, str(self))


class _Err(c.Structure):
    _fields_ = [("text", c.c_char * 512)]


class _Dis(c.Structure):
    _fields_ = [(name, c.c_double) for name in ("alpha_em", "e_q2", "S_perp", "z", "Q2", "mass")]


class _Dijet(c.Structure):
    _fields_ = [(name, c.c_double) for name in ("lepton", "target", "lepton_mass", "Q2", "y", "W",
                                                "z", "mass", "k1_x", "k1_y", "k2_x", "k2_y",
                                                "turn")]


class _Info(c.Structure):
    """cgct_info of cgctab.h."""
    _fields_ = ([(name, c.c_int) for name in ("format_major", "format_minor", "data_version",
                                              "policy", "negative")]
                + [(name, c.c_double * 2) for name in ("x", "eps", "q")]
                + [(name, c.c_double) for name in ("k_max", "k0", "x_from")]
                + [("order", c.c_int * 4)]
                + [(name, c.c_size_t) for name in ("nq", "nk_lower", "nk_upper", "modes", "members",
                                                   "member", "segments", "rank")]
                + [("file_bytes", c.c_double), ("memory_bytes", c.c_double),
                   ("checksum", c.c_ulonglong)])


class Event(c.Structure):
    """A sampled event: q and k1 in GeV, theta in radian from -pi to pi, and a weight near 1."""
    _fields_ = [(name, c.c_double) for name in ("q", "k1", "theta", "weight")]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name):.6g}" for name, _ in self._fields_)
        return f"Event({values})"


# ---- the shared library ----


def _load():
    """The library that CGCTAB_LIBRARY names, the one beside this file (a wheel), the one of the
    installation that this file belongs to, or the one that the system finds."""
    here, name = pathlib.Path(__file__).resolve(), "libcgctab.so.2"
    given = os.environ.get("CGCTAB_LIBRARY")
    folders = [here.parent] + [up / "lib" for up in list(here.parents)[1:4]]
    found = [str(folder / name) for folder in folders if (folder / name).exists()]
    return c.CDLL(given or (found + [name])[0])


class _SoftOptions(c.Structure):
    _fields_ = [(n, c.c_int) for n in ("hadrons", "isotropic")] + \
        [(n, c.c_double) for n in ("radius", "coupling", "cap", "cut", "scale", "z")]


def _declare(lib):
    p, size = c.c_void_p, c.c_size_t
    err = c.POINTER(_Err)
    d = c.c_double
    signatures = {
        "cgct_version": (c.c_char_p, []),
        "cgct_strerror": (c.c_char_p, [c.c_int]),
        "cgct_open": (c.c_int, [c.c_char_p, c.POINTER(p), err]),
        "cgct_open_memory": (c.c_int, [c.c_char_p, size, c.c_char_p, c.POINTER(p), err]),
        "cgct_load": (c.c_int, [p, err]),
        "cgct_open_member": (c.c_int, [p, c.c_char_p, c.POINTER(p), err]),
        "cgct_close": (None, [p]),
        "cgct_set_policy": (c.c_int, [p, c.c_int]),
        "cgct_set_negative": (c.c_int, [p, c.c_int]),
        "cgct_meta": (c.c_char_p, [p, c.c_char_p]),
        "cgct_meta_count": (size, [p]),
        "cgct_meta_key": (c.c_char_p, [p, size]),
        "cgct_axis_values": (_double_p, [p, c.c_int, c.POINTER(size)]),
        "cgct_table_info": (c.c_int, [p, c.POINTER(_Info)]),
        "cgct_table_path": (c.c_char_p, [p]),
        "cgct_eval_many": (c.c_int, [p, size] + 6 * [_double_p] + [c.POINTER(size)]),
        "cgct_eval_error": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_reference": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_member_name": (c.c_char_p, [p, size]),
        "cgct_member_S_perp": (d, [p, size]),
        "cgct_eval_members": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_reference_members": (c.c_int, [p] + 5 * [d] + [_double_p]),
        "cgct_uncertainty": (c.c_int, [p] + 5 * [d] + 3 * [_double_p]),
        "cgct_uncertainty_of": (c.c_int, [p, _double_p, _double_p]),
        "cgct_eval_one": (c.c_int, [p, c.c_int, d * 5, _double_p, _double_p]),
        "cgct_eval_one_members": (c.c_int, [p, c.c_int, d * 5, _double_p, _double_p]),
        "cgct_dsigma": (c.c_int, [p, c.POINTER(_Dis)] + 4 * [d] + [_double_p]),
        "cgct_dsigma_members": (c.c_int, [p, c.POINTER(_Dis)] + 4 * [d] + [_double_p]),
        "cgct_dis_fluxes": (c.c_int, 4 * [d] + [_double_p]),
        "cgct_dijet_variables": (c.c_int, [c.POINTER(_Dijet), _double_p]),
        "cgct_dijet_momenta": (c.c_int, [c.POINTER(_Dijet), _double_p]),
        "cgct_check": (c.c_int, [p] + 5 * [d] + [err]),
        "cgct_slice_init": (c.c_int, [c.POINTER(p), p, d, d, err]),
        "cgct_slice_many": (c.c_int, [p, size] + 4 * [_double_p] + [c.POINTER(size)]),
        "cgct_slice_free": (None, [p]),
        "cgct_dis_factors": (c.c_int, [c.POINTER(_Dis), _double_p, _double_p]),
        "cgct_sampler_init": (c.c_int, [c.POINTER(p), p, d * 2, err]),
        "cgct_sample": (c.c_int, [p, d * 5, c.POINTER(Event)]),
        "cgct_sample_many": (c.c_int, [p, size, _double_p, c.c_void_p, c.POINTER(size)]),
        "cgct_sampler_total": (d, [p]),
        "cgct_sampler_left_out": (d, [p]),
        "cgct_sampler_free": (None, [p]),
        "cgct_soft_parse": (c.c_int, [c.c_char_p, c.POINTER(_SoftOptions), err]),
        "cgct_soft_init": (c.c_int, [c.POINTER(p), p, d, d, c.POINTER(_SoftOptions), err]),
        "cgct_soft_eval": (c.c_int, [p] + 3 * [d] + 3 * [_double_p]),
        "cgct_soft_kernel": (d, [p, d, d, d, _double_p]),
        "cgct_soft_free": (None, [p]),
        "cgct_pa_eval": (c.c_int, [p, c.c_int, d * 6, _double_p, _double_p]),
        "cgct_pa_dilute": (c.c_int, [p, c.c_int, d * 6, _double_p, _double_p]),
        "cgct_pa_check": (c.c_int, [p, c.c_int, d * 6, err]),
        "cgct_pa_factor": (d, [c.c_int, d]),
        "cgct_pa_slice_init": (c.c_int, [c.POINTER(p), p, d, err]),
        "cgct_pa_slice_eval": (c.c_int, [p, c.c_int, d * 5, _double_p]),
        "cgct_pa_slice_free": (None, [p]),
    }
    for name, (result, arguments) in signatures.items():
        f = getattr(lib, name)
        f.restype, f.argtypes = result, arguments
    return lib


_lib = _declare(_load())
__version__ = _lib.cgct_version().decode()


def _require(status, err=None, where=""):
    if status:
        text = (err.text if err else b"") or _lib.cgct_strerror(status)
        raise Error(status, where + text.decode("utf-8", "replace"))


def _number_of(what, word, allowed):
    """Which of the allowed words it is."""
    if word not in allowed:
        raise ValueError(f"{what} {word!r}: allowed are {', '.join(map(repr, allowed))}")
    return allowed.index(word)


def _raises(on_error):
    return _number_of("on_error", on_error, ("raise", "nan")) == 0


# ---- arrays: flat buffers of doubles, NumPy's or those of ctypes ----


def _floats(values):
    """NumPy's array of real numbers."""
    if np.iscomplexobj(values):
        raise TypeError("complex numbers, want real ones")
    return np.asarray(values, dtype=float)


def _columns(values):
    """The common shape of the arguments, and a buffer for each."""
    if np is not None:
        arrays = np.broadcast_arrays(*map(_floats, values))
        return arrays[0].shape, [np.ascontiguousarray(a).ravel() for a in arrays]
    lengths = sorted({len(v) for v in values if hasattr(v, "__len__")})
    if len(lengths) > 1:
        raise ValueError(f"lists of the lengths {lengths}: without NumPy they must be equal")
    n = lengths[0] if lengths else 1
    lists = [v if hasattr(v, "__len__") else n * [v] for v in values]
    return tuple(lengths), [(c.c_double * n)(*v) for v in lists]


def _empty(size):
    return np.empty(size) if np is not None else (c.c_double * size)()


def _pointer(buffer, first=0):
    """To the number `first` of a buffer."""
    address = c.addressof(buffer) if np is None else buffer.ctypes.data
    return c.cast(address + 8 * first, _double_p)


def _many(function, handle, arguments):
    """The common shape of the arguments, function's T and L at all of their points, its status, and
    the point that it is of."""
    shape, columns = _columns(arguments)
    first, size = c.c_size_t(), len(columns[0])
    out = _empty(2 * size)
    status = function(handle, size, *map(_pointer, columns), _pointer(out), c.byref(first))
    return shape, out, status, [v[first.value] for v in columns] if status else []


def _shaped(buffer, shape):
    if np is not None:
        return buffer.reshape(shape)
    values = list(buffer)
    for n in reversed(shape[1:]):
        values = [values[i:i + n] for i in range(0, len(values), n)]
    return values


def _at_each(function, arguments, width, parts=1):
    """The common shape of the arguments, and a buffer with `width` numbers for each of their
    points, which function(*pointers, *point) fills in: a pointer to each of so many equal parts."""
    shape, columns = _columns(arguments)
    out = _empty(width * len(columns[0]))
    for i, point in enumerate(zip(*columns)):
        pointers = [_pointer(out, width * i + width // parts * j) for j in range(parts)]
        function(*pointers, *map(float, point))
    return shape, out


def _parted(shape, out, width):
    """Number i of each point, for each i: numbers, or arrays of the arguments' shape."""
    parts = [out[i::width] for i in range(width)]
    return tuple(_shaped(v, shape) if shape else float(v[0]) for v in parts)


# ---- what the module offers ----


class _Meta(dict):
    def __missing__(self, key):
        raise KeyError(f"{key!r}: this table has {', '.join(self)}")


class _Held:
    """What the library made of some arguments.  It is freed with the Python object, of which there
    is one: copies are the object itself, and a pickle holds the arguments."""

    def _make(self, function, made_from, *given):
        """With a function that takes a pointer to the handle, what is given, and an error."""
        handle, err = c.c_void_p(), _Err()
        _require(function(c.byref(handle), *given, c.byref(err)), err)
        self._handle, self._made_from = handle, made_from

    def __del__(self):
        self._free(self.__dict__.pop("_handle", None))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return type(self), self._made_from


class Table(_Held):
    """A table, opened from a file; call it with x, eps, q, k1, theta.

    path      file name; "FILE@NAME" or "FILE@17" evaluates that member, otherwise the first one.
              A name without "/" that is no file here is searched for, as it is and with ".cgct"
              behind it, in the folders of CGCTAB_DATA_PATH and among the installed tables.
    policy    outside the table's range: "error" raises Error, "freeze" takes the nearest end; below
              the smallest eps it keeps eps^2 I_T and I_L.
    negative  where I is negative: "zero" returns 0 where its bound explains that and raises Error
              where the dipole gives no positive cross section, "keep" returns the number.

    Several threads may evaluate one table at the same time."""
    _free = _lib.cgct_close

    def __init__(self, path: Union[str, os.PathLike], policy: str = "error",
                 negative: str = "zero"):
        self._take(policy, negative, _lib.cgct_open, os.fsencode(path))
        self._made_from = (self._file(), policy, negative)

    @classmethod
    def from_bytes(cls, data: bytes, member: str = "", policy: str = "error",
                   negative: str = "zero") -> Table:
        """A table from the bytes of its file, for instance of an archive or of another process.
        member is a name or a number; "": the first one.  A pickle of it holds the bytes."""
        self, data = cls.__new__(cls), bytes(data)
        self._take(policy, negative, _lib.cgct_open_memory, data, len(data),
                   os.fsencode(member) or None)
        self._made_from = ("memory", policy, negative)
        self._bytes = data, member
        return self

    def __reduce__(self):
        if "_bytes" in self.__dict__:
            return type(self).from_bytes, self._bytes + self._made_from[1:]
        return super().__reduce__()

    def _file(self):
        found = os.path.abspath(_lib.cgct_table_path(self._handle))
        member = _lib.cgct_member_name(self._handle, self._info.member)
        if member.isdigit():  # a name that would be read as a number
            member = b"%d" % self._info.member
        return os.fsdecode(found + (b"@" + member if member else b""))

    def _take(self, policy, negative, function, *given):
        words = (_number_of("policy", policy, ("error", "freeze")),
                 _number_of("negative", negative, ("zero", "keep")))
        handle, err = c.c_void_p(), _Err()
        _require(function(*given, c.byref(handle), c.byref(err)), err)
        self._handle = handle
        _require(_lib.cgct_set_policy(handle, words[0]))
        _require(_lib.cgct_set_negative(handle, words[1]))
        self._info = _Info()
        _require(_lib.cgct_table_info(handle, c.byref(self._info)))

    def member(self, member: Union[int, str]) -> Table:
        """The same table with another member, which shares what the file holds."""
        other = type(self).__new__(type(self))
        path, policy, negative = self._made_from
        other._whole = self  # shares its memory, which must not be freed before
        other._take(policy, negative, _lib.cgct_open_member, self._handle,
                    os.fsencode(str(member)))
        if "_bytes" in self.__dict__:
            other._bytes = self._bytes[0], str(member)
        else:
            path = other._file()
        other._made_from = (path, policy, negative)
        return other

    def load(self) -> None:
        """Unpacks and checks all that no call has needed yet; no later call takes longer then."""
        err = _Err()
        _require(_lib.cgct_load(self._handle, c.byref(err)), err)

    def __repr__(self) -> str:
        path, policy, negative = self._made_from
        x, eps, q = ("%.4g to %.4g" % v for v in self.ranges.values())
        name = self.members[self._info.member]
        of_each = "; " + self.meta.get("dipole", "not stated")  # "; NAME: dipole; NAME: dipole"
        dipole = of_each.partition(f"; {name}: ")[2].partition("; ")[0] or of_each[2:]
        if len(dipole) > 70:
            dipole = dipole[:70].rpartition(" ")[0] + " ..."
        return (f"<cgctab.Table {path!r}, member {self._info.member} of {self._info.members}, "
                f"policy {policy!r}, negative {negative!r}; x {x}, eps {eps} GeV, q {q} GeV, "
                f"shorter of k1 and k2 up to {self.k_max:.4g} GeV; dipole {dipole}>")

    @property
    def ranges(self) -> Dict[str, Tuple[float, float]]:
        """First and last value of "x", "eps" and "q" (GeV), beyond which policy decides."""
        return {name: tuple(getattr(self._info, name)) for name in ("x", "eps", "q")}

    @property
    def k_max(self) -> float:
        """Largest value of the shorter of k1 and k2 = |q - k1|, GeV."""
        return self._info.k_max

    @property
    def meta(self) -> Dict[str, str]:
        """The metadata: dipole, run card ("card"), measured accuracy and so on."""
        keys = [_lib.cgct_meta_key(self._handle, i)
                for i in range(_lib.cgct_meta_count(self._handle))]
        return _Meta((k.decode("utf-8", "replace"),
                      _lib.cgct_meta(self._handle, k).decode("utf-8", "replace")) for k in keys)

    @property
    def members(self) -> List[str]:
        """Names of the members of an ensemble; [""] for a table of one member without a name."""
        names = []
        while (name := _lib.cgct_member_name(self._handle, len(names))) is not None:
            names.append(name.decode("utf-8", "replace"))
        return names

    def S_perp(self, member: Optional[Union[int, str]] = None) -> float:
        """Transverse area of the target of a member, given by number or name (default: the one
        that is evaluated), in GeV^-2; NaN where the file does not state it."""
        if member is None:
            return _lib.cgct_member_S_perp(self._handle, self._info.member)
        names = self.members
        allowed = names + list(range(len(names)))
        number = _number_of("member", member, allowed) % len(names)
        return _lib.cgct_member_S_perp(self._handle, number)

    def axis(self, name: str) -> Array:
        """The nodes in "x", "eps" or "q": eps and q in GeV, shape (n,)."""
        n = c.c_size_t()
        which = _number_of("axis", name, ("x", "eps", "q"))
        v = _lib.cgct_axis_values(self._handle, which, c.byref(n))
        return np.array(v[:n.value]) if np is not None else v[:n.value]

    def __call__(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
                 on_error: str = "raise") -> Array:
        """I_T and I_L in GeV^-6, shape (..., 2).  Fastest where points with the same x and eps are
        neighbours."""
        raises = _raises(on_error)
        shape, out, status, point = _many(_lib.cgct_eval_many, self._handle, (x, eps, q, k1, theta))
        if raises:
            self._checked(status, *point)
        return _shaped(out, shape + (2,))

    def _checked(self, status, *point):
        """Raises what cgct_check says of a point that failed."""
        err = _Err()
        if status:
            _lib.cgct_check(self._handle, *map(float, point), c.byref(err))
        _require(status, err)

    def _each(self, function, after, arguments, on_error, outputs=1, place=None):
        """Calls function, which fills so many equal parts of an array of the shape `after`, at
        every point; place makes x, eps, q, k1, theta of one that is given otherwise."""
        raises = _raises(on_error)

        def one(*given):
            parts, point = given[:outputs], given[outputs:]
            status = function(self._handle, *point, *parts)
            if raises and status:
                self._checked(status, *(place(*point) if place else point))
        shape, out = _at_each(one, arguments, math.prod(after), outputs)
        return _shaped(out, shape + after)

    def eval_one(self, polarisation: int, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers,
                 theta: Numbers, on_error: str = "raise") -> Array:
        """I of one polarisation, T or L, and the bound on its error, GeV^-6, shape (..., 2): in
        less time than both polarisations."""
        def one(handle, *point):
            at = (c.c_double * 5)(*point[:5])
            return _lib.cgct_eval_one(handle, polarisation, at, *point[5:])
        return self._each(one, (2,), (x, eps, q, k1, theta), on_error, 2)

    def eval_one_members(self, polarisation: int, x: Numbers, eps: Numbers, q: Numbers,
                         k1: Numbers, theta: Numbers, on_error: str = "raise") -> Array:
        """I of one polarisation, T or L, of every member, GeV^-6, shape (..., len(members))."""
        def one(handle, *point):
            at = (c.c_double * 5)(*point[:5])
            return _lib.cgct_eval_one_members(handle, polarisation, at, point[5], None)
        return self._each(one, (self._info.members,), (x, eps, q, k1, theta), on_error)

    def error(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
              on_error: str = "raise") -> Array:
        """A bound on the error of I_T and I_L, GeV^-6, shape (..., 2); infinite where none is
        known.  It covers computation, rounding, compression and interpolation, but not the
        physical uncertainty of the dipole: see uncertainty."""
        return self._each(_lib.cgct_eval_error, (2,), (x, eps, q, k1, theta), on_error)

    def reference(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
                  on_error: str = "raise") -> Array:
        """The correlation limit of I_T and I_L with all kinematic twists, GeV^-6, shape (..., 2);
        NaN where it is not known.  I/reference - 1 is the genuine saturation correction."""
        return self._each(_lib.cgct_reference, (2,), (x, eps, q, k1, theta), on_error)

    def eval_members(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
                     on_error: str = "raise") -> Array:
        """I_T and I_L of every member, GeV^-6, shape (..., len(members), 2)."""
        shape = (self._info.members, 2)
        return self._each(_lib.cgct_eval_members, shape, (x, eps, q, k1, theta), on_error)

    def reference_members(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
                          on_error: str = "raise") -> Array:
        """As reference, of every member with its own dipole: shape (..., len(members), 2)."""
        shape = (self._info.members, 2)
        return self._each(_lib.cgct_reference_members, shape, (x, eps, q, k1, theta), on_error)

    def uncertainty(self, x: Numbers, eps: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
                    on_error: str = "raise") -> Array:
        """What the members say of the dipole's uncertainty: I_T and I_L in GeV^-6, shape
        (..., 3, 2), where the axis of length three holds the central value, the lower and the upper
        one.  The central one is that of the first member; meta["uncertainty"] says how the others
        follow from the members that meta["comparison"] does not name: "replicas" (16th and 84th
        percentile of those behind the first), "hessian" (quadratic sums of the pairs' differences)
        or "none" (smallest and largest value)."""
        return self._each(_lib.cgct_uncertainty, (3, 2), (x, eps, q, k1, theta), on_error, 3)

    def dsigma(self, x: Numbers, z: Numbers, Q2: Numbers, q: Numbers, k1: Numbers, theta: Numbers,
               alpha_em: float = 1 / 137.036, e_q2: float = 1.0, S_perp: float = 0.0,
               mass: Numbers = 0.0, on_error: str = "raise") -> Array:
        """The cross sections of dis_factors for transverse and longitudinal photons, GeV^-6, shape
        (..., 2); with the area of the table's member where S_perp is 0."""
        return self._dsigma(_lib.cgct_dsigma, (2,), (x, z, Q2, q, k1, theta, mass),
                            (alpha_em, e_q2, S_perp), on_error, [self._info.member])

    def dsigma_members(self, x: Numbers, z: Numbers, Q2: Numbers, q: Numbers, k1: Numbers,
                       theta: Numbers, alpha_em: float = 1 / 137.036, e_q2: float = 1.0,
                       S_perp: float = 0.0, mass: Numbers = 0.0, on_error: str = "raise") -> Array:
        """As dsigma, of every member, shape (..., len(members), 2); each with its own transverse
        area where S_perp is 0."""
        members = self._info.members
        return self._dsigma(_lib.cgct_dsigma_members, (members, 2), (x, z, Q2, q, k1, theta, mass),
                            (alpha_em, e_q2, S_perp), on_error, range(members))

    def _dsigma(self, function, after, point, constants, on_error, members):
        alpha_em, e_q2, S_perp = constants
        for i in members:
            if S_perp == 0 and math.isnan(_lib.cgct_member_S_perp(self._handle, i)):
                raise Error(_E_DOMAIN, f"{self._made_from[0]}: states no transverse area of member "
                                       f"{i} {self.members[i]}".rstrip() + ", give S_perp")

        def one(handle, x, z, Q2, q, k1, theta, mass, out):
            dis = _Dis(alpha_em, e_q2, S_perp, z, Q2, mass)
            return function(handle, c.byref(dis), x, q, k1, theta, out)

        def place(x, z, Q2, q, k1, theta, mass):
            eps = dis_factors(z, Q2, S_perp or 1.0, alpha_em, e_q2, mass)[0]
            return x, eps, q, k1, theta
        return self._each(one, after, point, on_error, place=place)

    def uncertainty_of(self, values: Array) -> Array:
        """Central value, lower and upper one, shape (..., 3), of any quantity that was computed for
        every member, shape (..., len(members)), by the rules of uncertainty.  Without NumPy values
        is a list with a number for each member."""
        members = self._info.members
        shape, (flat,) = _columns((values,))
        if shape[-1:] != (members,):
            raise ValueError(f"values have the shape {shape}, want (..., {members})")
        out = _empty(len(flat) // members * 3)
        for i in range(len(flat) // members):
            _require(_lib.cgct_uncertainty_of(self._handle, _pointer(flat, i * members),
                                              _pointer(out, 3 * i)))
        return _shaped(out, shape[:-1] + (3,))

    def pa(self, channel: str, x: Numbers, z: Numbers, k1: Numbers, k2: Numbers, angle: Numbers,
           Lambda: Numbers, on_error: str = "raise", dilute: bool = False) -> Array:
        """T of dijets of a proton and a nucleus and a bound on its error, GeV^-4, shape (..., 2),
        from a table of these.  channel: "qg" (k1 is the gluon), "gg" or "qqb"; z: the share of the
        parton with k1; angle between k1 and k2; Lambda: the scale of double scattering, GeV.
        pa_factor(channel, z) x_p f(x_p) alpha_s S_perp T is dsigma/(dy1 dy2 d2k1 d2k2).
        dilute: T where the target scatters once."""
        call = _lib.cgct_pa_dilute if dilute else _lib.cgct_pa_eval
        raises, number = _raises(on_error), _number_of("channel", channel, CHANNELS)
        err = _Err()

        def one(out, bound, *point):
            at = (c.c_double * 6)(*point)
            status = call(self._handle, number, at, out, bound)
            if raises and status:
                _lib.cgct_pa_check(self._handle, number, at, c.byref(err))
                _require(status, err)
        shape, out = _at_each(one, (x, z, k1, k2, angle, Lambda), 2, 2)
        return _shaped(out, shape + (2,))

    def pa_slice(self, x: float) -> PaSlice:
        """The table of dijets of a proton at fixed x, for many points."""
        return PaSlice(self, x)

    def slice(self, x: float, eps: float) -> Slice:
        """The table at fixed x and eps (GeV), for many (q, k1, theta) and for sampling."""
        return Slice(self, x, eps)

    def soft(self, x: float, eps: float, options: str = "jets") -> Soft:
        """The table at fixed x and eps (GeV) with soft gluons: see Soft."""
        return Soft(self, x, eps, options)


class Slice(_Held):
    """A table at fixed x and eps (GeV), whose interpolation in these is done once; call it with q,
    k1 (GeV) and theta (radian).  Table.slice makes it."""
    _free = _lib.cgct_slice_free

    def __init__(self, table: Table, x: float, eps: float):
        self._make(_lib.cgct_slice_init, (table, x, eps), table._handle, x, eps)

    def __repr__(self) -> str:
        table, x, eps = self._made_from
        return f"<cgctab.Slice at x = {x:.6g}, eps = {eps:.6g} GeV of {table!r}>"

    def __call__(self, q: Numbers, k1: Numbers, theta: Numbers,
                 on_error: str = "raise") -> Array:
        """I_T and I_L in GeV^-6, shape (..., 2)."""
        raises = _raises(on_error)
        shape, out, status, point = _many(_lib.cgct_slice_many, self._handle, (q, k1, theta))
        if raises:
            table, x, eps = self._made_from
            table._checked(status, x, eps, *point)
        return _shaped(out, shape + (2,))

    def sampler(self, factor_T: float, factor_L: float) -> Sampler:
        """A sampler of factor_T I_T + factor_L I_L.  With the matrix F of dis_factors and the
        fluxes f of dis_fluxes these are f[T] F[T][T] and f[T] F[T][L] + f[L] F[L][L]."""
        return Sampler(self, factor_T, factor_L)


class PaSlice(_Held):
    """Dijets of a proton and a nucleus at fixed x; Table.pa_slice makes it."""
    _free = _lib.cgct_pa_slice_free

    def __init__(self, table: Table, x: float):
        self._make(_lib.cgct_pa_slice_init, (table, x), table._handle, x)

    def __call__(self, channel: str, z: Numbers, k1: Numbers, k2: Numbers, angle: Numbers,
                 Lambda: Numbers, on_error: str = "raise") -> Array:
        """T in GeV^-4 as of Table.pa, in the shape of the arguments."""
        raises, number = _raises(on_error), _number_of("channel", channel, CHANNELS)
        table, x = self._made_from
        err = _Err()

        def one(out, *point):
            status = _lib.cgct_pa_slice_eval(self._handle, number, (c.c_double * 5)(*point), out)
            if raises and status:
                at = (c.c_double * 6)(x, *point)
                _lib.cgct_pa_check(table._handle, number, at, c.byref(err))
                _require(status, err)
        shape, out = _at_each(one, (z, k1, k2, angle, Lambda), 1)
        return _shaped(out, shape) if shape else out[0]


def pa_factor(channel: str, z: float) -> float:
    """dsigma/(dy1 dy2 d2k1 d2k2) of Table.pa over x_p f(x_p) alpha_s S_perp T, with three colours;
    of two gluons both orders are counted, so that an integral over all y1 and y2 counts each pair
    twice; of q qbar it is that of one flavour."""
    return _lib.cgct_pa_factor(_number_of("channel", channel, CHANNELS), z)


class Soft(_Held):
    """A table at fixed x and eps (GeV) whose q is smeared by soft gluons at fixed P = |k1 - q/2|;
    call it with q, k1 (GeV) and theta (radian).  options: "jets" or "hadrons", and behind a colon
    what differs from the defaults, separated by commas: radius=, alpha=, cap=, cut= (GeV), scale=,
    z=, isotropic; cgctab.h explains them.  Table.soft makes it."""
    _free = _lib.cgct_soft_free

    def __init__(self, table: Table, x: float, eps: float, options: str = "jets"):
        wanted, err = _SoftOptions(), _Err()
        _require(_lib.cgct_soft_parse(os.fsencode(options), c.byref(wanted), c.byref(err)), err)
        self._make(_lib.cgct_soft_init, (table, x, eps, options), table._handle, x, eps,
                   c.byref(wanted))

    def __repr__(self) -> str:
        table, x, eps, options = self._made_from
        return f"<cgctab.Soft {options} at x = {x:.6g}, eps = {eps:.6g} GeV of {table!r}>"

    def __call__(self, q: Numbers, k1: Numbers, theta: Numbers,
                 on_error: str = "raise") -> Array:
        """I_S of T and L in GeV^-6, shape (..., 2)."""
        return self._fill((2,), (q, k1, theta), on_error, 1)

    def with_error(self, q: Numbers, k1: Numbers, theta: Numbers,
                   on_error: str = "raise") -> Array:
        """I_S, its error (GeV^-6), and the share of I_S from below the table's first q, each of T
        and L, shape (..., 3, 2).  The error is infinite where the table begins too high."""
        return self._fill((3, 2), (q, k1, theta), on_error, 3)

    def _fill(self, after, arguments, on_error, outputs):
        raises = _raises(on_error)

        def one(*given):
            parts = (*given[:outputs], None, None)[:3]
            q, k1, theta = given[outputs:]
            status = _lib.cgct_soft_eval(self._handle, q, k1, theta, *parts)
            if raises and status:
                _require(status, where=f"q = {q:.9g}, k1 = {k1:.9g} GeV, theta = {theta:.9g}: ")
        shape, out = _at_each(one, arguments, 2 * outputs, outputs)
        return _shaped(out, shape + after)

    def kernel(self, P: float, k: float, phi: float) -> float:
        """The density of the gluons' summed momentum, GeV^-2, at k (GeV) and phi = angle(k,P); NaN
        where it is not known."""
        return _lib.cgct_soft_kernel(self._handle, P, k, phi, None)


class Sampler(_Held):
    """Draws events from factor_T I_T + factor_L I_L of a slice over the measure d2q d2k1, for q in
    the table's range and the shorter of k1 and k2 up to its k_max.  Slice.sampler makes it."""
    _free = _lib.cgct_sampler_free

    def __init__(self, parent: Slice, factor_T: float, factor_L: float):
        self._make(_lib.cgct_sampler_init, (parent, factor_T, factor_L), parent._handle,
                   (c.c_double * 2)(factor_T, factor_L))

    def __repr__(self) -> str:
        parent, factor_T, factor_L = self._made_from
        return f"<cgctab.Sampler of {factor_T:.6g} I_T + {factor_L:.6g} I_L of {parent!r}>"

    def __call__(self, random: Callable[[], float]) -> Event:
        """One event.  random gives numbers uniform in [0,1), such as random.random; it is called
        five times."""
        event = Event()
        u = (c.c_double * 5)(*[random() for _ in range(5)])
        _require(_lib.cgct_sample(self._handle, u, c.byref(event)),
                 where=f"{u[:]}, want numbers in [0,1): ")
        return event

    def many(self, u: Union[Sequence[Sequence[float]], numpy.ndarray],
             on_error: str = "raise") -> Union[numpy.ndarray, List[Event]]:
        """n events from u, shape (n, 5), uniform in [0,1): a NumPy array of n records with the
        fields of Event, or without NumPy a list of Event."""
        raises = _raises(on_error)
        if np is not None:
            u = np.ascontiguousarray(_floats(u))
            if u.ndim != 2 or u.shape[1] != 5:
                raise ValueError(f"u has the shape {u.shape}, want (n, 5)")
            events, flat = np.empty(len(u), dtype=Event), u
            address = events.ctypes.data
        else:
            if any(len(row) != 5 for row in u):
                raise ValueError("a row of u has not five numbers, want (n, 5)")
            events, flat = (Event * len(u))(), _columns([[v for row in u for v in row]])[1][0]
            address = c.addressof(events)
        first = c.c_size_t()
        status = _lib.cgct_sample_many(self._handle, len(u), _pointer(flat), address,
                                       c.byref(first))
        if raises:
            _require(status, where=f"row {first.value} of u, want numbers in [0,1): ")
        return events if np is not None else list(events)

    @property
    def total(self) -> float:
        """The integral over that range: mean weight times total estimates the cross section.  In
        GeV^-2 for factors without dimension."""
        return _lib.cgct_sampler_total(self._handle)

    @property
    def left_out(self) -> float:
        """The integral of |density| over places that are left out because the mean over the angle
        is negative there (negative="keep")."""
        return _lib.cgct_sampler_left_out(self._handle)


def dis_point(Q2: Numbers, y: Numbers, z: Numbers, K: Numbers, phi: Numbers, q: Numbers,
              s: Numbers,
              mass: Numbers = 0.0) -> Tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
    """x, eps, q, k1, theta as a table takes them, with transverse momenta in the frame where photon
    and target collide head-on:

        x = (Q2 + q^2 + M2)/(y s)              M2 = (K^2 + mass^2)/(z (1-z)): of the dijet
        eps = sqrt(z (1-z) Q2 + mass^2)        k1 = K + z q as vectors

    Q2: virtuality in GeV^2, 0 for a real photon; y: inelasticity; z: share of the photon of the
    parton with momentum k1; K, q: lengths in GeV of the relative momentum K = (1-z) k1 - z k2 and
    of q = k1 + k2; phi: angle between K and q in radian; s: square of the energy of electron and
    target, per nucleon, in the centre of mass, 4 E_e E_p, in GeV^2; mass: of both partons, GeV.
    The measures d2k1 d2k2 and d2q d2K are equal.  The same dijet with the labels of its partons
    exchanged has 1 - z, K and phi + pi.  At z = 1/2, K is k1 - q/2."""
    def one(out, Q2, y, z, K, phi, q, s, mass):
        good = K >= 0 and q > 0 and s > 0 and y > 0 and (Q2 > 0 or mass > 0)
        if good:
            along, across = K * math.cos(phi) + z * q, K * math.sin(phi)
            beam = math.sqrt(s) / 2
            dijet = _Dijet(beam, beam, 0, Q2, y, 0, z, mass, along, across, q - along, -across, 0)
            good = not _lib.cgct_dijet_variables(c.byref(dijet), out)
        if not good:
            raise Error(_E_DOMAIN, f"Q2 = {Q2:.9g} GeV^2, y = {y:.9g}, z = {z:.9g}, K = {K:.9g} "
                        f"GeV, q = {q:.9g} GeV, s = {s:.9g} GeV^2, mass = {mass:.9g} GeV: all must "
                        "be positive (K may be 0, and Q2 or mass), y and z below 1, y s above Q2")
        out[2] = q
    return _parted(*_at_each(one, (Q2, y, z, K, phi, q, s, mass), 10), 10)[:5]


class Variables(NamedTuple):
    """Of a dijet: x, eps, q, k1, theta as a table takes them; y; W in GeV; M2, the square of the
    pair's mass in GeV^2; K in GeV, the length of (1-z) k1 - z k2, and phi, its angle to q."""
    x: Numbers
    eps: Numbers
    q: Numbers
    k1: Numbers
    theta: Numbers
    y: Numbers
    W: Numbers
    M2: Numbers
    K: Numbers
    phi: Numbers


def _dijet(function, width, lepton, target, Q2, z, k1, k2, y, W, mass, lepton_mass, turn):
    def one(out, *numbers):
        dijet = _Dijet(*numbers)
        status = function(c.byref(dijet), out)
        if status:
            given = ", ".join(f"{name} = {getattr(dijet, name):.9g}" for name, _ in dijet._fields_)
            raise Error(status, given + ": see dijet_variables for what is allowed")
    return _at_each(one, (lepton, target, lepton_mass, Q2, y, W, z, mass, *k1, *k2, turn), width)


def dijet_variables(lepton: Numbers, target: Numbers, Q2: Numbers, z: Numbers,
                    k1: Tuple[Numbers, Numbers], k2: Tuple[Numbers, Numbers], y: Numbers = 0.0,
                    W: Numbers = 0.0, mass: Numbers = 0.0, lepton_mass: Numbers = ELECTRON_MASS,
                    turn: Numbers = 0.0) -> Variables:
    """What a table takes, and more, of a quark and an antiquark of lepton-nucleon scattering:

        x = (Q2 + q^2 + M2)/(y s)    s = 2 P.l    y s = W^2 + Q2    M2 = (K^2 + mass^2)/(z (1-z))

    lepton, target: energies of the beams in GeV, of the target per nucleon; the lepton comes along
    -z.  Q2: virtuality in GeV^2, at least (lepton_mass y)^2/(1-y); 0 for a real photon, with
    lepton_mass = 0.  y: inelasticity below 1; where it is 0 it follows from W, the energy of photon
    and nucleon in GeV.  z: share of the quark; k1, k2: (x, y) of quark and antiquark in GeV, in the
    frame where photon and target collide head-on; mass: of both, GeV; turn: azimuth of the
    scattered lepton in radian.  y s must be above Q2."""
    return Variables(*_parted(*_dijet(_lib.cgct_dijet_variables, 10, lepton, target, Q2, z, k1, k2,
                                      y, W, mass, lepton_mass, turn), 10))


def dijet_momenta(lepton: Numbers, target: Numbers, Q2: Numbers, z: Numbers,
                  k1: Tuple[Numbers, Numbers], k2: Tuple[Numbers, Numbers], y: Numbers = 0.0,
                  W: Numbers = 0.0, mass: Numbers = 0.0, lepton_mass: Numbers = ELECTRON_MASS,
                  turn: Numbers = 0.0) -> Array:
    """Four-momenta (px, py, pz, E) in GeV in the frame of the beams, shape (..., 5, 4), of GLUON,
    LEPTON_IN, LEPTON, QUARK, ANTIQUARK; arguments as of dijet_variables.  All but the gluon's are
    on their mass shells; the gluon has x of the target and the transverse momentum q."""
    shape, out = _dijet(_lib.cgct_dijet_momenta, 20, lepton, target, Q2, z, k1, k2, y, W, mass,
                        lepton_mass, turn)
    return _shaped(out, shape + (5, 4))


def dis_fluxes(y: Numbers, Q2: Numbers, alpha_em: Numbers = 1 / 137.036,
               lepton_mass: Numbers = ELECTRON_MASS) -> Tuple[Numbers, Numbers]:
    """f_T and f_L, the numbers of transverse and longitudinal photons of a lepton of mass m_l (GeV)
    in dy dQ2, GeV^-2:

        dsigma/(dy dQ2 dz d2k1 d2k2) = f_T dsigma_T + f_L dsigma_L
        f_T = alpha_em/(2 pi y Q2) [1 + (1-y)^2 - 2 (m_l y)^2/Q2]
        f_L = alpha_em/(2 pi y Q2) 2 (1-y)                           Q2 >= (m_l y)^2/(1-y)

    with dsigma_T and dsigma_L of dis_factors.  Times PB that is in pb/GeV^6."""
    def one(out, y, Q2, alpha_em, lepton_mass):
        status = _lib.cgct_dis_fluxes(alpha_em, y, Q2, lepton_mass, out)
        if status:
            raise Error(status, f"y = {y:.9g}, Q2 = {Q2:.9g} GeV^2, alpha_em = {alpha_em:.9g}, "
                        f"lepton_mass = {lepton_mass:.9g} GeV: the first three must be positive, y "
                        "below 1, Q2 at least (lepton_mass y)^2/(1-y)")
    return _parted(*_at_each(one, (y, Q2, alpha_em, lepton_mass), 2), 2)


def dis_factors(z: Numbers, Q2: Numbers, S_perp: Numbers, alpha_em: Numbers = 1 / 137.036,
                e_q2: Numbers = 1.0, mass: Numbers = 0.0) -> Tuple[Numbers, Array]:
    """eps in GeV, and the matrix F, shape (..., 2, 2), of the factors (without dimension) by which
    the cross sections of transverse and longitudinal photons for a quark of this mass follow from
    I_T and I_L: dsigma[photon]/(dz d2k1 d2k2) = F[photon][T] I_T + F[photon][L] I_L,

        dsigma_T = C { [z^2 + (1-z)^2] eps^2 I_T + mass^2 I_L }     eps^2 = z (1-z) Q2 + mass^2
        dsigma_L = C 4 Q2 z^2 (1-z)^2 I_L       C = 2 Nc alpha_em e_q2 S_perp/(2 pi)^6

    z: the quark's share of the photon's momentum; Q2: virtuality in GeV^2, 0 for real photons;
    S_perp: transverse area in GeV^-2 (Table.S_perp); e_q2: squared charge in units of e^2, summed
    over flavours; mass: GeV, not 0 where Q2 is 0."""
    def one(out, z, Q2, S_perp, alpha_em, e_q2, mass):
        eps, dis = c.c_double(), _Dis(alpha_em, e_q2, S_perp, z, Q2, mass)
        status = _lib.cgct_dis_factors(c.byref(dis), c.byref(eps), out)
        if status:
            raise Error(status, f"z = {z:.9g}, Q2 = {Q2:.9g} GeV^2, mass = {mass:.9g} GeV, "
                        f"S_perp = {S_perp:.9g} GeV^-2, alpha_em = {alpha_em:.9g}, e_q2 = "
                        f"{e_q2:.9g}: all must be positive (Q2 or mass may be 0) and z below 1")
        out[4] = eps.value
    shape, out = _at_each(one, (z, Q2, S_perp, alpha_em, e_q2, mass), 5)
    eps = _parted(shape, out, 5)[4]
    if np is not None:
        return eps, out.reshape(shape + (5,))[..., :4].reshape(shape + (2, 2))
    F = [[out[i:i + 2], out[i + 2:i + 4]] for i in range(0, len(out), 5)]
    return eps, F if shape else F[0]
