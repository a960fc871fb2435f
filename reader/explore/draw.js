// SPDX-License-Identifier: MIT
// Draws the views: the map and four panels of curves.  Each panel keeps what it shows, for the
// number under the pointer and for saving.

const COLORS = ['var(--T)', 'var(--L)'], NAMES = ['T', 'L'];
const panels = {}; // by the name of the figure: svg, scales, data
const $ = (id) => document.getElementById(id);

const symbolOf = (pol) => isDsigma() ? `dσ__${NAMES[pol]}__` : `_I___${NAMES[pol]}__`;
const fixedName = () => state.fixed === 'K' ? '_K_' : '_k___1__';
const angleName = () => state.fixed === 'K' ? '_φ_' : '_θ_';
const short = (v, n = 3) => !Number.isFinite(v) ? '–' : v === 0 ? '0'
  : Math.abs(v) >= 0.01 && Math.abs(v) < 1e4 ? String(Number(v.toPrecision(n)))
    : v.toExponential(n - 1)
      .replace(/e([+-])(\d+)/, (_, s, d) => `·10^${s === '-' ? '−' : ''}${d}^`);

let frame, mapFrame; // places in the panels and in the map

// As wide as the figures are now.
function measure() {
  frame = frameOf($('along-q').clientWidth || 480);
  const width = $('map').clientWidth || 560, left = 58, right = width - 74, top = 30;
  const bottom = right - left + top, height = bottom + 42, part = (v, of) => `${100 * v / of}%`;
  mapFrame = { width, height, left, right, top, bottom };
  Object.assign(pixels.style, { left: part(left, width), top: part(top, height),
    width: part(right - left, width), height: part(right - left, height) });
}

function put(id, drawing, data) {
  const host = $(id).querySelector('.plot');
  host.innerHTML = drawing.svg;
  panels[id] = { ...drawing, data };
}

// ---- curves ----

function ratioStrip(of) {
  const strip = { label: 'over the limit', lines: [], bands: [] }, two = state.strip === 'ratio';
  if (tables.length > 1 && two) strip.label = 'ratio B/A';
  for (const pol of [T, L]) {
    const [a, b] = of;
    if (tables.length > 1 && two) {
      const r = b.value[pol].map((v, i) => v / a.value[pol][i]);
      const bound = r.map((v, i) => Math.abs(v) * (a.bound[pol][i] / Math.abs(a.value[pol][i]) +
        b.bound[pol][i] / Math.abs(b.value[pol][i])));
      addCurve(strip, a.xs, r, bound, (i) => Math.abs(r[i]), { color: COLORS[pol] });
    } else {
      of.forEach((c, t) => addOverLimit(strip, c, t, pol));
    }
  }
  [strip.lo, strip.hi] = ratioRange(strip.lines.filter((l) => !l.opacity).map((l) => l.ys));
  return strip;
}

function addOverLimit(strip, c, t, pol) {
  const limit = c.limit[pol], m = c.members, r = c.value[pol].map((v, i) => v / limit[i]);
  const look = { color: COLORS[pol], dash: t ? '6 3' : '' };
  if (m) {
    const over = (list) => list[pol].map((v, i) => v / limit[m.at[i]]);
    strip.bands.push({ xs: m.xs, lo: over(m.lo), hi: over(m.hi), color: look.color,
      opacity: 0.18 });
  }
  addCurve(strip, c.xs, r, c.bound[pol].map((v, i) => v / limit[i]), (i) => Math.abs(r[i]), look);
}

function legendOf() {
  if (tables.length < 2) return NAMES.map((text, pol) => ({ text, color: COLORS[pol] }));
  return tables.flatMap((_, t) => NAMES.map((name, pol) => (
    { text: `${name} ${'AB'[t]}`, color: COLORS[pol], dash: t ? '6 3' : '' })));
}

function placeText(without) {
  const place = { q: `_q_ = ${short(state.q)} GeV`, k: `${fixedName()} = ${short(state.k)} GeV`,
    angle: `${angleName()} = ${short(state.angle)}` };
  return Object.keys(place).filter((key) => !without.includes(key)).map((key) => place[key])
    .join(',  ');
}

