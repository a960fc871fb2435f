// SPDX-License-Identifier: MIT
// What is computed for each view from the state and the tables.

const state = { x: 1e-3, eps: 1, Q2: 4, z: 0.5, m: 0, k: 3, q: 1.5, angle: 0.6, radius: 8,
  photon: 'eps', fixed: 'K', pol: '0', show: 'A', strip: 'reference' };
const tables = []; // one or two

const isDsigma = () => state.photon === 'Q2';
const spaced = (lo, hi, n, log) => Float64Array.from({ length: n }, (_, i) => i === n - 1 ? hi
  : log ? lo * (hi / lo) ** (i / (n - 1)) : lo + (hi - lo) * i / (n - 1));

// q, k1 and theta at a recoil q and an angle to the fixed momentum of length k.
function pointAt(q, k, angle) {
  if (state.fixed === 'k1') return [q, k, angle];
  const across = k * Math.sin(angle), along = k * Math.cos(angle) + q / 2;
  return [q, Math.sqrt(along * along + across * across), Math.atan2(across, along)];
}

// eps, and the matrix that makes what is shown of I_T and I_L; area: 0 for that of the table.
function photonsOf(table, area) {
  if (!isDsigma()) return { eps: state.eps, factor: [[1, 0], [0, 1]] };
  const own = table.area > 0 ? table.area : 1;
  return photonFactors(area || own, state.z, state.Q2, state.m);
}

// T, L, T, L ... of I turned into what is shown, in place; bounds add up.  A factor of 0 leaves its
// value out, also one that is not known.
function combine(v, factor) {
  if (!isDsigma()) return v;
  for (let i = 0; i < v.length; i += 2) {
    const t = v[i], l = v[i + 1];
    factor.forEach(([ofT, ofL], out) => {
      v[i + out] = (ofT && ofT * t) + (ofL && ofL * l);
    });
  }
  return v;
}

const part = (v, pol) => new Float64Array(v.length / 2).map((_, i) => v[2 * i + pol]);
const parts = (v) => [T, L].map((pol) => part(v, pol));

// The range of the members at a point, [[low, high] of T, of L].
function membersAt(table, point) {
  const all = table.ofMembers(point);
  if (isDsigma())
    for (let i = 0; i < table.members; i++) {
      const area = wasm.cgct_member_S_perp(table.handle, i);
      const two = combine(all.slice(2 * i, 2 * i + 2), photonsOf(table, area).factor);
      all.set(two, 2 * i);
    }
  return parts(all).map((one) => table.range(one));
}

// All about one table along points: value, bound, limit (T and L each), and the members' range at
// every `skip`th of them.
function alongPoints(table, xs, points, skip) {
  const { factor } = photonsOf(table), v = combine(table.many(points.flat()), factor);
  const bound = new Float64Array(v.length), limit = new Float64Array(v.length);
  points.forEach((p, i) => {
    bound.set(combine(table.bound(p), factor), 2 * i);
    limit.set(combine(table.limit(p), factor), 2 * i);
  });
  const out = { xs, value: parts(v), bound: parts(bound), limit: parts(limit), members: null };
  if (table.members < 2) return out;
  const at = points.map((_, i) => i).filter((i) => i % skip === 0 || i === points.length - 1);
  const ranges = at.map((i) => membersAt(table, points[i]));
  const end = (which) => [T, L].map((pol) => ranges.map((r) => r[pol][which]));
  return { ...out, members: { at, xs: at.map((i) => xs[i]), lo: end(0), hi: end(1) } };
}

// ---- the three curves ----

const kRange = () => [Math.min(0.3, tables[0].kMax / 10), tables[0].kMax];

function curveAxis(which) {
  const [first] = tables, [lo, hi] = kRange();
  if (which === 'q')
    return { key: 'q', label: '_q_ (GeV)', lo: first.q[0], hi: first.q[1], log: true, n: 97 };
  if (which === 'k')
    return { key: 'k', label: `${fixedName()} (GeV)`, lo, hi, log: true, n: 97 };
  return { key: 'angle', label: `${angleName()} (rad)`, lo: 0, hi: Math.PI, log: false, n: 73 };
}

