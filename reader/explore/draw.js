// SPDX-License-Identifier: MIT
// Draws the views: the map and four panels of curves.  Each panel keeps what it shows, for the
// number under the pointer and for saving.

const COLORS = ['var(--T)', 'var(--L)'], NAMES = ['T', 'L'];
const panels = {}; // by the name of the figure: svg, scales, data
const $ = (id) => document.getElementById(id);

const symbolOf = (pol) => isDsigma() ? `dσ__${NAMES[pol]}__` : `_I___${NAMES[pol]}__`;
const fixedName = () => state.fixed === 'K' ? '_K_' : '_k___1__';
const short = (v, n = 3) => !Number.isFinite(v) ? '–' : v === 0 ? '0'
  : Math.abs(v) >= 0.01 && Math.abs(v) < 1e4 ? String(Number(v.toPrecision(n)))
    : v.toExponential(n - 1).replace(/e([+-])(\d+)/, (_, s, d) => `·10^${s === '-' ? '−' : ''}${d}^`);

function put(id, drawing, data) {
  const host = $(id).querySelector('.plot');
  host.innerHTML = drawing.svg;
  panels[id] = { ...drawing, data };
}

// ---- curves ----

function ratioStrip(of) {
  const strip = { label: 'over the limit', lines: [], bands: [] };
  if (tables.length > 1 && state.strip === 'ratio') {
    strip.label = 'ratio';
    const [a, b] = of;
    for (const pol of [T, L]) {
      const r = b.value[pol].map((v, i) => v / a.value[pol][i]);
      const share = r.map((v, i) => Math.abs(v) * (a.bound[pol][i] / Math.abs(a.value[pol][i]) +
        b.bound[pol][i] / Math.abs(b.value[pol][i])));
      strip.lines.push({ xs: a.xs, ys: r, color: COLORS[pol] });
      strip.bands.push({ xs: a.xs, lo: r.map((v, i) => v - share[i]),
        hi: r.map((v, i) => v + share[i]), color: COLORS[pol], opacity: 0.3 });
    }
  } else {
    of.forEach((c, t) => [T, L].forEach((pol) => addOverLimit(strip, c, t, pol)));
  }
  [strip.lo, strip.hi] = ratioRange(strip.lines.map((l) => l.ys));
  return strip;
}

function addOverLimit(strip, c, t, pol) {
  const limit = c.limit[pol], color = COLORS[pol];
  const over = (v, sign) => v.map((w, i) => (w + sign * c.bound[pol][i]) / limit[i]);
  strip.lines.push({ xs: c.xs, ys: over(c.value[pol], 0), color, dash: t ? '6 3' : '' });
  strip.bands.push({ xs: c.xs, lo: over(c.value[pol], -1), hi: over(c.value[pol], 1), color,
    opacity: 0.3 });
  if (!c.members) return;
  const at = c.members.at.map((i) => limit[i]);
  strip.bands.push({ xs: c.members.xs, lo: c.members.lo[pol].map((v, i) => v / at[i]),
    hi: c.members.hi[pol].map((v, i) => v / at[i]), color, opacity: 0.18 });
}

function legendOf() {
  if (tables.length < 2) return NAMES.map((text, pol) => ({ text, color: COLORS[pol] }));
  return tables.flatMap((_, t) => NAMES.map((name, pol) => (
    { text: `${name} ${'AB'[t]}`, color: COLORS[pol], dash: t ? '6 3' : '' })));
}

function placeText(without) {
  const place = { q: `_q_ = ${short(state.q)} GeV`, k: `${fixedName()} = ${short(state.k)} GeV`,
    angle: `${state.fixed === 'K' ? '_φ_' : '_θ_'} = ${short(state.angle)}` };
  return Object.keys(place).filter((key) => !without.includes(key)).map((key) => place[key])
    .join(',  ');
}

function drawCurvesAlong(which) {
  const { axis, of } = curvesAlong(which), lines = [], bands = [], id = `along-${which}`;
  of.forEach((c, t) => [T, L].forEach((pol) => {
    const v = c.value[pol], color = COLORS[pol];
    if (c.members)
      bands.push({ xs: c.members.xs, lo: c.members.lo[pol], hi: c.members.hi[pol], color,
        opacity: 0.18 });
    bands.push({ xs: c.xs, lo: v.map((w, i) => w - c.bound[pol][i]),
      hi: v.map((w, i) => w + c.bound[pol][i]), color, opacity: 0.3 });
    lines.push({ xs: c.xs, ys: v, color, dash: t ? '6 3' : '' });
    if (tables.length < 2)
      lines.push({ xs: c.xs, ys: c.limit[pol], color, dash: '1.5 3.5', width: 1.4 });
  }));
  const [lo, hi] = logRange(lines.map((l) => l.ys));
  put(id, drawCurvePanel({ title: placeText([axis.key]), x: axis,
    y: { lo, hi, log: true, label: `${isDsigma() ? 'dσ' : '_I_'} (GeV^−6^)` }, lines, bands,
    strip: ratioStrip(of), mark: state[axis.key], legend: legendOf() }, id), { axis, of });
}

// ---- harmonics ----