function drawCurvesAlong(which) {
  const id = `along-${which}`, lines = [], bands = [];
  const { axis, of } = once(id, [...PHOTON, ...['q', 'k', 'angle'].filter((key) => key !== which)],
    () => curvesAlong(which));
  of.forEach((c, t) => [T, L].forEach((pol) => {
    const v = c.value[pol], color = COLORS[pol];
    if (c.members)
      bands.push({ xs: c.members.xs, lo: c.members.lo[pol], hi: c.members.hi[pol], color,
        opacity: 0.18 });
    addCurve({ lines, bands }, c.xs, v, c.bound[pol], (i) => Math.abs(v[i]),
      { color, dash: t ? '6 3' : '' });
    if (tables.length < 2)
      lines.push({ xs: c.xs, ys: c.limit[pol], color, dash: '1.5 3.5', width: 1.4 });
  }));
  const [lo, hi] = logRange(lines.map((l) => l.ys));
  put(id, drawCurvePanel({ title: placeText([axis.key]), x: axis,
    y: { lo, hi, log: true, label: `${isDsigma() ? 'dσ' : '_I_'} (GeV^−6^)` }, lines, bands,
    strip: ratioStrip(of), mark: state[axis.key], legend: legendOf() }, id, frame), { axis, of });
}

// ---- harmonics ----

function drawHarmonics(of) {
  const lines = [], bands = [], legend = [];
  of.forEach((h, t) => [T, L].forEach((pol) => HARMONICS.forEach((n, j) => {
    const look = { color: COLORS[pol], dash: (t ? ['6 3', '2 3 6 3'] : ['', '1.5 3.5'])[j] };
    const v = h.value[pol][j], b = h.bands, i = 2 * pol + j;
    if (!t) legend.push({ text: `_v___${n}__ ${NAMES[pol]}`, ...look });
    if (!b) {
      lines.push({ xs: h.xs, ys: v, ...look });
      return;
    }
    bands.push({ xs: b.xs, lo: b.lo[i], hi: b.hi[i], color: look.color, opacity: 0.18 });
    const bound = v.map((_, at) => Math.max(b.bound[i][Math.floor(at / 3)],
      b.bound[i][Math.ceil(at / 3)]));
    addCurve({ lines, bands }, h.xs, v, bound, () => 0.3, look);
  })));
  const all = lines.flatMap((l) => [...l.ys].filter(Number.isFinite)), xs = of[0].xs;
  const lo = clamp(Math.floor(Math.min(...all, -0.02) * 10) / 10, -1, 0);
  const hi = clamp(Math.ceil(Math.max(...all, 0.1) * 10 + 1) / 10, 0.1, 1);
  put('harmonics', drawCurvePanel({ title: `_v___n__ = ⟨cos _n_${angleName()}⟩,  ${
    placeText(['q', 'angle'])}`, x: { lo: xs[0], hi: xs.at(-1), log: true, label: '_q_ (GeV)',
    key: 'q' }, y: { lo, hi, log: false, label: '_v___n__' }, lines, bands, mark: state.q, legend },
  'harmonics', frame), { axis: { key: 'q' }, of });
}

// ---- the dipole ----

// N(r) at this x, paler at the nodes in x, and the saturation scale against x, by table.
function drawDipole() {
  const two = tables.length > 1, of = tables.map((table, t) => ({ d: dipoleOf(table),
    end: two ? `_${'AB'[t]}` : '', look: { color: COLORS[t] } })).filter(({ d }) => d);
  const scales = of.filter(({ d }) => d.xs.length > 1);
  $('dipole').hidden = !of.length;
  $('saturation').hidden = !scales.length;
  if (!of.length) return;
  const lines = of.flatMap(({ d, look }) => d.N.map((ys) => ({ xs: d.r, ys, width: 1, opacity: 0.3,
    ...look })));
  const N = of.map(({ d }) => dipoleAt(d, state.x)), { r } = of[0].d;
  of.forEach(({ d, look }, t) => lines.push({ xs: d.r, ys: N[t], ...look }));
  const Qs2 = of.map(({ d }, t) => short(saturationOf(d.r, N[t])));
  const axis = { lo: r[0], hi: r[r.length - 1], log: true, label: '_r_ (GeV^−1^)', key: 'r' };
  const legend = of.map(({ end, look }) => ({ text: `dipole ${end.slice(1)}`, ...look }));
  put('dipole', drawCurvePanel({ title: `_N_(_r_) at _x_ = ${short(state.x)},  _Q___s__^2^ = ${
    Qs2.join(' and ')} GeV^2^`, x: axis, y: { lo: 0, hi: 1.05, log: false, label: '_N_' }, lines,
  bands: [], legend: of.length > 1 ? legend : [] }, 'dipole', frame),
  { axis, columns: [['r', r], ...of.map(({ end }, t) => [`N${end}`, N[t]])] });
  if (scales.length) drawSaturation(scales);
}

