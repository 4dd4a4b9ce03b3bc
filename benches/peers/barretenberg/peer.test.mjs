import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { verify, createPublicKey } from 'node:crypto';
import { test } from 'node:test';

import { negated, signer } from './sample.mjs';
import { powersInG1, twoInG2 } from './srs.mjs';

const run = (...words) =>
  spawnSync(process.execPath, ['index.mjs', ...words], { cwd: import.meta.dirname });

test('the powers in G1 are 1, 2, 4 times (1, 2), on the curve', () => {
  const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
  const bytes = powersInG1(40);
  const at = (i) => BigInt(`0x${bytes.toString('hex', 32 * i, 32 * i + 32)}`);
  assert.deepEqual([at(0), at(1)], [1n, 2n]);
  assert.equal(at(2), 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3n);
  assert.equal(at(3), 0x15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4n);
  for (let i = 0; i < 40; i++) {
    const [x, y] = [at(2 * i), at(2 * i + 1)];
    assert.equal((y * y - x * x * x - 3n) % P, 0n);
  }
});

test('the point in G2 is twice the generator', () => {
  const expected = [
    '203e205db4f19b37b60121b83a7333706db86431c6d835849957ed8c3928ad79',
    '27dc7234fd11d3e8c36c59277c3e6f149d5cd3cfa9a62aee49f8130962b4b3b9',
    '04bb53b8977e5f92a0bc372742c4830944a59b4fe6b1c0466e2a6dad122b5d2e',
    '195e8aa5b7827463722b8c153931579d3505566b4edf48d498e185f0509de152',
  ];
  const bytes = twoInG2().toString('hex');
  // The real part comes first here.
  const [x, y] = [bytes.slice(0, 128), bytes.slice(128)];
  assert.ok(expected.includes(x.slice(0, 64)) && expected.includes(x.slice(64)));
  assert.ok(expected.includes(y.slice(0, 64)) && expected.includes(y.slice(64)));
});

test('signatures verify and have the lower s', () => {
  const { x, y, signature } = signer(3);
  const word = (bytes) => bytes.toString('base64url');
  const jwk = { kty: 'EC', crv: 'secp256k1', x: word(x), y: word(y) };
  const key = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' };
  assert.ok(verify('sha256', Buffer.from('message 3'), key, signature));
  assert.ok(verify('sha256', Buffer.from('message 3'), key, negated(signature)));
  assert.ok(signature[32] < 0x80 && negated(signature)[32] >= 0x7f);
});

test('bad input ends with 2 and one line', () => {
  for (const words of [['--signatures', '1,x'], ['--runs', '0'], ['--bogus'], ['--srs', '/no']]) {
    const { status, stdout, stderr } = run(...words);
    assert.equal(status, 2);
    assert.equal(String(stdout), '');
    assert.match(String(stderr), /^error: [^\n]+\n$/);
  }
});

test('one signature is proven, and what is false is not', { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = run('--signatures', '1', '--runs', '1', '--json');
  assert.equal(status, 0, String(stderr));
  const [row] = JSON.parse(stdout).rows;
  assert.equal(row.count, 1);
  assert.ok(row.gates > 10_000 && row.prove_s > row.witness_s && row.proof_bytes > 1000);
});