function curvesAlong(which) {
  const axis = curveAxis(which), xs = spaced(axis.lo, axis.hi, axis.n, axis.log);
  const points = [...xs].map((v) => pointAt(...['q', 'k', 'angle'].map(
    (key) => key === axis.key ? v : state[key])));
  return { axis, of: tables.map((table) => alongPoints(table, xs, points, 6)) };
}

// ---- harmonics ----

const HARMONICS = [2, 4];

// n angles in the middles of equal parts of half a turn.  At fixed K a quarter is enough, because
// to exchange the partons turns K by pi.
function angles(n) {
  const of = state.fixed === 'K' ? n / 2 : n, all = state.fixed === 'K' ? Math.PI / 2 : Math.PI;
  return Array.from({ length: of }, (_, a) => all * (a + 0.5) / of);
}

// v2 and v4 of T and L against q: [pol][n].
function harmonicsOf(table) {
  const qs = spaced(table.q[0], table.q[1], 49, true), at = angles(64), each = 2 * at.length;
  const { factor } = photonsOf(table), points = [];
  for (const q of qs) for (const angle of at) points.push(...pointAt(q, state.k, angle));
  const v = combine(table.many(points), factor);
  const value = [T, L].map((pol) => HARMONICS.map((n) => qs.map((_, i) =>
    harmonic(part(v.subarray(i * each, (i + 1) * each), pol), n, at))));
  return { xs: qs, value };
}

function harmonic(values, n, at) {
  let sum = 0, all = 0;
  values.forEach((v, a) => {
    sum += v * Math.cos(n * at[a]);
    all += v;
  });
  return sum / all;
}

// Their bounds and the members' ranges at some q, one q at a time: members take long.
function* harmonicBands(table, of) {
  const at = angles(24), { factor } = photonsOf(table);
  const bands = { xs: [], lo: [[], [], [], []], hi: [[], [], [], []], bound: [[], [], [], []] };
  for (let i = 0; i < of.xs.length; i += 3) {
    const perAngle = [], bounds = [];
    for (const angle of at) {
      const p = pointAt(of.xs[i], state.k, angle);
      bounds.push([combine(table.bound(p), factor), combine(table.value(p), factor)]);
      if (table.members > 1) perAngle.push(table.ofMembers(p));
    }
    bands.xs.push(of.xs[i]);
    for (const pol of [T, L])
      HARMONICS.forEach((n, j) => {
        const v = of.value[pol][j][i];
        let error = 0, all = 0;
        bounds.forEach(([b, value], a) => {
          error += b[pol] * Math.abs(Math.cos(n * at[a]) - v);
          all += value[pol];
        });
        bands.bound[2 * pol + j].push(error / all);
        const [lo, hi] = table.members > 1 ? harmonicOfMembers(table, perAngle, pol, n, at)
          : [v, v];
        bands.lo[2 * pol + j].push(lo);
        bands.hi[2 * pol + j].push(hi);
      });
    yield;
  }
  of.bands = bands;
}

function harmonicOfMembers(table, perAngle, pol, n, at) {
  const values = new Float64Array(table.members), { factor } = photonsOf(table);
  for (let m = 0; m < table.members; m++)
    values[m] = harmonic(perAngle.map((all) =>
      combine(all.slice(2 * m, 2 * m + 2), factor)[pol]), n, at);
  return table.range(values);
}

// ---- the dipole, from the metadata dipole.N ----

// xs, r in GeV^-1, and N[i] at each r for xs[i]; null where the table does not have it.
function dipoleOf(table) {
  if (table.dipole !== undefined) return table.dipole;
  const [head, ...rows] = (table.meta.get('dipole.N') ?? '').split(';')
    .map((row) => row.trim().split(/\s+/));
  const xs = head.slice(1).map(Number), r = Float64Array.from(rows, (row) => row[0]);
  const N = xs.map((_, i) => Float64Array.from(rows, (row) => row[i + 1]));
  table.dipole = rows.length > 1 && xs.length ? { xs, r, N } : null;
  return table.dipole;
}

// N at x: the powers between the nodes in x are those of ln x.
function dipoleAt({ xs, N }, x) {
  const last = xs.length - 1, above = xs.findIndex((one) => one >= x);
  if (last < 1) return N[0];
  const i = above < 0 ? last - 1 : Math.max(above - 1, 0);
  const t = clamp(Math.log(x / xs[i]) / Math.log(xs[i + 1] / xs[i]), 0, 1);
  return N[i].map((v, j) => v ** (1 - t) * N[i + 1][j] ** t);
}

