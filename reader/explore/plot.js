// SPDX-License-Identifier: MIT
// Pictures as texts of SVG: scales, ticks, curves with bands, and maps.

const escapeText = (s) => String(s).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

// A label of words, symbols, indices and exponents: "_k___1__ (GeV^−6^)" has the symbol k with
// the index 1, and an exponent.
function markUp(text, symbol, index, exponent) {
  return text.split(/(__.+?__|_.+?_|\^.+?\^)/).map((part) => {
    const inside = (n) => escapeText(part.slice(n, -n));
    if (part.startsWith('__')) return index(inside(2));
    if (part.startsWith('_')) return symbol(inside(1));
    return part.startsWith('^') ? exponent(inside(1)) : escapeText(part);
  }).join('');
}

const shifted = (s, dy) => `<tspan dy="${dy}" font-size="10">${s}</tspan><tspan dy="${-dy
}">\u200b</tspan>`;
const label = (text) => markUp(text, (s) => `<tspan class="m">${s}</tspan>`, (s) => shifted(s, 4),
  (s) => shifted(s, -5));
const html = (text) => markUp(text, (s) => `<i>${s}</i>`, (s) => `<sub>${s}</sub>`,
  (s) => `<sup>${s}</sup>`);

// ---- parts of pictures ----

const lineAcross = (sx, y, look) =>
  `<line x1="${sx.from}" x2="${sx.to}" y1="${y}" y2="${y}" ${look}/>`;
const lineUp = (sy, x, look) => `<line x1="${x}" x2="${x}" y1="${sy.from}" y2="${sy.to}" ${look}/>`;
const rectOf = (sx, sy, look = '') => `<rect x="${sx.from}" y="${sy.to}" width="${
  sx.to - sx.from}" height="${sy.from - sy.to}"${look}/>`;
const outline = (sx, sy) => rectOf(sx, sy, ' fill="none" stroke="var(--line)"');
const dashed = (dash) => dash ? ` stroke-dasharray="${dash}"` : '';
const tickAcross = (x, y, text) =>
  `<text class="tick" x="${x}" y="${y}" text-anchor="middle">${text}</text>`;
const tickBeside = (x, y, text) =>
  `<text class="tick" x="${x}" y="${y}" dy="4" text-anchor="end">${text}</text>`;
const names = (sx, sy, xName, yName) => (xName ? `<text x="${(sx.from + sx.to) / 2}" y="${
  sy.from + 34}" text-anchor="middle">${label(xName)}</text>` : '') +
  `<text transform="translate(14 ${(sy.from + sy.to) / 2}) rotate(-90)" text-anchor="middle">${
    label(yName)}</text>`;

// ---- scales ----

function scale(lo, hi, from, to, log) {
  const f = log ? Math.log : (v) => v, inverse = log ? Math.exp : (v) => v;
  const a = f(lo), b = (to - from) / (f(hi) - a);
  const at = (v) => from + b * (f(v) - a);
  return { lo, hi, from, to, log, at, value: (p) => inverse(a + (p - from) / b) };
}

// Nice numbers between the ends, about n of them, each with its label; decades and parts of them
// where a logarithmic scale is long enough.
function ticks(s, n) {
  const list = [];
  const add = (v, text) => {
    if (v >= s.lo * (1 - 1e-9) - 1e-300 && v <= s.hi + 1e-9 * Math.abs(s.hi)) list.push([v, text]);
  };
  if (s.log && s.hi > 6 * s.lo) {
    const first = Math.floor(Math.log10(s.lo)), last = Math.ceil(Math.log10(s.hi));
    const step = Math.max(1, Math.ceil((last - first) / n)), dense = last - first <= 2;
    for (let d = first; d <= last; d++)
      for (const m of dense ? [1, 2, 5] : [1]) {
        const v = m * 10 ** d, plain = first >= -2 && last <= 4;
        const named = (d - first) % step === 0;
        add(v, !named ? '' : plain ? String(Number(v.toPrecision(3)))
          : (m > 1 ? `${m}·` : '') + `10^${d < 0 ? '−' : ''}${Math.abs(d)}^`);
      }
    return list;
  }
  const raw = (s.hi - s.lo) / n, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((m) => m * power >= raw * (1 - 1e-9));
  for (let i = Math.ceil(s.lo / step - 1e-9); i * step <= s.hi * (1 + 1e-9) + 1e-12; i++)
    list.push([i * step, String(Number((i * step).toPrecision(4))).replace('-', '−')]);
  return list;
}

// ---- curves ----

