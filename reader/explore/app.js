// SPDX-License-Identifier: MIT
// The page: controls, pointer and keys, reading, links and files.

const SLIDERS = [
  { key: 'x', text: '<i>x</i>', log: true, range: () => tables[0].x },
  { key: 'eps', text: '<i>ε</i> (GeV)', log: true, range: () => tables[0].eps, photon: 'eps' },
  { key: 'Q2', text: '<i>Q</i><sup>2</sup> (GeV<sup>2</sup>)', log: true, range: () => [0.04, 400],
    photon: 'Q2' },
  { key: 'z', text: '<i>z</i>', range: () => [0.02, 0.98], photon: 'Q2' },
  { key: 'm', text: '<i>m</i> (GeV)', range: () => [0, 5], photon: 'Q2' },
  { key: 'k', text: '<i>K</i>', log: true, range: kRange },
  { key: 'q', text: '<i>q</i> (GeV)', log: true, range: () => tables[0].q },
  { key: 'angle', text: '<i>φ</i>', range: () => [0, Math.PI] },
  { key: 'radius', text: 'map to <i>q</i> (GeV)', log: true,
    range: () => [Math.min(2 * tables[0].q[0], tables[0].q[1]), tables[0].q[1]] },
];
const times = {}; // of the last drawing, ms

// ---- state and address ----

function readAddress() {
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(key in state)) continue;
    const v = typeof state[key] === 'number' ? Number(text) : text;
    if (!Number.isNaN(v)) state[key] = v;
  }
}

const addressOf = () => '#' + new URLSearchParams(Object.entries(state)).toString();

// Values inside what the table has; typed ones may lie outside, and are refused by the reader.
function keepInRange() {
  for (const s of SLIDERS) {
    const [lo, hi] = s.range();
    state[s.key] = clamp(state[s.key], lo, hi);
  }
}

function set(changes) {
  Object.assign(state, changes);
  schedule();
}

// ---- drawing: all at once when something changes, and what takes long when it rests ----

let planned = 0, rest = 0, kept = {};

function schedule() {
  planned ||= requestAnimationFrame(() => {
    planned = 0;
    draw();
  });
}

// The result of compute, again only where the state that it depends on has changed; without compute
// what is kept for this state, or undefined.
function once(name, keys, compute) {
  const key = JSON.stringify([tables.map((t) => t.serial), ...keys.map((k) => state[k])]);
  if (kept[name]?.key !== key && compute) kept[name] = { key, value: compute() };
  return kept[name]?.key === key ? kept[name].value : undefined;
}

const MAP = ['x', 'eps', 'Q2', 'z', 'm', 'photon', 'fixed', 'k', 'pol', 'show', 'radius'];
const PHOTON = ['x', 'eps', 'Q2', 'z', 'm', 'photon', 'fixed'];

function draw() {
  const start = performance.now();
  clearTimeout(rest);
  if (!tables.length) return;
  showControls();
  const why = tables.map((t) => {
    const photons = photonsOf(t);
    return photons ? t.moveTo(state.x, photons.eps)
      : 'real photons, Q2 = 0, need a quark with a mass';
  }).find(Boolean);
  say(why);
  $('key').hidden = Boolean(why);
  document.querySelector('main').style.opacity = why ? 0.25 : 1;
  if (why) return;
  drawPair(); // it asks for the width of its place, before other changes
  drawMap(once('map', MAP, mapOf), once('grid', MAP));
  ['q', 'k', 'angle'].forEach(drawCurvesAlong);
  const harmonics = once('harmonics', [...PHOTON, 'k'], () => tables.map(harmonicsOf));
  drawHarmonics(harmonics);
  drawDipole();
  showReading();
  times.draw = performance.now() - start;
  rest = setTimeout(() => finish(harmonics), 120);
}

