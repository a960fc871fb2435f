// SPDX-License-Identifier: MIT
// The reader (cgctab.h) as WebAssembly: tables in its memory, and their numbers.

const T = 0, L = 1;
let wasm, scratch; // the functions of the reader; SCRATCH doubles of its memory for results
const SCRATCH = 64 + 2 * 4096; // members are 4096 at most
const memory = (kind, at, n) => new kind(wasm.memory.buffer, at, n);
const doubles = (at, n) => memory(Float64Array, at, n);

// The only calls out of it are those of printing, which it does into strings alone.
async function startReader(bytes) {
  const none = () => 8; // no such file
  const { instance } = await WebAssembly.instantiate(bytes, {
    wasi_snapshot_preview1: { fd_close: none, fd_seek: none, fd_write: none },
  });
  wasm = instance.exports;
  wasm._initialize();
  scratch = wasm.malloc(8 * SCRATCH);
}

function readText(at) {
  if (!at) return null;
  const bytes = new Uint8Array(wasm.memory.buffer, at);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// A copy of a text in the reader's memory, to be freed.
function writeText(text) {
  const bytes = new TextEncoder().encode(text + '\0');
  const at = wasm.malloc(bytes.length);
  memory(Uint8Array, at, bytes.length).set(bytes);
  return at;
}

class Table {
  // name: of the file, as commands give it; member: its name or number, '' for the first one
  constructor(bytes, name, member) {
    const at = wasm.malloc(bytes.length), own = member ? writeText(member) : 0;
    memory(Uint8Array, at, bytes.length).set(bytes);
    const status = wasm.cgct_open_memory(at, bytes.length, own, scratch, scratch + 8);
    wasm.free(at);
    if (own) wasm.free(own);
    if (status) throw new Error(readText(scratch + 8).replace(/^memory/, name));
    this.handle = memory(Uint32Array, scratch, 1)[0];
    wasm.cgct_set_negative(this.handle, 1);
    this.name = name;
    this.file = name.replace(/.*\//, '');
    this.describe();
    this.at = [NaN, NaN]; // x and eps of the slice
    this.room = 0; // points for which the buffer has room
  }

  // cgct_info, whose numbers have the places that 32-bit addresses give them.
  describe() {
    wasm.cgct_table_info(this.handle, scratch);
    const v = doubles(scratch, 21), n = memory(Uint32Array, scratch, 42);
    Object.assign(this, { x: [v[3], v[4]], eps: [v[5], v[6]], q: [v[7], v[8]], kMax: v[9],
      members: n[32], member: n[33] });
    this.checksum = (BigInt(n[41]) << 32n | BigInt(n[40])).toString(16).padStart(16, '0');
    this.area = wasm.cgct_member_S_perp(this.handle, this.member);
    this.memberName = readText(wasm.cgct_member_name(this.handle, this.member));
    this.meta = new Map();
    for (let i = 0; i < wasm.cgct_meta_count(this.handle); i++) {
      const key = wasm.cgct_meta_key(this.handle, i);
      this.meta.set(readText(key), readText(wasm.cgct_meta(this.handle, key)));
    }
  }

  close() {
    if (this.slice) wasm.cgct_slice_free(this.slice);
    wasm.cgct_close(this.handle);
  }

  // All later calls are for this x and eps.  Returns why there are no numbers, or null.
  moveTo(x, eps) {
    if (this.at[0] === x && this.at[1] === eps) return this.slice ? null : this.why;
    if (this.slice) wasm.cgct_slice_free(this.slice);
    this.at = [x, eps];
    const status = wasm.cgct_slice_init(scratch, this.handle, x, eps, scratch + 8);
    this.slice = memory(Uint32Array, scratch, 1)[0];
    this.why = status ? `${this.file}: ${readText(scratch + 8).replace(/^memory: /, '')}` : null;
    return this.why;
  }

  // I of points [q, k1, theta, q, k1, theta ...]: T, L, T, L ..., NaN where there is none.
  many(points) {
    const n = points.length / 3;
    if (n > this.room) {
      if (this.room) wasm.free(this.buffer);
      this.buffer = wasm.malloc(40 * n);
      this.room = n;
    }
    const at = this.buffer, v = doubles(at, 3 * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < 3; j++) v[j * n + i] = points[3 * i + j];
    wasm.cgct_slice_many(this.slice, n, at, at + 8 * n, at + 16 * n, at + 24 * n, 0);
    return doubles(at + 24 * n, 2 * n).slice();
  }

  // Of one point p = [q, k1, theta], T and L of each.
  value(p) { return this.ask(wasm.cgct_eval, p, 2); }
  bound(p) { return this.ask(wasm.cgct_eval_error, p, 2); }
  limit(p) { return this.ask(wasm.cgct_reference, p, 2); }
  ofMembers(p) { return this.ask(wasm.cgct_eval_members, p, 2 * this.members); }
  ask(call, p, n) {
    call(this.handle, ...this.at, ...p, scratch);
    return doubles(scratch, n).slice();
  }

  // Low and high of a quantity of all members.
  range(values) {
    const to = scratch + 8 * (SCRATCH - 4);
    doubles(scratch, values.length).set(values);
    const status = wasm.cgct_uncertainty_of(this.handle, scratch, to);
    return status ? [NaN, NaN] : [...doubles(to + 8, 2)];
  }
}

// eps and the factors of I in the cross sections of T and L photons, as cgct_dis_factors.
function photonFactors(area, z, Q2, mass) {
  doubles(scratch, 6).set([1 / 137.036, 1, area, z, Q2, mass]);
  const status = wasm.cgct_dis_factors(scratch, scratch + 48, scratch + 56);
  const v = doubles(scratch + 48, 5).slice();
  return status ? null : { eps: v[0], factor: [[v[1], v[2]], [v[3], v[4]]] };
}