// Points are cut into pieces where there is no number.  Numbers out of range end at a place not far
// outside, where the clip hides them.
function pathOf(xs, ys, sx, sy) {
  let d = '', pen = 'M';
  for (let i = 0; i < xs.length; i++) {
    if (!Number.isFinite(ys[i]) || (sy.log && ys[i] <= 0)) { pen = 'M'; continue; }
    const y = clamp(sy.at(ys[i]), sy.to - 400, sy.from + 400);
    d += `${pen}${sx.at(xs[i]).toFixed(1)} ${y.toFixed(1)}`;
    pen = 'L';
  }
  return d;
}

function bandOf(xs, lo, hi, sx, sy) {
  let d = '', from = 0;
  const good = (i) => Number.isFinite(lo[i]) && Number.isFinite(hi[i]) && (!sy.log || hi[i] > 0);
  const floor = sy.log ? sy.lo / 10 : -Infinity;
  for (let i = 0; i <= xs.length; i++) {
    if (i < xs.length && good(i)) continue;
    if (i - from > 1) {
      const x = xs.slice(from, i), down = [...lo.slice(from, i)].map((v) => Math.max(v, floor));
      d += pathOf(x, hi.slice(from, i), sx, sy) +
        pathOf([...x].reverse(), down.reverse(), sx, sy).replace('M', 'L') + 'Z';
    }
    from = i + 1;
  }
  return d;
}

function drawAxes(sx, sy, xLabel, yLabel, o = {}) {
  let s = '';
  for (const [v, text] of ticks(sy, o.below ? 3 : 6)) {
    const y = sy.at(v).toFixed(1);
    s += lineAcross(sx, y, 'stroke="var(--grid)"');
    if (!o.below || y > sy.to + 8) s += tickBeside(sx.from - 6, y, label(text));
  }
  for (const [v, text] of ticks(sx, 6)) {
    const x = sx.at(v).toFixed(1);
    s += lineUp(sy, x, 'stroke="var(--grid)"');
    if (o.xTicks !== false) s += tickAcross(x, sy.from + 16, label(text));
  }
  return s + outline(sx, sy) + names(sx, sy, xLabel, yLabel);
}

// Adds a curve v with its bound to a frame.  Where the bound is above `most` the number is not
// known: the line is faint there, and has no band.
function addCurve(part, xs, v, bound, most, look) {
  const known = Float64Array.from(v, (_, i) => bound[i] <= most(i));
  const keep = (w, on) => w.map((one, i) => on(i) ? one : NaN);
  const faint = (i) => !known[i] || known[i - 1] === 0 || known[i + 1] === 0;
  part.lines.push({ xs, ys: keep(v, (i) => known[i]), ...look },
    { xs, ys: keep(v, faint), ...look, opacity: 0.35 });
  part.bands.push({ xs, lo: keep(v.map((w, i) => w - bound[i]), (i) => known[i]),
    hi: keep(v.map((w, i) => w + bound[i]), (i) => known[i]), color: look.color, opacity: 0.3 });
}

// Lines { xs, ys, color, dash, width, opacity } and bands { xs, lo, hi, color, opacity }.
function drawCurves(part, sx, sy, id) {
  let s = `<clipPath id="${id}">${rectOf(sx, sy)}</clipPath><g clip-path="url(#${id})">`;
  for (const b of part.bands)
    s += `<path d="${bandOf(b.xs, b.lo, b.hi, sx, sy)}" fill="${b.color}" opacity="${
      b.opacity}"/>`;
  for (const l of part.lines)
    s += `<path d="${pathOf(l.xs, l.ys, sx, sy)}" fill="none" stroke="${l.color}" stroke-width="${
      l.width ?? 1.8}" stroke-linejoin="round"${dashed(l.dash)}${
      l.opacity ? ` opacity="${l.opacity}"` : ''}/>`;
  return s + '</g>';
}

// Places in a panel as wide as the figure on the screen, so that letters keep their size.
const frameOf = (width) => ({ width, height: Math.round(0.84 * width), left: 64, right: width - 14,
  top: 30, bottom: Math.round(0.84 * width) - 42, gap: 12 });
const svgHead = (w, h, title) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${
  h}" role="img" aria-label="${escapeText(title.replace(/[_^]/g, ''))}">`;