function finish(harmonics) {
  history.replaceState(null, '', addressOf());
  drawMap(once('map', MAP, mapOf), once('grid', MAP, gridOf)); // with the lines of bounds
  const steps = harmonics.filter((h) => !h.bands).map((h) => harmonicBands(
    tables[harmonics.indexOf(h)], h));
  const go = () => {
    const until = performance.now() + 12;
    while (steps.length && performance.now() < until) if (steps[0].next().done) steps.shift();
    if (steps.length) rest = setTimeout(go, 0);
    else drawHarmonics(harmonics);
  };
  if (steps.length) go();
}

function say(text) {
  $('message').textContent = text ?? '';
  $('message').hidden = !text;
}

// ---- controls ----

const toPart = (s, v) => {
  const [lo, hi] = s.range();
  if (lo === hi) return 0;
  return 1000 * (s.log ? Math.log(v / lo) / Math.log(hi / lo) : (v - lo) / (hi - lo));
};
// Four digits, but the very ends at the ends.
const fromPart = (s, part) => {
  const [lo, hi] = s.range(), t = part / 1000;
  if (t <= 0 || t >= 1) return t <= 0 ? lo : hi;
  return Number((s.log ? lo * (hi / lo) ** t : lo + t * (hi - lo)).toPrecision(4));
};

function makeControls() {
  for (const s of SLIDERS) {
    const box = document.createElement('label');
    box.innerHTML = `<span>${s.text}</span><input class="value" inputmode="decimal" name="${s.key
    }" aria-label="${s.key}"><input type="range" min="0" max="1000" step="1" name="${s.key
    }-slider" aria-label="${s.key}">`;
    $('sliders').append(box);
    const [, text, slider] = box.children;
    Object.assign(s, { box, input: text, slider, name: box.children[0] });
    slider.addEventListener('input', () => set({ [s.key]: fromPart(s, slider.valueAsNumber) }));
    text.addEventListener('change', () => {
      const v = Number(text.value);
      if (text.value.trim() && Number.isFinite(v)) set({ [s.key]: v });
      else showControls();
    });
  }
  for (const choice of document.querySelectorAll('.choice'))
    choice.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) set({ [choice.dataset.state]: button.value });
    });
  $('controls').addEventListener('submit', (event) => event.preventDefault());
}

function showControls() {
  if (!isDsigma() && state.pol === '2') state.pol = '0';
  const fixed = state.fixed === 'K';
  for (const s of SLIDERS) {
    const text = s.key === 'k' ? `${fixed ? '<i>K</i>' : '<i>k</i><sub>1</sub>'} (GeV)`
      : s.key === 'angle' ? `<i>${fixed ? 'φ' : 'θ'}</i> (rad)` : s.text;
    if (s.shown !== text) s.name.innerHTML = s.shown = text;
    s.box.hidden = s.photon !== undefined && s.photon !== state.photon;
    s.slider.disabled = s.range()[0] === s.range()[1];
    if (document.activeElement !== s.slider) s.slider.value = toPart(s, state[s.key]);
    s.input.value = state[s.key];
  }
  for (const choice of document.querySelectorAll('.choice'))
    for (const button of choice.children)
      button.setAttribute('aria-pressed', button.value === state[choice.dataset.state]);
  document.body.classList.toggle('both', tables.length > 1);
  document.body.classList.toggle('dsigma', isDsigma());
}

// ---- the reading ----

function percent(bound, value) {
  const share = 100 * bound / Math.abs(value);
  return Number.isFinite(share) ? `${Number(share.toPrecision(2))} %` : 'not known';
}

function showReading() {
  const rows = [];
  tables.forEach((table, t) => {
    const r = readingOf(table);
    for (const pol of [T, L]) {
      const v = r.value[pol], cells = [[v, `${short(v, 5)} GeV^−6^`],
        [r.bound[pol], percent(r.bound[pol], v)],
        [v / r.limit[pol], short(v / r.limit[pol], 4)]];
      rows.push(`<tr><th scope="row">${html(symbolOf(pol))}${tables.length > 1 ? ` ${'AB'[t]}` : ''
      }</th>${cells.map(([number, text]) => `<td data-value="${number}">${html(text)
      }</td>`).join('')}</tr>`);
    }
  });
  document.querySelector('#reading tbody').innerHTML = rows.join('');
  $('shell').textContent = tables.map(commandOf).join('\n');
}