function drawSaturation(of) {
  const [lo, hi] = tables[0].x, axis = { lo, hi, log: true, label: '_x_', key: 'x' };
  const xs = spaced(lo, hi, 61, true), Qs2 = of.map(({ d }) =>
    xs.map((x) => x < d.xs[0] || x > d.xs.at(-1) ? NaN : saturationOf(d.r, dipoleAt(d, x))));
  const all = Qs2.flatMap((v) => [...v].filter(Number.isFinite));
  const y = { lo: 0, hi: 1.1 * Math.max(...all, 0.1), log: false, label: '_Q___s__^2^ (GeV^2^)' };
  const title = '_N_ = 1 − e^−1/2^ at _r_^2^ = 2/_Q___s__^2^';
  put('saturation', drawCurvePanel({ title, x: axis, y,
    lines: of.map(({ look }, t) => ({ xs, ys: Qs2[t], ...look })), bands: [],
    mark: state.x, legend: [] }, 'saturation', frame),
  { axis, columns: [['x', xs], ...of.map(({ end }, t) => [`Qs2${end}`, Qs2[t]])] });
}

// ---- the map ----

const pixels = document.createElement('canvas');
pixels.width = pixels.height = PIXELS;

// The colours' range: decades of values, or a symmetric one of ratios.
function colorRange({ v, ratio }) {
  let [lo, hi] = positiveRange([v]);
  if (!(hi > 0)) return [0.1, 1];
  if (ratio) {
    const some = v.filter((one, i) => i % 7 === 0 && one > 0 && one < Infinity).sort();
    [lo, hi] = [0.01, 0.99].map((part) => some[Math.floor(part * (some.length - 1))] ?? 1);
    const most = Math.max(hi, 1 / lo, 1.02);
    return lo < 0.97 && hi > 1.03 ? [1 / most, most] : [lo / 1.01, hi * 1.01];
  }
  lo = Math.max(lo, hi * 1e-7);
  const half = (w, f) => 10 ** (f(Math.log10(w) * 4) / 4);
  return [half(lo, Math.floor), half(hi, Math.ceil)];
}

// Ratios on both sides of 1 diverge from there.
const stopsOf = ([lo, hi], ratio) => ratio && Math.abs(lo * hi - 1) < 1e-9 ? DIVERGING : INFERNO;

function paint({ v, ratio }, [lo, hi]) {
  const image = new ImageData(PIXELS, PIXELS), to = new Uint32Array(image.data.buffer);
  const colors = palettes.get(stopsOf([lo, hi], ratio));
  const a = Math.log(lo), b = 1023 / (Math.log(hi) - a), half = PIXELS / 2;
  for (let j = 0; j < half; j++)
    for (let i = 0; i < PIXELS; i++) {
      const one = v[j * PIXELS + i];
      if (!Number.isFinite(one)) continue;
      const c = one > 0 ? colors[clamp(Math.round(b * (Math.log(one) - a)), 0, 1023)] : 0xff808080;
      to[(half - 1 - j) * PIXELS + i] = to[(half + j) * PIXELS + i] = c;
    }
  pixels.getContext('2d').putImageData(image, 0, 0);
}

// White lines over dark ones: seen on every colour.
function contourLines(grid, sx, sy) {
  let s = '';
  const R = state.radius, step = 2 * R / CELLS;
  [[-2, '2 3'], [-1, '6 3'], [0, '']].forEach(([level, dash]) => {
    let d = '';
    contour(grid.v, grid.n, grid.m, level, (a, b) => {
      for (const sign of [1, -1])
        d += `M${sx.at(-R + a[0] * step).toFixed(1)} ${sy.at(sign * a[1] * step).toFixed(1)}L${
          sx.at(-R + b[0] * step).toFixed(1)} ${sy.at(sign * b[1] * step).toFixed(1)}`;
    });
    for (const [color, width] of [['#000', 2], ['#fff', 0.9]])
      s += `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" opacity=".8"${
        dashed(dash)}/>`;
  });
  return s;
}

function colorBar(range, ratio, text) {
  const f = mapFrame, stops = stopsOf(range, ratio), sy = scale(...range, f.bottom, f.top, true);
  let s = '<linearGradient id="colors" x1="0" x2="0" y1="1" y2="0">' + stops.map((c, i) =>
    `<stop offset="${i / (stops.length - 1)}" stop-color="rgb(${c})"/>`).join('') +
    `</linearGradient><rect x="${f.right + 14}" y="${f.top}" width="13" height="${
      f.bottom - f.top}" fill="url(#colors)"/>`;
  for (const [v, tick] of ticks(sy, 8))
    s += `<text class="tick" x="${f.right + 32}" y="${sy.at(v)}" dy="4">${label(tick)}</text>`;
  return s + `<text x="${f.width - 4}" y="${f.top - 9}" text-anchor="end">${label(text)}</text>`;
}

