# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the Python binding, with NumPy or without it.  Run it in a folder with the tables
t.cgct, of one member, and h.cgct, of three."""
import concurrent.futures
import copy
import gc
import math
import multiprocessing
import os
import pathlib
import pickle
import sys
import unittest

import cgctab

np = cgctab.np
POINT = (0.001, 0.5, 3.0, 4.0, 1.0)  # of h.cgct: x, eps, q, k1, theta
GBW = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tables", "gbw.cgct")
U = [[(3 * i + j) % 7 / 7 for j in range(5)] for i in range(4)]


def numbers(values):
    """As nested lists, which compare equal."""
    return values.tolist() if hasattr(values, "tolist") else values


def value_of(table, x):
    return numbers(table(x, 1.0, 1.5, 2.0, 1.0))


class Test(unittest.TestCase):
    def assertClose(self, a, b, tolerance=1e-12):
        self.assertTrue(math.isclose(a, b, rel_tol=tolerance), (a, b))


class Calls(Test):
    def test_factors(self):
        eps, F = cgctab.dis_factors(0.25, 4.0, 36.8, e_q2=0.5, mass=1.5)
        common = 6 / 137.036 * 0.5 * 36.8 / (2 * math.pi)**6
        self.assertClose(eps**2, 3)
        self.assertClose(F[cgctab.T][cgctab.T], common * 0.625 * 3)
        self.assertClose(F[cgctab.T][cgctab.L], common * 2.25)
        self.assertClose(F[cgctab.L][cgctab.L], common * 16 * 0.1875**2)
        self.assertEqual(F[cgctab.L][cgctab.T], 0)
        many = cgctab.dis_factors([0.25, 0.5], 4.0, [36.8, 1.0], e_q2=0.5, mass=1.5)
        self.assertEqual([numbers(v)[0] for v in many], [eps, numbers(F)])
        self.assertEqual([numbers(v)[1] for v in many],
                         list(map(numbers, cgctab.dis_factors(0.5, 4.0, 1.0, e_q2=0.5, mass=1.5))))
        self.assertEqual(cgctab.dis_factors(0.5, 0, 1.0, mass=1.5)[0], 1.5)
        self.assertEqual([len(v) for v in cgctab.dis_factors([], 4.0, 1.0)], [0, 0])
        for wrong in ({"z": [0.5, 1.5]}, {"Q2": 0}, {"mass": -1}):
            with self.assertRaisesRegex(cgctab.Error, "z = .*, Q2 = .*, mass = .*below 1"):
                cgctab.dis_factors(**{"z": 0.5, "Q2": 4.0, "S_perp": 1.0, **wrong})

    def test_point(self):
        Q2, y, z, K, q, s, mass = 4.0, 0.6, 0.3, 3.0, 2.5, 19800.0, 1.4
        angles = [0.4, 1.9, -2.5]
        rows = [numbers(v) for v in cgctab.dis_point(Q2, y, z, K, angles, q, s, mass)]
        for phi, x, eps, same_q, k1, theta in zip(angles, *rows):
            one = (k1 * math.cos(theta), k1 * math.sin(theta))
            two = (q - one[0], -one[1])
            along, across = ((1 - z) * a - z * b for a, b in zip(one, two))
            self.assertClose(math.hypot(along, across), K)
            self.assertClose(math.atan2(across, along), phi)
            mass2 = ((math.hypot(*one)**2 + mass**2) / z + (math.hypot(*two)**2 + mass**2) / (1 - z)
                     - q * q)
            self.assertClose(x, (Q2 + q * q + mass2) / (y * s))
            self.assertClose(eps, math.sqrt(z * (1 - z) * Q2 + mass**2))
            self.assertEqual(same_q, q)
        self.assertEqual(cgctab.dis_point(0, y, z, K, 0, q, s, mass)[1], mass)
        for wrong in ({"z": 1}, {"y": 1.1}, {"Q2": 0}, {"K": -1}, {"q": 0}, {"s": -1}, {"s": 1}):
            arguments = dict(Q2=Q2, y=y, z=z, K=K, phi=0, q=q, s=s)
            with self.assertRaisesRegex(cgctab.Error, "y and z below 1"):
                cgctab.dis_point(**{**arguments, **wrong})

    def test_fluxes(self):
        f_T, f_L = cgctab.dis_fluxes([0.25, 0.5], 4.0, alpha_em=0.01, lepton_mass=0)
        self.assertClose(f_T[0], 0.01 / (2 * math.pi) * (1 + 0.75**2))
        self.assertClose(f_L[0], 0.01 / math.pi * 0.75)
        f_T, f_L = cgctab.dis_fluxes(0.5, 1e-6, alpha_em=0.01)
        self.assertClose(f_T, 1e4 / math.pi * (1.25 - cgctab.ELECTRON_MASS**2 * 0.5e6))
        self.assertClose(cgctab.PB, 0.1973269804**2 * 1e10, 1e-9)  # (hbar c)^2, fm^2 GeV^2
        with self.assertRaisesRegex(cgctab.Error, "y = 0,"):
            cgctab.dis_fluxes(0, 4.0)
        with self.assertRaisesRegex(cgctab.Error, "Q2 at least"):
            cgctab.dis_fluxes(0.5, 1e-9)

    def test_dijet(self):
        dijet = dict(lepton=18.0, target=275.0, Q2=4.0, z=0.3, k1=(3.0, [1.0, 2.0]), k2=(-2.0, 1.0),
                     y=0.6, mass=1.4)
        v, p = cgctab.dijet_variables(**dijet), cgctab.dijet_momenta(**dijet)
        self.assertEqual((len(p), len(p[0]), len(p[0][0])), (2, 5, 4))
        one = cgctab.dijet_variables(**{**dijet, "k1": (3.0, 2.0)})
        self.assertEqual([numbers(column)[1] for column in v], list(one))
        self.assertClose(one.q, math.hypot(1, 3))
        x, y, z, energy = numbers(p)[1][cgctab.QUARK]
        self.assertClose(energy**2, x * x + y * y + z * z + 1.4**2)
        self.assertClose((energy - z) * 275, 0.3 * (0.6 * 4 * 18 * 275 / 2), 1e-8)
        dijet.update(y=0, W=one.W)
        self.assertClose(numbers(cgctab.dijet_variables(**dijet).y)[1], 0.6)
        with self.assertRaisesRegex(cgctab.Error, "Q2 = 0,.*k2_y = 1"):
            cgctab.dijet_momenta(**{**dijet, "Q2": 0})

    def test_one(self):
        table = cgctab.Table("h.cgct")
        I, error, each = table(*POINT), table.error(*POINT), table.eval_members(*POINT)
        for i in (cgctab.T, cgctab.L):
            value, bound = table.eval_one(i, *POINT)
            self.assertClose(value, I[i])
            self.assertClose(bound, error[i])
            for a, b in zip(table.eval_one_members(i, *POINT), each):
                self.assertClose(a, b[i])
        self.assertEqual(table.slice(*POINT[:2]).sampler(1.0, 0.0).left_out, 0)

    def test_slice(self):
        table = cgctab.Table("t.cgct")
        table.load()
        whole = cgctab.Table("h.cgct")
        for name in whole.members + [1]:
            other, alone = whole.member(name), cgctab.Table(f"h.cgct@{name}")
            self.assertEqual(repr(other), repr(alone))
            self.assertEqual(list(other(*POINT)), list(alone(*POINT)))
            self.assertEqual(list(pickle.loads(pickle.dumps(other))(*POINT)), list(alone(*POINT)))
        with self.assertRaisesRegex(cgctab.Error, "no member nobody among"):
            whole.member("nobody")
        whole = other
        self.assertEqual(list(other(*POINT)), list(alone(*POINT)))
        self.assertEqual(len(table.axis("q")), 12)
        at = table.slice(0.01, 1.0)
        for a, b in zip(at([1.0, 2.0], 2.0, 0.5), table(0.01, 1.0, [1.0, 2.0], 2.0, 0.5)):
            self.assertClose(a[0], b[0])
            self.assertClose(a[1], b[1])
        with self.assertRaisesRegex(cgctab.Error, r"q = 99 lies outside of the table: 1 to 4"):
            at([1.5, 99.0], 2.0, 0.5)

    def test_sampler(self):
        sampler = cgctab.Table("t.cgct").slice(0.01, 1.0).sampler(1.0, 2.0)
        events = sampler.many(U)
        for i, row in enumerate(U):
            one = sampler(iter(row).__next__)
            self.assertClose(events[i]["q"] if np else events[i].q, one.q)
            self.assertClose(events[i]["theta"] if np else events[i].theta, one.theta)
        self.assertRaises(ValueError, sampler.many, [[0.5]])
        self.assertEqual(len(sampler.many([]) if not np else sampler.many(np.empty((0, 5)))), 0)

    def test_shapes(self):
        table = cgctab.Table("t.cgct")
        self.assertRaises(ValueError, table, 0.01, 1, [1, 2], [1, 2, 3], 0)
        self.assertRaises(TypeError, table, 0.01, 1, [1, 2j], 1, 0)
        self.assertEqual(len(table(0.01, 1.0, [], 1.0, 0.0)), 0)

    def test_reference_members(self):
        each = cgctab.Table("h.cgct").reference_members(*POINT)
        self.assertEqual(len(each), 3)
        for i, name in enumerate(cgctab.Table("h.cgct").members):
            self.assertEqual(numbers(each[i]),
                             numbers(cgctab.Table(f"h.cgct@{name}").reference(*POINT)))
        self.assertNotEqual(each[0][0], each[2][0])

    def test_members(self):
        table = cgctab.Table("h.cgct")
        each = table.eval_members(*POINT)
        sigma = table.dsigma_members(0.001, 0.5, 0.36, *POINT[2:], mass=0.4)
        eps, F = cgctab.dis_factors(0.5, 0.36, table.S_perp(1), mass=0.4)
        self.assertEqual(table.S_perp("up"), table.S_perp(1))
        self.assertClose(eps, 0.5)
        self.assertClose(sigma[1][0], F[0][0] * each[1][0] + F[0][1] * each[1][1])
        self.assertClose(sigma[1][1], F[1][1] * each[1][1])
        for a, b in zip(table.dsigma(0.001, 0.5, 0.36, *POINT[2:], mass=0.4), sigma[0]):
            self.assertClose(a, b)
        with self.assertRaisesRegex(cgctab.Error, "q = 1000000000 "):
            table.dsigma_members(0.001, [0.5, 0.5], 1.0, [3.0, 1e9], 4.0, 1.0)
        with self.assertRaisesRegex(cgctab.Error, "Q2 = 0 GeV.*mass = 0"):
            table.dsigma(0.001, 0.5, 0, *POINT[2:])
        with self.assertRaisesRegex(cgctab.Error, "t.cgct: states no transverse area"):
            cgctab.Table("t.cgct").dsigma_members(0.01, 0.5, 4.0, 1.5, 2.0, 1.0)
        points = (0.001, 0.5, 3.0, [4.0, 1e9, 5.0], 1.0)
        ranges = table.uncertainty(*points, on_error="nan")
        self.assertEqual([len(ranges), len(ranges[0]), len(ranges[0][0])], [3, 3, 2])
        self.assertEqual([math.isnan(row[0][0]) for row in ranges], [False, True, False])
        self.assertRaisesRegex(cgctab.Error, "k1", table.error, *points)


@unittest.skipUnless(np, "NumPy's arrays")
class Arrays(Test):
    def test_layouts(self):
        table, q, k1 = cgctab.Table("t.cgct"), np.linspace(1, 4, 24), np.linspace(1, 5, 24)
        want = table(0.01, 1.0, q, k1, 0.5)
        wide = np.zeros((24, 3))
        wide[:, 1] = k1
        fortran = np.asfortranarray(k1.reshape(4, 6))
        for given, shape in ((wide[:, 1], (24,)), (k1.astype(">f8"), (24,)),
                             (k1[::-1].copy()[::-1], (24,)), (fortran, (4, 6))):
            got = table(0.01, 1.0, q.reshape(shape), given, 0.5)
            self.assertEqual(got.shape, shape + (2,))
            self.assertTrue((got.reshape(24, 2) == want).all())
        for given in np.array([3, 4]), k1.astype("float32"):
            got, want = table(0.01, 1, 2, given, 0), table(0.01, 1, 2, given.astype(float), 0)
            self.assertTrue((got == want).all())
        self.assertEqual(table(0.01, 1.0, np.ones((3, 1)), [1.0, 2.0], 0.5).shape, (3, 2, 2))
        self.assertRaises(TypeError, table, 0.01, 1.0, 2.0, np.array([1 + 2j]), 0.5)

    def test_points_that_fail(self):
        table = cgctab.Table("t.cgct")
        self.assertTrue(np.isnan(table(1.0, 1.0, 1.0, 1.0, 0.0, on_error="nan")).all())
        self.assertRaisesRegex(cgctab.Error, "x = 1 lies outside", table, 1.0, 1.0, 1.0, 1.0, 0.0)
        frozen = cgctab.Table("t.cgct", policy="freeze")
        self.assertTrue((frozen.slice(1.0, 1.0)([1.0], [2.0], [0.0]) > 0).all())
        sampler = frozen.slice(0.01, 1.0).sampler(1.0, 1.0)
        u = np.random.default_rng(1).random((19, 10))
        u[3, 2] = 1
        self.assertRaisesRegex(cgctab.Error, "row 3 of u, want", sampler.many, u[:, ::2])
        self.assertRaisesRegex(cgctab.Error, r"\[1.0, 1.0, .*want", sampler, lambda: 1)
        events = sampler.many(u[:, ::2], on_error="nan")
        self.assertEqual(list(np.isnan(events["q"])), [i == 3 for i in range(19)])
        one = sampler(iter(u[7, ::2]).__next__)
        for name in events.dtype.names:
            self.assertClose(events[name][7], getattr(one, name))

    def test_uncertainty_of_arrays(self):
        table = cgctab.Table("h.cgct")
        sigma = table.dsigma_members(0.001, [0.4, 0.5], 1.0, 3.0, 4.0, 1.0)
        ranges = table.uncertainty_of(np.moveaxis(sigma, -2, -1))
        self.assertEqual((sigma.shape, ranges.shape), ((2, 3, 2), (2, 2, 3)))
        for i, pol in ((0, 0), (1, 1)):
            self.assertTrue((ranges[i, pol] == table.uncertainty_of(sigma[i, :, pol])).all())
        self.assertRaises(ValueError, table.uncertainty_of, sigma)


class Words(Test):
    def test_words_name_the_allowed_ones(self):
        table = cgctab.Table("h.cgct")
        sampler = table.slice(*POINT[:2]).sampler(1, 1)
        for allowed, call, *arguments in (
                ("'error', 'freeze'", cgctab.Table, "h.cgct", "frees"),
                ("'zero', 'keep'", cgctab.Table, "h.cgct", "error", "none"),
                ("'x', 'eps', 'q'", table.axis, "Q"),
                ("'central', 'up', 'down', 0, 1, 2", table.S_perp, -1),
                ("'central', 'up', 'down', 0, 1, 2", table.S_perp, "middle"),
                ("'raise', 'nan'", table, *POINT, "ignore"),
                ("'raise', 'nan'", table.error, *POINT, "ignore"),
                ("'raise', 'nan'", table.slice(*POINT[:2]), *POINT[2:], "ignore"),
                ("'raise', 'nan'", sampler.many, U, "ignore")):
            with self.assertRaisesRegex(ValueError, f"allowed are {allowed}$"):
                call(*arguments)
        with self.assertRaisesRegex(KeyError, "diple.*dipole"):
            table.meta["diple"]
        self.assertIsNone(table.meta.get("diple"))

    def test_says_what_it_is(self):
        table = cgctab.Table("h.cgct@up", policy="freeze")
        for text in ("h.cgct@up'", "member 1 of 3", "'freeze'", "dipole polynomials",
                     "q %.4g to %.4g" % table.ranges["q"], "up to %.4g GeV" % table.k_max):
            self.assertIn(text, repr(table))
        self.assertIn(repr(table), repr(table.slice(*POINT[:2]).sampler(1, 2)))
        self.assertEqual(list(table.ranges), ["x", "eps", "q"])
        nodes = table.axis("eps")
        self.assertEqual(table.ranges["eps"], (nodes[0], nodes[len(nodes) - 1]))

    def test_everything_is_described(self):
        for name in cgctab.__all__:
            self.assertTrue(getattr(cgctab, name).__doc__, name)
        for of in (cgctab.Table, cgctab.Slice, cgctab.Soft, cgctab.Sampler):
            for name, f in vars(of).items():
                self.assertTrue(name[0] == "_" and name != "__call__" or f.__doc__, name)


class SoftGluons(Test):
    def test_values(self):
        table = cgctab.Table(GBW)
        soft = table.soft(1e-3, 1.0, "jets:alpha=1e-9")  # none
        want = numbers(table(1e-3, 1.0, 2.0, 5.0, [0.3, 1.0]))
        got = numbers(soft(2.0, 5.0, [0.3, 1.0]))
        for a, b in zip(got[0] + got[1], want[0] + want[1]):
            self.assertClose(a, b, 1e-6)
        soft = table.soft(1e-3, 1.0, "hadrons:scale=2")
        all3 = numbers(soft.with_error(2.0, 5.0, 0.3))
        self.assertEqual(all3[0], numbers(soft(2.0, 5.0, 0.3)))
        for I, error, below in zip(*all3):  # below: from q < 0.02 GeV, where the table begins
            self.assertTrue(0 < error < 0.1 * I and 0 < below < 0.02)
        self.assertGreater(soft.kernel(5.0, 1.0, 0.0), 0)
        self.assertIn("hadrons:scale=2", repr(soft))
        self.assertRaisesRegex(cgctab.Error, "q = 20, k1 = 5 GeV, theta = 0.3: ",
                               soft, 20.0, 5.0, 0.3)
        self.assertTrue(math.isnan(numbers(soft(20.0, 5.0, 0.3, on_error="nan"))[0]))
        self.assertRaisesRegex(cgctab.Error, "theta = inf", soft, 2.0, 5.0, math.inf)
        with self.assertRaises(cgctab.Error) as raised:
            table.soft(1e-3, 1.0, "jets:radius=2")
        self.assertIn("radius is 2", str(raised.exception))


class Lives(Test):
    """Objects that are copied, sent to others, and freed."""

    def test_copies(self):
        table = cgctab.Table("t.cgct")
        at = table.slice(0.01, 1.0)
        sampler = at.sampler(1.0, 2.0)
        want = value_of(table, 0.01), numbers(at(1.5, 2.0, 1.0)), sampler.total
        for make in copy.copy, copy.deepcopy:
            copies = make(table), make(at), make(sampler), make([table, at])
            again = cgctab.Table("t.cgct")
            again = make(again), make(again.slice(0.01, 1.0)), gc.collect()
            self.assertEqual(value_of(copies[0], 0.01), want[0])
            self.assertEqual(numbers(again[1](1.5, 2.0, 1.0)), want[1])
            self.assertEqual(copies[2].total, want[2])
        del table, at
        gc.collect()
        self.assertEqual(sampler.total, want[2])
        self.assertGreater(sampler(iter(U[1]).__next__).q, 0)

    def test_pickles(self):
        table = cgctab.Table("h.cgct@up", policy="freeze", negative="keep")
        at = table.slice(*POINT[:2])
        sampler = at.sampler(1.0, 2.0)
        packed = pickle.dumps([table, at, sampler, sampler(iter(U[1]).__next__)])
        os.mkdir("elsewhere")
        os.chdir("elsewhere")
        try:
            table2, at2, sampler2, event = pickle.loads(packed)
        finally:
            os.chdir("..")
            os.rmdir("elsewhere")
        self.assertEqual(repr(table2), repr(table))
        outside = (1.0,) + POINT[1:]
        self.assertEqual(numbers(table2(*outside)), numbers(table(*outside)))
        self.assertEqual(numbers(at2(*POINT[2:])), numbers(at(*POINT[2:])))
        self.assertEqual((sampler2.total, event.q), (sampler.total,
                                                     sampler(iter(U[1]).__next__).q))
        self.assertIs(at2._made_from[0], table2)
        error = pickle.loads(pickle.dumps(cgctab.Error(4, "text")))
        self.assertEqual((error.status, str(error)), (4, "text"))
        one = cgctab.Table("t.cgct")
        self.assertEqual(repr(pickle.loads(pickle.dumps(one))), repr(one))

    def test_bytes(self):
        data = pathlib.Path("h.cgct").read_bytes()
        table = cgctab.Table.from_bytes(bytearray(data), "up", policy="freeze")
        want = numbers(cgctab.Table("h.cgct@up", policy="freeze")(*POINT))
        self.assertEqual(numbers(table(*POINT)), want)
        self.assertNotEqual(numbers(cgctab.Table.from_bytes(data)(*POINT)), want)
        again = pickle.loads(pickle.dumps(table))
        self.assertEqual((repr(again), numbers(again(*POINT))), (repr(table), want))
        self.assertRaisesRegex(cgctab.Error, "memory: no member sideways",
                               cgctab.Table.from_bytes, data, "sideways")
        self.assertRaisesRegex(cgctab.Error, "memory: chunk", cgctab.Table.from_bytes, data[:-9])
        self.assertRaisesRegex(cgctab.Error, "not a cgctab table", cgctab.Table.from_bytes, b"")

    def test_processes(self):
        table = cgctab.Table("t.cgct")
        for method in "fork", "spawn":
            with multiprocessing.get_context(method).Pool(1) as pool:
                got = pool.starmap_async(value_of, [(table, 0.01), (table, 0.005)]).get(30)
                self.assertEqual(got, [value_of(table, 0.01), value_of(table, 0.005)])
                failed = pool.apply_async(value_of, (table, 0.5))
                self.assertRaisesRegex(cgctab.Error, "x = 0.5 lies outside", failed.get, 30)

    def test_threads(self):
        table = cgctab.Table("t.cgct")
        x = [0.001 + 1e-5 * i for i in range(800)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            got = list(pool.map(value_of, 800 * [table], x, chunksize=1))
        self.assertEqual(got, [value_of(table, v) for v in x])

    def test_what_was_not_made_is_not_freed(self):
        complaints, hook = [], sys.unraisablehook
        sys.unraisablehook = complaints.append
        try:
            for arguments in (), ("none.cgct",), ("t.cgct", "frees"):
                with self.assertRaises((TypeError, cgctab.Error, ValueError)):
                    cgctab.Table(*arguments)
            table = cgctab.Table("t.cgct")
            self.assertRaises(cgctab.Error, table.slice, 0.5, 1.0)
            self.assertRaises(cgctab.Error, table.slice(0.01, 1.0).sampler, -1.0, 0.0)
            table.__del__()  # and once more when it is gone
            with self.assertRaises(AttributeError):
                table(0.01, 1.0, 1.5, 2.0, 1.0)
            del table
            gc.collect()
        finally:
            sys.unraisablehook = hook
        self.assertEqual(complaints, [])


# Freed when Python ends, as parts of a cycle.
at_the_end = [cgctab.Table("t.cgct")]
at_the_end += [at_the_end, at_the_end[0].slice(0.01, 1.0)]

if __name__ == "__main__":
    unittest.main()