// ---- pointer and keys ----

function tipAt(event, id) {
  const panel = panels[id], svg = $(id).querySelector('svg');
  if (!panel || !svg) return null;
  const box = svg.getBoundingClientRect(), zoom = svg.viewBox.baseVal.width / box.width;
  const px = (event.clientX - box.left) * zoom, py = (event.clientY - box.top) * zoom;
  const v = panel.sx.value(px);
  const first = panel.sy.to, last = (panel.below ?? panel.sy).from;
  if (px < panel.sx.from || px > panel.sx.to || py < first || py > last) return null;
  if (id !== 'map') return { [panel.data.axis.key]: v };
  const y = panel.sy.value(py);
  return { q: Math.hypot(v, y), angle: Math.abs(Math.atan2(y, v)) };
}

function showTip(event, id) {
  const at = tipAt(event, id), tip = $('tip');
  tip.hidden = !at;
  if (!at) return;
  const named = { angle: angleName(), k: fixedName() };
  const lines = Object.entries(at).map(([key, v]) =>
    `${named[key] ?? '_q_'} = ${short(v, 4)}${key === 'angle' ? '' : ' GeV'}`);
  const own = { ...state }, { columns } = panels[id].data;
  if (columns) {
    const i = columns[0][1].findIndex((v) => v >= at[id === 'dipole' ? 'r' : 'x']);
    lines.splice(0, 1, ...columns.map(([name, v]) => `${name} = ${short(v[Math.max(i, 0)], 4)}`));
  }
  Object.assign(state, at);
  if (!columns) tables.forEach((table, t) => {
    const of = tables.length > 1 ? ` ${'AB'[t]}` : '';
    if (id === 'harmonics') {
      const { xs, value } = panels[id].data.of[t];
      const i = xs.findIndex((q) => q >= at.q * 0.98);
      [T, L].forEach((pol) => lines.push(HARMONICS.map((n, j) =>
        `_v___${n}__ ${NAMES[pol]}${of} = ${short(value[pol][j][Math.max(i, 0)], 3)}`)
        .join(',  ')));
      return;
    }
    const { value, bound } = readingOf(table);
    [T, L].forEach((pol) => lines.push(`${symbolOf(pol)}${of} = ${short(value[pol], 4)
    } GeV^−6^ ± ${percent(bound[pol], value[pol])}`));
  });
  Object.assign(state, own);
  tip.innerHTML = lines.map(html).join('<br>');
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = `${clamp(event.clientX + 16, 4, innerWidth - w - 4)}px`;
  tip.style.top = `${event.clientY + 18 + h > innerHeight ? event.clientY - h - 14
    : event.clientY + 18}px`;
}

function round(at) {
  const [lo, hi] = tables[0].q, out = {};
  for (const key of Object.keys(at)) out[key] = Number(at[key].toPrecision(4));
  if (out.q) out.q = clamp(out.q, lo, hi);
  if (out.angle) out.angle = clamp(out.angle, 0, Math.PI);
  return out;
}

function followPointer() {
  for (const figure of document.querySelectorAll('figure')) {
    const { id } = figure;
    figure.addEventListener('pointermove', (event) => {
      showTip(event, id);
      const at = event.buttons === 1 && id !== 'dipole' && tipAt(event, id);
      if (at) set(round(at));
    });
    figure.addEventListener('pointerleave', () => { $('tip').hidden = true; });
    figure.addEventListener('click', (event) => {
      const at = !event.target.closest('.save') && id !== 'dipole' && tipAt(event, id);
      if (at) set(round(at));
    });
    figure.addEventListener('keydown', (event) => {
      const [dq, da] = { ArrowUp: [1.05, 0], ArrowDown: [1 / 1.05, 0], ArrowLeft: [1, 0.05],
        ArrowRight: [1, -0.05] }[event.key] ?? [];
      if (!dq || event.target !== figure) return;
      event.preventDefault();
      set(round({ q: state.q * dq, angle: state.angle + da }));
    });
  }
}