function drawMap(map, grid) {
  const f = mapFrame, R = state.radius, pol = Number(state.pol), range = colorRange(map);
  const sx = scale(-R, R, f.left, f.right, false), sy = scale(-R, R, f.bottom, f.top, false);
  const name = pol < 2 ? symbolOf(pol) : 'dσ__T__ + dσ__L__', k = fixedName();
  const of = tables.length < 2 ? '' : state.show === 'ratio' ? ', ratio B/A' : `, ${state.show}`;
  let s = svgHead(f.width, f.height, 'map') + `<text x="${f.left}" y="18">${label(
    `${name} in the plane of _q_${of},  ${placeText(['q', 'angle'])}`)}</text>`;
  s += `<clipPath id="plane">${rectOf(sx, sy)}</clipPath>`;
  s += `<g class="image"></g><g clip-path="url(#plane)">${grid ? contourLines(grid, sx, sy) : ''}`;
  const x = sx.at(state.q * Math.cos(state.angle)), y = sy.at(state.q * Math.sin(state.angle));
  const tip = sx.at(Math.min(state.k, 0.93 * R)), zero = sy.at(0);
  for (const [color, width] of [['#000', 4], ['#fff', 1.6]])
    s += `<g stroke="${color}" stroke-width="${width}" fill="none" stroke-linecap="round">` +
      `<path d="M${sx.at(0)} ${zero}L${tip} ${zero}m-8 -4l8 4l-8 4"/>` +
      `<path d="M${sx.at(0)} ${zero}L${x} ${y}"/>` +
      `<circle cx="${x}" cy="${y}" r="5.5"/></g>`;
  s += `<g class="over"><text x="${tip - 4}" y="${zero + 18}" text-anchor="middle">${label(k)
  }</text><text x="${x + 10}" y="${y - 8}">${label('_q_')}</text></g></g>`;
  for (const [v, text] of ticks(sx, 8))
    s += tickAcross(sx.at(v), f.bottom + 16, text) + tickBeside(f.left - 6, sy.at(v), text);
  s += outline(sx, sy) + names(sx, sy, `_q_ along ${k} (GeV)`, 'across (GeV)');
  s += colorBar(range, map.ratio, map.ratio ? 'B/A' : 'GeV^−6^');
  paint(map, range);
  put('map', { svg: s + '</svg>', sx, sy }, { map });
}

// The momenta of the pair as they lie across the beams, the fixed one to the right.
function drawPair() {
  const [q, k1] = pointAt(state.q, state.k, state.angle), half = state.fixed === 'K' ? 0.5 : 0;
  const at = { q: [q * Math.cos(state.angle), q * Math.sin(state.angle)] };
  at.k1 = [half ? state.k + half * at.q[0] : k1, half * at.q[1]];
  at.k2 = [at.q[0] - at.k1[0], at.q[1] - at.k1[1]];
  const all = Object.values(at), width = $('pair').clientWidth || 200;
  const lo = [0, 1].map((i) => Math.min(0, ...all.map((v) => v[i])));
  const hi = [0, 1].map((i) => Math.max(0, ...all.map((v) => v[i])));
  const zoom = Math.min((width - 56) / (hi[0] - lo[0]), 100 / Math.max(hi[1] - lo[1], 0.1));
  const height = 44 + zoom * (hi[1] - lo[1]);
  const place = ([x, y]) => [width / 2 + zoom * (x - (lo[0] + hi[0]) / 2),
    height / 2 - zoom * (y - (lo[1] + hi[1]) / 2)].map((v) => v.toFixed(1));
  const line = (v, text, color, dash) => {
    const a = place([0, 0]), b = place(v), length = Math.hypot(...v) || 1;
    const [dx, dy] = [v[0] / length, -v[1] / length], head = (s) => `${-9 * dx - 4 * s * dy} ${
      -9 * dy + 4 * s * dx}`;
    return `<path d="M${a}L${b}m${head(1)}L${b}l${head(-1)}" fill="none" stroke="${color
    }" stroke-width="2"${dashed(dash)}/><text x="${
      Number(b[0]) + 14 * dx}" y="${Number(b[1]) + 14 * dy + 4}" text-anchor="middle">${label(text)
    }</text>`;
  };
  $('pair').innerHTML = `${svgHead(width, height, 'the pair across the beams')}${
    line(at.q, '_q_', 'var(--soft)', '4 3')}${line(at.k1, '_k___1__', 'var(--ink)')}${
    line(at.k2, '_k___2__', 'var(--ink)')}<circle cx="${place([0, 0])[0]}" cy="${place([0, 0])[1]
    }" r="3.5" fill="var(--ink)"/></svg>`;
}