// The saturation momentum squared (GeV^2), N = 1 - exp(-1/2) at r^2 = 2/Qs^2; NaN where N has no
// such r.
function saturationOf(r, N) {
  const level = (v) => Math.log(-Math.log1p(-Math.min(v, 1 - 1e-15)) / 0.5);
  const i = N.findIndex((v) => level(v) >= 0);
  if (i < 1) return NaN;
  const a = level(N[i - 1]), t = a / (a - level(N[i]));
  return 2 / (r[i - 1] * (r[i] / r[i - 1]) ** t) ** 2;
}

// ---- the map ----

const PIXELS = 128, CELLS = 24;

// Values in the upper half of the plane, the fixed momentum to the right; the points that have a q,
// and where these are.
function planeOf(table, xs, ys) {
  const room = new Float64Array(3 * xs.length * ys.length), at = [];
  ys.forEach((y, j) => xs.forEach((x, i) => {
    const q = Math.sqrt(x * x + y * y);
    if (q < table.q[0] || q > table.q[1]) return;
    room.set(pointAt(q, state.k, Math.atan2(y, x)), 3 * at.length);
    at.push(j * xs.length + i);
  }));
  const points = room.subarray(0, 3 * at.length), out = new Float64Array(xs.length * ys.length);
  const v = combine(table.many(points), photonsOf(table).factor), pol = Number(state.pol);
  out.fill(NaN);
  at.forEach((place, i) => {
    out[place] = pol < 2 ? v[2 * i + pol] : v[2 * i] + v[2 * i + 1];
  });
  return { out, points, at };
}

function mapOf() {
  const R = state.radius, step = 2 * R / PIXELS;
  const xs = Array.from({ length: PIXELS }, (_, i) => -R + (i + 0.5) * step);
  const ys = Array.from({ length: PIXELS / 2 }, (_, j) => (j + 0.5) * step);
  const shown = tables.length > 1 ? state.show : 'A';
  const [a, b] = [0, 1].map((i) => tables[i] &&
    (shown === 'ratio' || shown === 'AB'[i]) ? planeOf(tables[i], xs, ys).out : null);
  if (shown !== 'ratio') return { v: a ?? b, ratio: false };
  return { v: a.map((one, i) => b[i] / one), ratio: true };
}

// Bound over value on a coarse grid of the upper half, its lowest row on the axis; of the table
// that the map shows, or the sum of both.
function gridOf() {
  const grids = tables.filter((_, t) => tables.length < 2 || state.show === 'ratio' ||
    state.show === 'AB'[t]).map(boundsOf);
  return { ...grids[0], v: grids[0].v.map((a, i) => Math.log10(a + (grids[1]?.v[i] ?? 0))) };
}

function boundsOf(table) {
  const R = state.radius, pol = Number(state.pol);
  const xs = Array.from({ length: CELLS + 1 }, (_, i) => R * (2 * i / CELLS - 1));
  const ys = xs.slice(CELLS / 2), { factor } = photonsOf(table);
  const { out, points, at } = planeOf(table, xs, ys);
  at.forEach((place, i) => {
    const b = combine(table.bound(points.slice(3 * i, 3 * i + 3)), factor);
    out[place] = (pol < 2 ? b[pol] : b[0] + b[1]) / Math.abs(out[place]);
  });
  return { v: out, n: xs.length, m: ys.length };
}

// ---- the marked point ----

function readingOf(table) {
  const p = pointAt(state.q, state.k, state.angle), { factor } = photonsOf(table);
  const value = combine(table.value(p), factor), bound = combine(table.bound(p), factor);
  return { value, bound, limit: combine(table.limit(p), factor) };
}

// Numbers as the command line takes them, exactly.
function commandOf(table) {
  const [q, k1, theta] = pointAt(state.q, state.k, state.angle);
  const name = table.name + (table.member ? `@${table.memberName || table.member}` : '');
  const file = /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  const photons = isDsigma()
    ? `--z ${state.z} --Q2 ${state.Q2} --mass ${state.m}${table.area > 0 ? '' : ' --S-perp 1'}`
    : `--eps ${state.eps}`;
  return `cgctab eval ${file} --x ${state.x} ${photons} --q ${q} --k1 ${k1} --theta ${theta} ` +
    '--error --reference --negative keep';
}