function drawHarmonics(of) {
  const lines = [], bands = [], legend = [];
  of.forEach((h, t) => [T, L].forEach((pol) => HARMONICS.forEach((n, j) => {
    const color = COLORS[pol], dash = (t ? ['6 3', '2 3 6 3'] : ['', '1.5 3.5'])[j];
    lines.push({ xs: h.xs, ys: h.value[pol][j], color, dash });
    if (!t) legend.push({ text: `_v___${n}__ ${NAMES[pol]}`, color, dash });
    const b = h.bands, i = 2 * pol + j;
    if (!b) return;
    bands.push({ xs: b.xs, lo: b.lo[i], hi: b.hi[i], color, opacity: 0.18 });
    const v = b.xs.map((_, at) => h.value[pol][j][3 * at]);
    bands.push({ xs: b.xs, lo: v.map((w, at) => w - b.bound[i][at]),
      hi: v.map((w, at) => w + b.bound[i][at]), color, opacity: 0.25 });
  })));
  const all = lines.flatMap((l) => [...l.ys].filter(Number.isFinite));
  const step = (v) => Math.ceil(Math.abs(v) * 10 - 0.2) / 10 * Math.sign(v);
  const lo = clamp(step(Math.min(...all, 0)) || -0.05, -1, 0), xs = of[0].xs;
  const hi = clamp(step(Math.max(...all, 0.1)), 0.1, 1);
  const angle = state.fixed === 'K' ? '_φ_' : '_θ_';
  put('harmonics', drawCurvePanel({ title: `_v___n__ = ⟨cos _n_${angle}⟩ at ${placeText(['q',
    'angle'])}`, x: { lo: xs[0], hi: xs[xs.length - 1], log: true, label: '_q_ (GeV)', key: 'q' },
  y: { lo, hi, log: false, label: '_v___n__' }, lines, bands, mark: state.q, legend },
  'harmonics'), { axis: { key: 'q' }, of });
}

// ---- the map ----

const mapFrame = { width: 560, height: 486, left: 58, right: 476, top: 28, bottom: 446 };
const pixels = document.createElement('canvas');
pixels.width = pixels.height = PIXELS;

// The colours' range: decades of values, or a symmetric one of ratios.
function colorRange({ v, ratio }) {
  let lo = Infinity, hi = 0;
  for (const one of v) {
    if (one > hi && one < Infinity) hi = one;
    if (one > 0 && one < lo) lo = one;
  }
  if (!(hi > 0)) return [0.1, 1];
  if (ratio) {
    const most = Math.max(hi, 1 / lo, 1.02);
    return [1 / most, most];
  }
  lo = Math.max(lo, hi * 1e-7);
  const half = (w, f) => 10 ** (f(Math.log10(w) * 4) / 4);
  return [half(lo, Math.floor), half(hi, Math.ceil)];
}

function paint({ v, ratio }, [lo, hi]) {
  const image = new ImageData(PIXELS, PIXELS), to = new Uint32Array(image.data.buffer);
  const colors = palette(ratio ? DIVERGING : INFERNO);
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
    for (const [color, width] of [['#000', 2.4], ['#fff', 1]])
      s += `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" opacity=".8"${
        dash ? ` stroke-dasharray="${dash}"` : ''}/>`;
  });
  return s;
}

function colorBar(range, ratio, text) {
  const f = mapFrame, stops = ratio ? DIVERGING : INFERNO, sy = scale(...range, f.bottom, f.top, true);
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
  s += `<clipPath id="plane"><rect x="${f.left}" y="${f.top}" width="${f.right - f.left}" height="${
    f.bottom - f.top}"/></clipPath>`;
  s += `<g class="image"></g><g clip-path="url(#plane)">${contourLines(grid, sx, sy)}`;
  const x = sx.at(state.q * Math.cos(state.angle)), y = sy.at(state.q * Math.sin(state.angle));
  const tip = sx.at(Math.min(state.k, 0.93 * R)), zero = sy.at(0);
  for (const [color, width] of [['#000', 4], ['#fff', 1.6]])
    s += `<g stroke="${color}" stroke-width="${width}" fill="none" stroke-linecap="round"><path d="M${
      sx.at(0)} ${zero}L${tip} ${zero}m-8 -4l8 4l-8 4M${sx.at(0)} ${zero}L${x} ${y}"/><circle cx="${
      x}" cy="${y}" r="5.5"/></g>`;
  s += `<g class="over"><text x="${tip - 4}" y="${zero - 9}" text-anchor="middle">${label(k)
  }</text><text x="${x + 10}" y="${y - 8}">${label('_q_')}</text></g></g>`;
  for (const [v, text] of ticks(sx, 8))
    s += `<text class="tick" x="${sx.at(v)}" y="${f.bottom + 16}" text-anchor="middle">${text
    }</text><text class="tick" x="${f.left - 6}" y="${sy.at(v)}" dy="4" text-anchor="end">${text
    }</text>`;
  s += `<rect x="${f.left}" y="${f.top}" width="${f.right - f.left}" height="${f.bottom - f.top
  }" fill="none" stroke="var(--line)"/><text x="${(f.left + f.right) / 2}" y="${f.bottom + 34
  }" text-anchor="middle">${label(`_q_ along ${k} (GeV)`)}</text><text transform="translate(14 ${
    (f.top + f.bottom) / 2}) rotate(-90)" text-anchor="middle">${label('across (GeV)')}</text>`;
  s += colorBar(range, map.ratio, map.ratio ? '' : 'GeV^−6^');
  paint(map, range);
  put('map', { svg: s + '</svg>', sx, sy }, { map });
}

// The canvas lies under the picture's frame.
function placePixels() {
  const f = mapFrame, part = (v, of) => `${100 * v / of}%`;
  Object.assign(pixels.style, { left: part(f.left, f.width), top: part(f.top, f.height),
    width: part(f.right - f.left, f.width), height: part(f.bottom - f.top, f.height) });
}