// ---- saving and copying ----

function offer(name, type, content) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// A picture that stands alone: colours and fonts in it, the canvas as an image.
function pictureOf(id) {
  const style = getComputedStyle(document.documentElement), f = id === 'map' ? mapFrame : frame;
  const image = `<image x="${f.left}" y="${f.top}" width="${f.right - f.left}" height="${
    f.bottom - f.top}" preserveAspectRatio="none" href="${pixels.toDataURL()}"/>`;
  const look = '<style>text{font:12px sans-serif;fill:var(--ink)}' +
    '.tick{font-size:11px;fill:var(--soft)}.m{font:italic 14px serif}' +
    '.over text{fill:#fff;stroke:#000;stroke-width:3px;paint-order:stroke}</style>' +
    '<rect width="100%" height="100%" fill="var(--panel)"/>';
  return panels[id].svg.replace('<g class="image"></g>', id === 'map' ? image : '')
    .replace('>', ` width="${2 * f.width}" height="${2 * f.height}">${look}`)
    .replace(/var\((--\w+)\)/g, (_, name) => style.getPropertyValue(name).trim());
}

function pngOf(id) {
  return new Promise((done, fail) => {
    const image = new Image(), canvas = document.createElement('canvas');
    image.onload = () => {
      Object.assign(canvas, { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done);
    };
    image.onerror = () => fail(new Error('the picture cannot be drawn'));
    image.src = 'data:image/svg+xml,' + encodeURIComponent(pictureOf(id));
  });
}

function csvOf(id) {
  const { data } = panels[id], rows = tables.map((t) => `# ${commandOf(t)}`);
  if (id === 'map') {
    const step = 2 * state.radius / PIXELS, { v } = data.map;
    rows.push('q_along,q_across,value');
    v.forEach((one, i) => rows.push([-state.radius + (i % PIXELS + 0.5) * step,
      (Math.floor(i / PIXELS) + 0.5) * step, one].join()));
    return rows.join('\n') + '\n';
  }
  const columns = data.columns ?? [[data.axis.key, data.of[0].xs]];
  data.of?.forEach((c, t) => [T, L].forEach((pol) => {
    const end = `_${NAMES[pol]}${tables.length > 1 ? `_${'AB'[t]}` : ''}`;
    if (id === 'harmonics') HARMONICS.forEach((n, j) => columns.push([`v${n}${end}`,
      c.value[pol][j]]));
    else for (const key of ['value', 'bound', 'limit']) columns.push([key + end, c[key][pol]]);
  }));
  rows.push(columns.map(([name]) => name).join());
  columns[0][1].forEach((_, i) => rows.push(columns.map(([, v]) => v[i]).join()));
  return rows.join('\n') + '\n';
}

function makeFigures() {
  for (const figure of document.querySelectorAll('figure')) {
    figure.innerHTML = '<div class="picture"><div class="plot"></div></div><div class="save">' +
      '<button>SVG</button><button>PNG</button><button>CSV</button></div>';
    const { id } = figure, name = () => `${tables[0].file.replace(/\.cgct$/, '')}-${id}`;
    const [svg, png, csv] = figure.querySelectorAll('button');
    svg.onclick = () => offer(`${name()}.svg`, 'image/svg+xml', pictureOf(id));
    png.onclick = async () => offer(`${name()}.png`, 'image/png', await pngOf(id));
    csv.onclick = () => offer(`${name()}.csv`, 'text/csv', csvOf(id));
  }
  $('map').firstChild.prepend(pixels);
  measure();
  addEventListener('resize', () => {
    measure();
    schedule();
  });
}

async function copy(text, button) {
  const was = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed here';
  }
  setTimeout(() => { button.textContent = was; }, 1200);
}

