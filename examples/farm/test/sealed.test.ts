// Payloads that only those read who have the key.
// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { BadInput } from '../src/plan.js';
import { Sealed } from '../src/sealed.js';

const dir = mkdtempSync(join(tmpdir(), 'muster-farm-'));
after(() => rmSync(dir, { recursive: true }));

function sealed(key: string, namespace = 'farm'): Sealed {
  const path = join(dir, 'key');
  writeFileSync(path, key);
  return new Sealed(path, namespace);
}

test('a payload is sealed for those who have the key', async () => {
  const [own, other] = [sealed(`${'ab'.repeat(32)}\n`), sealed('ac'.repeat(32))];
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('who signed') };
  const [first] = await own.encode([payload]);
  const [second] = await own.encode([payload]);
  assert.ok(first?.data && second?.data);
  assert.notDeepEqual(first.data, second.data, 'nonces differ');
  assert.ok(!Buffer.from(first.data).includes('who signed'));
  const [opened] = await own.decode([first]);
  assert.equal(Buffer.from(opened!.data!).toString(), 'who signed');
  assert.equal(Buffer.from(opened!.metadata!.encoding!).toString(), 'json/plain');
  await assert.rejects(other.decode([first]), /another codec key/);
  await assert.rejects(sealed('ab'.repeat(32), 'other').decode([first]), /another namespace/);
  const old = { ...first, metadata: { encoding: Buffer.from('binary/muster-sealed-v1') } };
  await assert.rejects(own.decode([old]), /another version/);
  await assert.rejects(own.decode([payload]), /without the farm's codec key/);
  for (const place of [0, 23, 24, first.data.length - 1, undefined]) {
    const data = Buffer.from(first.data).subarray(0, place === undefined ? 23 : undefined);
    if (place !== undefined) data[place]! ^= 1;
    await assert.rejects(own.decode([{ ...first, data }]), /another codec key/);
  }
});

test('what is no key is named', () => {
  for (const text of ['', 'ab'.repeat(31), 'ab'.repeat(33), 'xy'.repeat(32)]) {
    assert.throws(() => sealed(text), (error) => error instanceof BadInput && /not 64 hex digits/.test(error.message));
  }
  assert.throws(() => new Sealed(join(dir, 'none'), 'farm'), BadInput);
});

// As muster-farm encrypts the payload `{metadata: {}, data: "who signed"}` in the namespace "farm": the same bytes are in its tests.
test('the farm encrypts in the same way', async () => {
  const data = Buffer.from('07070707070707070707070707070707070707070707070710b2baef7b20b10840f8b3d29db6880279b18d4d31d6b709994d6f18', 'hex');
  const metadata = { encoding: Buffer.from('binary/muster-sealed-v2') };
  const [opened] = await sealed('ab'.repeat(32)).decode([{ metadata, data }]);
  assert.equal(Buffer.from(opened!.data!).toString(), 'who signed');
});
