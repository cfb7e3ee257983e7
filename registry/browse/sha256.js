// SHA-256 (FIPS 180-4). By hand, since browsers have crypto.subtle only over https and on this machine itself, and
// a registry in a closed network may have neither.

const sha256Constants = (() => {
  const primes = [];
  for (let candidate = 2; primes.length < 64; ++candidate)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
  return {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
})();

/** Of a Uint8Array, as lower case hexadecimal digits. */
function sha256(bytes) {
  const { rounds, start } = sha256Constants;
  const state = Uint32Array.from(start);
  const words = new Uint32Array(64);
  const block = (data, offset) => {
    for (let i = 0; i < 16; ++i, offset += 4)
      words[i] = (data[offset] << 24) | (data[offset + 1] << 16) | (data[offset + 2] << 8) | data[offset + 3];
    for (let i = 16; i < 64; ++i) {
      const x = words[i - 15];
      const y = words[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
    }
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let i = 0; i < 64; ++i) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + words[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  };

  const whole = bytes.length - (bytes.length % 64);
  for (let offset = 0; offset < whole; offset += 64) block(bytes, offset);
  const rest = bytes.length - whole;
  const end = new Uint8Array(rest < 56 ? 64 : 128);
  end.set(bytes.subarray(whole));
  end[rest] = 0x80;
  const view = new DataView(end.buffer);
  view.setUint32(end.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(end.length - 4, (bytes.length << 3) >>> 0);
  for (let offset = 0; offset < end.length; offset += 64) block(end, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}
