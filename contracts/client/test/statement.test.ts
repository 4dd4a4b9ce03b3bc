// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Hex } from 'viem';

import { statement } from '../src/index.js';
import { json, refusal, words } from './vectors.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const BLS_PRIME_HIGH = 0x1a0111ea397fe69a4b1ba7b6434bacd7n;
const BLS_PRIME_LOW = 0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const some = { root: 0xc0ffeen, threshold: 8n };

type Words2 = readonly [bigint, bigint];
type Words4 = readonly [bigint, bigint, bigint, bigint];
type Words8 = readonly [...Words4, ...Words4];

function ofKind(kind: string, committee: statement.Committee, message: Hex): bigint[] {
  switch (kind) {
    case 'element': return statement.ofElement(committee, BigInt(message));
    case 'digest': return statement.ofDigest(committee, message);
    case 'plain': return statement.ofPlain(committee, message);
    case 'bn254-g2': return statement.ofBn254G2(committee, words(message) as unknown as Words4);
    default: throw new Error(kind);
  }
}

test('known statements, with signers and without', () => {
  const { statements } = json('test/vectors/known-statements.json');
  assert.ok(statements.length >= 40);
  for (const { kind, message, members, mask, inputs } of statements) {
    const expected: bigint[] = inputs.map(BigInt);
    const [root, threshold] = expected as unknown as Words2;
    const bare = ofKind(kind, { root, threshold }, message);
    const found = members === 0 ? bare : statement.withSigners(bare, members, mask.map(BigInt));
    assert.deepEqual(found, expected, `${kind} ${message}`);
    assert.equal(statement.pack(found), `0x${inputs.map((input: string) => input.slice(2)).join('')}`);
  }
});

test('messages as the files of muster have them', () => {
  /** Numbers of 48 bytes in two words each; in G2 the second of two goes first. */
  const wide = (message: string, turn: number): bigint[] => {
    const numbers = message.slice(2).match(/.{96}/g) ?? [];
    return numbers.flatMap((_, i) => words(`0x${numbers[i ^ turn]!.padStart(128, '0')}`));
  };
  const of: Record<string, (committee: statement.Committee, message: Hex) => bigint[]> = {
    'ed25519 (bytes:41)': statement.ofPlain,
    'ed25519 (bytes:64)': statement.ofPlain,
    'bls-bn254-min-sig (point)': (committee, message) => statement.ofBn254G1(committee, words(message) as unknown as Words2),
    'bls-bn254': (committee, message) => statement.ofBn254G2(committee, words(message) as unknown as Words4),
    'bls-bls12-381-min-sig (point)': (committee, message) => statement.ofBls12381G1(committee, wide(message, 0) as unknown as Words4),
    'bls-bls12-381 (point)': (committee, message) => statement.ofBls12381G2(committee, wide(message, 1) as unknown as Words8),
  };
  const { statements } = json('test/vectors/statements.json');
  assert.deepEqual(statements.map((each: { statement: string }) => each.statement), Object.keys(of));
  for (const { statement: name, message, public_inputs: inputs } of statements) {
    const [root, threshold] = inputs.map(BigInt);
    assert.deepEqual(of[name]!({ root, threshold }, message), inputs.map(BigInt), name);
  }
});

test('root and threshold out of range are refused by each function', () => {
  const each: ((committee: statement.Committee) => unknown)[] = [
    (committee) => statement.ofElement(committee, 0n),
    (committee) => statement.ofDigest(committee, `0x${'00'.repeat(32)}`),
    (committee) => statement.ofPlain(committee, '0x'),
    (committee) => statement.ofBn254G1(committee, [0n, 0n]),
    (committee) => statement.ofBn254G2(committee, [0n, 0n, 0n, 0n]),
    (committee) => statement.ofBls12381G1(committee, [0n, 0n, 0n, 0n]),
    (committee) => statement.ofBls12381G2(committee, [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n]),
    ({ root, threshold }) => statement.withSigners([root, threshold, 0n], 1, [1n]),
  ];
  for (const of of each) {
    for (const root of [0n, R, -1n]) assert.throws(() => of({ ...some, root }), refusal('RootOutOfRange', /^root .*scalar modulus/));
    for (const threshold of [0n, 1n << 60n, -1n]) {
      assert.throws(() => of({ ...some, threshold }), refusal('ThresholdOutOfRange', /^threshold .*2\^60/));
    }
    of({ root: R - 1n, threshold: (1n << 60n) - 1n });
    of({ root: 1n, threshold: 1n });
  }
});

test('translations', () => {
  const good = { root: 5n, commitment: `0x${'0a'.repeat(16)}${'0b'.repeat(16)}` as Hex, members: 3n, total: 7n };
  assert.deepEqual(statement.ofTranslation(good), [5n, BigInt(`0x${'0a'.repeat(16)}`), BigInt(`0x${'0b'.repeat(16)}`), 3n, 7n]);
  for (const root of [0n, R, -1n]) assert.throws(() => statement.ofTranslation({ ...good, root }), refusal('RootOutOfRange', /^root /));
  for (const total of [0n, 1n << 60n, -1n]) {
    assert.throws(() => statement.ofTranslation({ ...good, total }), refusal('TotalOutOfRange', /^total .*2\^60/));
  }
  for (const members of [0n, 8n, -1n]) {
    assert.throws(() => statement.ofTranslation({ ...good, members }), refusal('MembersOutOfRange', /^members .*total/));
  }
  assert.throws(() => statement.ofTranslation({ ...good, commitment: '0x00' }), refusal('NotBytes', 'commitment is to have 32 bytes'));
});

