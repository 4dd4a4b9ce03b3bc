// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numberToHex, type Hex } from 'viem';

import { digest, statement, type Scope } from '../src/index.js';
import { big, json, refusal } from './vectors.js';

const KEY: Hex = `0x${'12'.repeat(32)}`;
const scope: Scope = { sourceChainId: 1n, destinationChainId: 10n, client: `0x${'00'.repeat(19)}2a`, epoch: 1n, key: KEY, root: 1n };
const next: digest.Committee = { key: KEY, root: 2n, threshold: 1n, form: digest.Form.Element };

function scopeOf(given: any): Scope {
  return {
    sourceChainId: big(given.source_chain), destinationChainId: big(given.destination_chain), client: given.client,
    epoch: big(given.epoch), key: given.key, root: big(given.root),
  };
}

const committeeOf = (given: any): digest.Committee =>
  ({ key: given.key, root: big(given.root), threshold: big(given.threshold), form: given.form });

test('known answers', () => {
  const { vectors } = json('test/vectors/digests.json');
  assert.ok(vectors.length >= 4);
  for (const { scope: given, valid_until, messages, batch, handover } of vectors) {
    const scope = scopeOf(given);
    const until = big(valid_until);
    const ids = messages.map(({ nonce, payload }: any) => digest.messageId(scope, { nonce: big(nonce), payload }));
    const { root, paths } = digest.batchTree(ids);
    messages.forEach((message: any, i: number) => {
      assert.equal(ids[i], message.message_id);
      assert.equal(digest.message(scope, until, ids[i]), big(message.digest));
      assert.deepEqual(paths[i], message.path);
      assert.equal(digest.batchRootOf(ids[i], message.path), batch.root);
    });
    assert.equal(root, batch.root);
    assert.equal(digest.batch(scope, until, root), big(batch.digest));

    const following = committeeOf(handover.next);
    const proposal = digest.proposal(big(handover.sequence), scope.epoch + 1n, following);
    assert.equal(proposal, handover.proposal);
    assert.equal(digest.handover(scope, until, proposal), big(handover.digest));
    const after = digest.scopeOfNext(scope, following);
    assert.equal(digest.acceptance(after, until, proposal), big(handover.acceptance_digest));
  }
});

test('a tree of any size leads each message to its root', () => {
  const [a, b] = [`0x${'ab'.repeat(32)}`, `0x${'AC'.repeat(32)}`] as [Hex, Hex];
  assert.equal(digest.batchRootOf(a, [b]), digest.batchRootOf(a, [b.toLowerCase() as Hex]), 'the case of digits says nothing');
  for (let size = 1; size <= 33; size += 1) {
    const ids = Array.from({ length: size }, (_, i) => numberToHex(i, { size: 32 }));
    const { root, paths } = digest.batchTree(ids);
    ids.forEach((id, i) => assert.equal(digest.batchRootOf(id, paths[i]!), root, `${i} of ${size}`));
  }
  assert.throws(() => digest.batchTree([]), refusal('EmptyBatch'));
  assert.throws(() => digest.batchTree([KEY, '0x00']), refusal('NotBytes', 'ids[1] is to have 32 bytes'));
  const path = new Array<Hex>(32).fill(KEY);
  digest.batchRootOf(KEY, path);
  assert.throws(() => digest.batchRootOf(KEY, [...path, KEY]), refusal('PathTooLong', 'has 33'));
  assert.throws(() => digest.batchRootOf(KEY, ['0x']), refusal('NotBytes', 'path[0]'));
});

test('the inputs of a committee', () => {
  const signed = digest.message(scope, 0n, KEY);
  assert.deepEqual(digest.ofCommittee(next, signed), statement.ofElement(next, signed));
  const taken = { ...next, form: digest.Form.Digest };
  assert.deepEqual(digest.ofCommittee(taken, signed), statement.ofDigest(taken, numberToHex(signed, { size: 32 })));
  assert.throws(() => digest.ofCommittee({ ...next, form: 2 }, signed), refusal('UnknownForm', '2'));
  assert.throws(() => digest.ofCommittee(taken, 1n << 256n), refusal('NumberOutOfRange', 'digest'));
});

test('what does not fit is refused, by its field', () => {
  const wide = 1n << 64n;
  const of = (change: Partial<Scope>) => () => digest.message({ ...scope, ...change }, 0n, KEY);
  assert.throws(of({ sourceChainId: 1n << 256n }), refusal('NumberOutOfRange', 'scope.sourceChainId'));
  assert.throws(of({ destinationChainId: -1n }), refusal('NumberOutOfRange', 'scope.destinationChainId'));
  assert.throws(of({ client: '0x00' }), refusal('NotAnAddress', 'scope.client'));
  assert.throws(of({ epoch: wide }), refusal('NumberOutOfRange', 'scope.epoch'));
  assert.throws(of({ key: '0x' }), refusal('NotBytes', 'scope.key'));
  assert.throws(of({ root: -1n }), refusal('NumberOutOfRange', 'scope.root'));
  assert.throws(() => digest.message(scope, wide, KEY), refusal('NumberOutOfRange', 'validUntil'));
  assert.throws(() => digest.message(scope, 0n, '0x'), refusal('NotBytes', 'id'));
  assert.throws(() => digest.batch(scope, 0n, '0x'), refusal('NotBytes', 'batchRoot'));
  assert.throws(() => digest.handover(scope, 0n, '0x'), refusal('NotBytes', 'proposal'));
  assert.throws(() => digest.acceptance(scope, 0n, '0x'), refusal('NotBytes', 'proposal'));
  assert.throws(() => digest.messageId(scope, { nonce: wide, payload: '0x' }), refusal('NumberOutOfRange', 'message.nonce'));
  assert.throws(() => digest.messageId(scope, { nonce: 0n, payload: '0x1' }), refusal('NotBytes', 'message.payload'));
  assert.throws(() => digest.proposal(wide, 2n, next), refusal('NumberOutOfRange', 'sequence'));
  assert.throws(() => digest.proposal(1n, wide, next), refusal('NumberOutOfRange', 'newEpoch'));
  assert.throws(() => digest.proposal(1n, 2n, { ...next, key: '0x' }), refusal('NotBytes', 'next.key'));
  assert.throws(() => digest.proposal(1n, 2n, { ...next, root: 0n }), refusal('RootOutOfRange'));
  assert.throws(() => digest.proposal(1n, 2n, { ...next, threshold: 1n << 60n }), refusal('ThresholdOutOfRange'));
  assert.throws(() => digest.proposal(1n, 2n, { ...next, form: 2 }), refusal('UnknownForm'));
});
