// An insecure SRS, and a copy of Barretenberg that verifies over it.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

// Aztec's [x]_2 as Barretenberg has it compiled in: x, then y, the real part first.
const AZTEC_G2 = Buffer.from(
  '0118c4d5b837bcc2bc89b5b398b5974e9f5944073b32078b7e231fec938883b0' +
    '260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1' +
    '22febda3c0c0632a56475b4214e5615e11e6dd3f96e6cea2854a87d4dacc5e55' +
    '04fc6369f7110fe3d25156c1bb9a72859cf2a04641f99ba4ee413c80da6a5fe4',
  'hex',
);

const modulo = (a) => ((a % P) + P) % P;

function inverse(a) {
  let [low, high, u, v] = [modulo(a), P, 1n, 0n];
  while (low !== 0n) {
    const quotient = high / low;
    [low, high] = [high - quotient * low, low];
    [u, v] = [v - quotient * u, u];
  }
  return modulo(v);
}

/** The inverses of many nonzero values at the price of one. */
function inverses(values) {
  const products = [1n];
  for (const value of values) products.push((products.at(-1) * value) % P);
  let rest = inverse(products.at(-1));
  const result = new Array(values.length);
  for (let i = values.length - 1; i >= 0; i--) {
    result[i] = (rest * products[i]) % P;
    rest = (rest * values[i]) % P;
  }
  return result;
}

function write(value, buffer, offset) {
  buffer.write(value.toString(16).padStart(64, '0'), offset, 'hex');
}

/**
 * The powers of x = 2 in G1: each point is twice the one before, so that no scalar multiplication
 * is needed. Sums over them cost the same as over any other points.
 */
export function powersInG1(count) {
  const bytes = Buffer.alloc(64 * count);
  const chunk = 1 << 14;
  let [x, y, z] = [1n, 2n, 1n];
  for (let start = 0; start < count; start += chunk) {
    const points = [];
    for (let i = start; i < Math.min(start + chunk, count); i++) {
      points.push([x, y, z]);
      const yy = (y * y) % P;
      const s = (4n * x * yy) % P;
      const m = (3n * x * x) % P;
      const twice = modulo(m * m - 2n * s);
      z = (2n * y * z) % P;
      y = modulo(m * (s - twice) - 8n * yy * yy);
      x = twice;
    }
    inverses(points.map((point) => point[2])).forEach((inverted, i) => {
      const square = (inverted * inverted) % P;
      const offset = 64 * (start + i);
      write((points[i][0] * square) % P, bytes, offset);
      write((((points[i][1] * square) % P) * inverted) % P, bytes, offset + 32);
    });
  }
  return bytes;
}

const multiply = ([a, b], [c, d]) => [modulo(a * c - b * d), modulo(a * d + b * c)];
const subtract = ([a, b], [c, d]) => [modulo(a - c), modulo(b - d)];
const scale = (k, [a, b]) => [modulo(k * a), modulo(k * b)];

/** Twice the generator of G2. */
export function twoInG2() {
  const x = [
    10857046999023057135944570762232829481370756359578518086990519993285655852781n,
    11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  ];
  const y = [
    8495653923123431417604973247489272438418190587263600148770280649306958101930n,
    4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  ];
  const [a, b] = scale(2n, y);
  const norm = inverse(a * a + b * b);
  const slope = multiply(scale(3n, multiply(x, x)), [modulo(a * norm), modulo(-b * norm)]);
  const double = subtract(multiply(slope, slope), scale(2n, x));
  const ordinate = subtract(multiply(slope, subtract(x, double)), y);
  const bytes = Buffer.alloc(128);
  [...double, ...ordinate].forEach((value, i) => write(value, bytes, 32 * i));
  return bytes;
}

/** Makes the files that Barretenberg looks for, at least `count` points, unless they are there. */
export function makeSrs(folder, count) {
  const g1 = join(folder, 'bn254_g1.dat');
  const present = statSync(g1, { throwIfNoEntry: false })?.size ?? 0;
  if (present >= 64 * count) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bn254_g2.dat'), twoInG2());
  writeFileSync(g1, powersInG1(count));
}

/**
 * A copy of `bb` with our [x]_2 in the place of Aztec's, which is compiled in and with which it
 * verifies. Nothing else differs.
 */
export function acceptOwnSrs(original, copy) {
  const bytes = readFileSync(original);
  const at = bytes.indexOf(AZTEC_G2);
  if (at < 0 || bytes.indexOf(AZTEC_G2, at + 1) >= 0) {
    throw new Error(`${original}: Aztec's [x]_2 is not in it exactly once`);
  }
  twoInG2().copy(bytes, at);
  writeFileSync(copy, bytes, { mode: 0o755 });
}