test('inputs are packed', () => {
  assert.equal(statement.pack([]), '0x');
  assert.equal(statement.pack([1n, R - 1n]), `0x${'1'.padStart(64, '0')}${(R - 1n).toString(16)}`);
});

test('messages that are none are refused', () => {
  for (const element of [R, -1n]) assert.throws(() => statement.ofElement(some, element), refusal('ElementOutOfRange', `${element}`));
  assert.equal(statement.ofElement(some, R - 1n)[2], R - 1n);
  assert.throws(() => statement.ofDigest(some, '0x00'), refusal('NotBytes', 'digest is to have 32 bytes, and has 1'));
  for (const text of ['0x0', '0xzz', 'abc', '']) {
    assert.throws(() => statement.ofPlain(some, text as Hex), refusal('NotBytes', 'message is to be 0x'));
  }
  assert.throws(() => statement.ofPlain(some, `0x${'00'.repeat(65)}`), refusal('MessageTooLong', 'has 65'));
  assert.notDeepEqual(statement.ofPlain(some, '0x01'), statement.ofPlain(some, '0x0100'));
});

test('a number has one form', () => {
  const below = [Q - 1n, Q - 1n, Q - 1n, Q - 1n] as const;
  statement.ofBn254G1(some, [below[0], below[1]]);
  statement.ofBn254G2(some, below);
  for (const i of [0, 1, 2, 3]) {
    const point = below.map((n, k) => (k === i ? Q : n));
    assert.throws(() => statement.ofBn254G2(some, point as unknown as Words4), refusal('CoordinateOutOfRange', `number ${i} `));
    if (i < 2) assert.throws(() => statement.ofBn254G1(some, point.slice(0, 2) as unknown as Words2), refusal('CoordinateOutOfRange', `number ${i} `));
  }
  const wide = [BLS_PRIME_HIGH, BLS_PRIME_LOW - 1n];
  statement.ofBls12381G2(some, [...wide, ...wide, ...wide, ...wide] as unknown as Words8);
  for (const bad of [[BLS_PRIME_HIGH, BLS_PRIME_LOW], [BLS_PRIME_HIGH + 1n, 0n], [0n, 1n << 256n], [0n, -1n], [-1n, 1n << 255n]]) {
    assert.throws(() => statement.ofBls12381G1(some, [...wide, ...bad] as unknown as Words4), refusal('CoordinateOutOfRange', 'number 1 '));
  }
  const short = [1n, 2n, 3n];
  assert.throws(() => statement.ofBn254G1(some, short as unknown as Words2), refusal('WrongPointLength', '2 words, and has 3'));
  assert.throws(() => statement.ofBn254G2(some, short as unknown as Words4), refusal('WrongPointLength'));
  assert.throws(() => statement.ofBls12381G1(some, short as unknown as Words4), refusal('WrongPointLength'));
  assert.throws(() => statement.ofBls12381G2(some, short as unknown as Words8), refusal('WrongPointLength'));
});

test('signers', () => {
  const bare = statement.ofElement(some, 7n);
  const mask = statement.maskOf(300, [0, 247, 248, 299]);
  assert.deepEqual(mask, [1n | 1n << 247n, 1n | 1n << 51n]);
  assert.deepEqual(statement.withSigners(bare, 300, mask), [...bare, ...mask]);
  const signers = [...Array(300).keys()].filter((member) => statement.isSigner(300, mask, member));
  assert.deepEqual(signers, [0, 247, 248, 299]);

  assert.throws(() => statement.withSigners([1n, 2n], 1, [1n]), refusal('StatementTooShort', 'has 2'));
  for (const members of [0, 16_385, 1.5]) {
    assert.throws(() => statement.withSigners(bare, members, [1n]), refusal('MembersOutOfRange', `${members}`));
  }
  assert.equal(statement.maskOf(16_384, [16_383]).length, 67);
  assert.throws(() => statement.withSigners(bare, 300, [1n]), refusal('WrongMaskLength', '2 words, and has 1'));
  assert.throws(() => statement.withSigners(bare, 300, [1n, 1n << 52n]), refusal('MaskBitForNobody', 'word 1 '));
  assert.throws(() => statement.withSigners(bare, 300, [1n << 248n, 0n]), refusal('MaskBitForNobody', 'word 0 '));
  for (const member of [300, -1, 0.5]) {
    assert.throws(() => statement.isSigner(300, mask, member), refusal('NoSuchMember', `${member}`));
    assert.throws(() => statement.maskOf(300, [member]), refusal('NoSuchMember', `${member}`));
  }
});

test('numbers that are no bigint are refused, by types and at run time', () => {
  // @ts-expect-error A root is a bigint.
  assert.throws(() => statement.ofElement({ root: 1, threshold: 1n }, 1n), refusal('RootOutOfRange', 'is the number 1'));
  // @ts-expect-error A threshold is a bigint.
  assert.throws(() => statement.ofElement({ root: 1n, threshold: '1' }, 1n), refusal('ThresholdOutOfRange'));
  // @ts-expect-error An element is a bigint.
  assert.throws(() => statement.ofElement(some, '0x07'), refusal('ElementOutOfRange'));
  // @ts-expect-error A digest is hex.
  assert.throws(() => statement.ofDigest(some, 7n), refusal('NotBytes'));
  // @ts-expect-error A point has two numbers.
  assert.throws(() => statement.ofBn254G1(some, [1n]), refusal('WrongPointLength'));
});