// ---- tables ----

let serial = 0;

function take(bytes, name, member, place) {
  const table = new Table(bytes, name, member);
  table.serial = ++serial;
  tables[place]?.close();
  tables[place] = table;
  kept = {};
  keepInRange();
  describeTables();
  schedule();
}

function describeTables() {
  const [first] = tables, titles = tables.map((t) => t.file.replace(/\.cgct$/, '') +
    (t.memberName && t.member ? ` (${t.memberName})` : ''));
  $('title').textContent = titles.length > 1 ? `A ${titles[0]} · B ${titles[1]}` : titles[0];
  document.title = `${titles.join(' and ')}: dijet cross section at small x`;
  const dipole = first.meta.get('dipole') ?? '', own = `${first.memberName}: `;
  const shown = dipole.startsWith(own) ? dipole.slice(own.length).split('; ')[0] : dipole;
  $('about').textContent = `Dijets in deep-inelastic scattering at small x. Dipole: ${
    shown.length > 170 ? shown.slice(0, 170).replace(/,[^,]*$/, ' …') : shown}`;
  const [a, b] = document.querySelectorAll('[data-state=show] button');
  [a.textContent, b.textContent] = [titles[0], titles[1] ?? ''];
  $('metadata').innerHTML = tables.flatMap((t) => [['file', t.name], ['checksum', t.checksum],
    ...t.meta]).map(([key, v]) => `<dt>${escapeText(key)}</dt><dd>${escapeText(v)}</dd>`).join('');
  const members = tables.find((t) => t.members > 1)?.meta.get('uncertainty') ?? 'none';
  const range = { replicas: ', paler, from the 16th to the 84th percentile of the members',
    hessian: ', paler, the uncertainty from the Hessian members' }[members] ??
    ', paler, from the smallest to the largest of the members';
  $('key').textContent = 'Blue and orange: T and L. Dotted: the correlation limit. Bands: the ' +
    `bound on the error${tables.some((t) => t.members > 1) ? range : ''}; where it is above the ` +
    'value, the line is faint. Lines on the map: a bound of 1 % (dotted), 10 % (dashed) and ' +
    '100 % (full).';
}

function takeFile(file, place) {
  file.arrayBuffer().then((buffer) => take(new Uint8Array(buffer), file.name, '', place))
    .catch((error) => say(error.message));
}

function acceptFiles() {
  $('open').addEventListener('change', (event) => takeFile(event.target.files[0], 0));
  $('compare').addEventListener('change', (event) =>
    takeFile(event.target.files[0], tables.length ? 1 : 0));
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('drop');
  });
  addEventListener('dragleave', () => document.body.classList.remove('drop'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('drop');
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file, event.shiftKey && tables.length ? 1 : 0);
  });
}

function bytesOf(element) {
  const text = atob(element.textContent.trim()), out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  element.remove();
  return out;
}

// ---- the beginning ----

function followTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const apply = () => { root.dataset.theme = system.matches ? 'dark' : 'light'; };
  system.addEventListener('change', apply);
  $('theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  });
  apply();
}

async function begin() {
  followTheme();
  makeFigures();
  makeControls();
  followPointer();
  acceptFiles();
  readAddress();
  $('link').addEventListener('click', (event) =>
    copy(location.href.replace(/#.*/, '') + addressOf(), event.target));
  $('command').addEventListener('click', (event) => copy($('shell').textContent, event.target));
  addEventListener('hashchange', () => {
    readAddress();
    schedule();
  });
  await startReader(bytesOf($('reader')));
  for (const element of document.querySelectorAll('script.table'))
    take(bytesOf(element), element.dataset.name, element.dataset.member, tables.length);
  times.open = performance.now();
}

begin().catch((error) => say(error.message));