// Curves above and, where there is p.strip, their ratios below, with a mark at p.mark.
function drawCurvePanel(p, id, f) {
  const split = p.strip ? f.top + 0.66 * (f.bottom - f.top) : f.bottom;
  const sx = scale(p.x.lo, p.x.hi, f.left, f.right, p.x.log);
  const sy = scale(p.y.lo, p.y.hi, split, f.top, p.y.log);
  let s = svgHead(f.width, f.height, p.title) +
    `<text x="${f.left}" y="19">${label(p.title)}</text>`;
  s += drawAxes(sx, sy, p.strip ? '' : p.x.label, p.y.label, { xTicks: !p.strip });
  const soft = 'stroke="var(--soft)"', thin = `${soft} stroke-width=".8"`;
  if (p.y.lo < 0) s += lineAcross(sx, sy.at(0), thin);
  s += drawCurves(p, sx, sy, `${id}-a`);
  let below;
  if (p.strip) {
    below = scale(p.strip.lo, p.strip.hi, f.bottom, split + f.gap, false);
    s += drawAxes(sx, below, p.x.label, p.strip.label, { below: true });
    s += lineAcross(sx, below.at(1), thin) + drawCurves(p.strip, sx, below, `${id}-b`);
  }
  if (p.mark >= p.x.lo && p.mark <= p.x.hi)
    s += lineUp({ from: f.top, to: f.bottom }, sx.at(p.mark), soft + dashed('1 3'));
  const room = 30 + 6.5 * Math.max(...p.legend.map((item) => item.text.replace(/_/g, '').length));
  p.legend.forEach((item, i) => {
    const x = f.right - 4 - room * (p.legend.length - i), y = f.top + 17;
    s += lineAcross({ from: x, to: x + 18 }, y - 4, `stroke="${item.color}" stroke-width="2"${
      dashed(item.dash)}`) + `<text x="${x + 22}" y="${y}">${label(item.text)}</text>`;
  });
  return { svg: s + '</svg>', sx, sy, below };
}

// The least and the largest positive number of some lists.
function positiveRange(lists) {
  let lo = Infinity, hi = 0;
  for (const list of lists)
    for (const v of list) {
      if (v > hi && v < Infinity) hi = v;
      if (v > 0 && v < lo) lo = v;
    }
  return [lo, hi];
}

// Two significant steps around what is there, never less than a decade, at most nine.
function logRange(lists) {
  let [lo, hi] = positiveRange(lists);
  if (!(hi > 0)) return [1e-6, 1];
  lo = Math.max(lo, hi * 1e-9);
  const a = Math.floor(Math.log10(lo) + 0.05), b = Math.ceil(Math.log10(hi) + 0.02);
  return [10 ** a, 10 ** Math.max(b, a + 1)];
}

// The narrowest usual range of ratios that holds most of them.
function ratioRange(lists) {
  const all = lists.flatMap((list) => [...list].filter(Number.isFinite)).sort((a, b) => a - b);
  if (!all.length) return [0, 2];
  const lo = all[Math.floor(0.02 * all.length)], hi = all[Math.ceil(0.98 * all.length) - 1];
  const usual = [[0.9, 1.1], [0.8, 1.2], [0.5, 1.5], [0, 2], [0, 4], [0, 10], [-2, 4], [0, 25]];
  return usual.find(([a, b]) => a <= lo && b >= hi) ?? [Math.min(0, lo), hi];
}

// ---- colours ----

// Equal steps in brightness: "inferno" for values, and blue over white to orange for ratios.
const INFERNO = [[0, 0, 4], [22, 11, 57], [66, 10, 104], [106, 23, 110], [147, 38, 103],
  [188, 55, 84], [221, 81, 58], [243, 120, 25], [252, 165, 10], [246, 215, 70], [252, 255, 164]];
const DIVERGING = [[5, 48, 97], [33, 102, 172], [67, 147, 195], [146, 197, 222], [209, 229, 240],
  [247, 247, 247], [253, 224, 190], [253, 184, 99], [224, 130, 20], [179, 88, 6], [127, 59, 8]];

function colorAt(stops, t) {
  const u = clamp(t, 0, 1) * (stops.length - 1), i = Math.min(Math.floor(u), stops.length - 2);
  return stops[i].map((c, j) => c + (u - i) * (stops[i + 1][j] - c));
}

// 1024 colours as the bytes of a canvas.
const palettes = new Map([INFERNO, DIVERGING].map((stops) => [stops,
  Uint32Array.from({ length: 1024 }, (_, i) => {
    const [r, g, b] = colorAt(stops, i / 1023).map(Math.round);
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  })]));

// ---- contours ----

// Pieces of the lines on which the grid v[j * n + i] is `level`, in cells.
function contour(v, n, m, level, put) {
  for (let j = 0; j + 1 < m; j++)
    for (let i = 0; i + 1 < n; i++) {
      const c = [v[j * n + i], v[j * n + i + 1], v[(j + 1) * n + i + 1], v[(j + 1) * n + i]];
      if (!c.every(Number.isFinite)) continue;
      const ends = [];
      for (let e = 0; e < 4; e++) {
        const a = c[e] - level, b = c[(e + 1) % 4] - level;
        if (a > 0 === b > 0) continue;
        const t = a / (a - b);
        ends.push([[i + t, j], [i + 1, j + t], [i + 1 - t, j + 1], [i, j + 1 - t]][e]);
      }
      for (let e = 0; e + 1 < ends.length; e += 2) put(ends[e], ends[e + 1]);
    }
}
