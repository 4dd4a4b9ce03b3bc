// The public inputs of a statement: what `MusterStatement.sol` does, with the same checks.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { concat, numberToHex, padHex, size, slice, type Hex } from 'viem';

import { MusterError } from './errors.js';
import { bytes, isBelow, SCALAR_MODULUS, shown } from './words.js';

export { SCALAR_MODULUS };

/** Whom a statement is about: take both from what you expect, never from whoever brings a proof. */
export interface Committee {
  /** Root of the set, from 1 to below the scalar modulus. */
  readonly root: bigint;
  /** Least sum of the signers' weights, from 1 to below 2^60. */
  readonly threshold: bigint;
}

/** The most bytes of a message that is public itself. */
export const MAX_PLAIN_BYTES = 64;
/** Members that a word of a mask has bits for. */
export const MASK_WORD_BITS = 248;
/** The most members of a set whose statements name the signers. */
export const MAX_MASKED = 16_384;

const THRESHOLD_BOUND = 1n << 60n;
const BN254_PRIME = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const BLS12381_PRIME = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const LOW_128 = (1n << 128n) - 1n;

/**
 * The members signed a field element (`schnorr-babyjubjub`, `eddsa-babyjubjub`, `musig-babyjubjub`).
 *
 * This and the functions below throw `RootOutOfRange` and `ThresholdOutOfRange`. Which of them is right is decided by the
 * key: fix the function in your code as you fix the key's name.
 *
 * @returns 3 public inputs.
 * @throws MusterError `ElementOutOfRange` unless the element is below the scalar modulus.
 */
export function ofElement(committee: Committee, element: bigint): bigint[] {
  const inputs = begin(committee);
  if (!isBelow(element, SCALAR_MODULUS)) {
    throw new MusterError('ElementOutOfRange', `element is to be a bigint below the scalar modulus, and is ${shown(element)}`);
  }
  return [...inputs, element];
}

/**
 * The members signed a digest of 32 bytes (ECDSA, BIP-340, most of BLS), or bytes that have this SHA-256 (`ed25519`,
 * `sha256:N`, and for CometBFT what precommits share). If bytes were signed, hash those that you expect.
 *
 * @returns 4 public inputs.
 * @throws MusterError `NotBytes` unless the digest has 32 bytes.
 */
export function ofDigest(committee: Committee, digest: Hex): bigint[] {
  return [...begin(committee), ...halves(BigInt(bytes('digest', digest, 32)))];
}

/**
 * The members signed bytes that are public themselves (the form `bytes:N`). A message and the same with a zero behind it are
 * two messages.
 *
 * @param message At most 64 bytes.
 * @returns 5 public inputs.
 * @throws MusterError `NotBytes`; `MessageTooLong`.
 */
export function ofPlain(committee: Committee, message: Hex): bigint[] {
  const inputs = begin(committee);
  const length = size(bytes('message', message));
  if (length > MAX_PLAIN_BYTES) {
    throw new MusterError('MessageTooLong', `message is to have at most ${MAX_PLAIN_BYTES} bytes, and has ${length}`);
  }
  const all = concat([padHex(message, { dir: 'right', size: MAX_PLAIN_BYTES }), numberToHex(length, { size: 1 })]);
  return [...inputs, ...[[0, 24], [24, 48], [48, 65]].map(([from, to]) => BigInt(slice(all, from, to)))];
}

/**
 * The members signed a point of G1 of BN254 (`bls-bn254-min-sig`, the form `point`).
 *
 * Whoever names a point has hashed what it is about to that point themselves: on a point whose logarithm they know, others
 * may make signatures by any key. So have the functions below for points. None looks whether it is on its curve.
 *
 * @param point x and y, as precompiles have them (EIP-196).
 * @returns 6 public inputs.
 * @throws MusterError `WrongPointLength`; `CoordinateOutOfRange` unless each number is below the prime.
 */
export function ofBn254G1(committee: Committee, point: readonly [bigint, bigint]): bigint[] {
  const inputs = begin(committee);
  requirePoint(point, 2);
  return [...inputs, ...[0, 1].flatMap((i) => halves(coordinate(point[i]!, BN254_PRIME, i)))];
}

/**
 * The members signed a point of G2 of BN254 (`bls-bn254`).
 *
 * @param point x and y, each with the imaginary part first, as the precompile has them (EIP-197).
 * @returns 10 public inputs, in which real parts come first.
 * @throws MusterError as {@link ofBn254G1}.
 */
export function ofBn254G2(committee: Committee, point: readonly [bigint, bigint, bigint, bigint]): bigint[] {
  const inputs = begin(committee);
  requirePoint(point, 4);
  return [...inputs, ...[1, 0, 3, 2].flatMap((i) => halves(coordinate(point[i]!, BN254_PRIME, i)))];
}

/**
 * The members signed a point of G1 of BLS12-381 (`bls-bls12-381-min-sig`, the form `point`).
 *
 * @param point x and y, each in two words of 256 bits, as precompiles have them (EIP-2537).
 * @returns 8 public inputs.
 * @throws MusterError as {@link ofBn254G1}; the place is that of the number, not of the word.
 */
export function ofBls12381G1(committee: Committee, point: readonly [bigint, bigint, bigint, bigint]): bigint[] {
  const inputs = begin(committee);
  requirePoint(point, 4);
  return [...inputs, ...bls12381(point)];
}

/**
 * The members signed a point of G2 of BLS12-381 (`bls-bls12-381`, the form `point`).
 *
 * @param point x and y, each with the real part first and each part in two words of 256 bits (EIP-2537).
 * @returns 14 public inputs.
 * @throws MusterError as {@link ofBls12381G1}.
 */
export function ofBls12381G2(
  committee: Committee,
  point: readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint],
): bigint[] {
  const inputs = begin(committee);
  requirePoint(point, 8);
  return [...inputs, ...bls12381(point)];
}

/**
 * The same statement, for keys whose statements name the signers (`--mask`): exactly these members signed.
 *
 * @param statement What one of the functions above gave.
 * @param members How many members the key's sets have room for, which is not how many this set has.
 * @param mask Member `i` signed if bit `i % 248` of word `i / 248` is set, the lowest bit first; see {@link maskOf}.
 * @throws MusterError `StatementTooShort`, `MembersOutOfRange`, `WrongMaskLength`, `MaskBitForNobody`.
 */
export function withSigners(statement: readonly bigint[], members: number, mask: readonly bigint[]): bigint[] {
  const [root, threshold, ...message] = statement;
  if (root === undefined || threshold === undefined || message.length === 0) {
    throw new MusterError('StatementTooShort', `statement is to have root, threshold and a message, and has ${statement.length} inputs`);
  }
  const inputs = begin({ root, threshold });
  requireMask(members, mask);
  return [...inputs, ...message, ...mask];
}

/**
 * The mask of these signers.
 *
 * @param members As for {@link withSigners}.
 * @param signers Indices of members, in the order in which the root commits to them.
 * @throws MusterError `MembersOutOfRange`; `NoSuchMember`.
 */
export function maskOf(members: number, signers: Iterable<number>): bigint[] {
  const mask = new Array<bigint>(maskLength(members)).fill(0n);
  for (const signer of signers) {
    requireMember(members, signer);
    mask[Math.floor(signer / MASK_WORD_BITS)]! |= 1n << BigInt(signer % MASK_WORD_BITS);
  }
  return mask;
}

/**
 * Whether the mask says that a member signed. It is true of a statement if a proof holds for it with this mask.
 *
 * @throws MusterError `MembersOutOfRange`, `WrongMaskLength`, `MaskBitForNobody`, `NoSuchMember`.
 */
export function isSigner(members: number, mask: readonly bigint[], member: number): boolean {
  requireMask(members, mask);
  requireMember(members, member);
  return (mask[Math.floor(member / MASK_WORD_BITS)]! >> BigInt(member % MASK_WORD_BITS) & 1n) === 1n;
}

/** What a translation says: this set has the members of a chain's own commitment. */
export interface Translation {
  /** Root of the set, true if the proof holds. */
  readonly root: bigint;
  /** The chain's hash, 32 bytes, which you know from the chain. */
  readonly commitment: Hex;
  /** How many members there are, true if the proof holds. */
  readonly members: bigint;
  /** What they weigh together, true if the proof holds. */
  readonly total: bigint;
}

/**
 * The set with this root holds the very members of a chain's commitment (`muster translate`). Of which kind of commitment, the
 * key says and nothing else.
 *
 * @returns 5 public inputs.
 * @throws MusterError `RootOutOfRange`; `NotBytes`; `TotalOutOfRange` unless the total is from 1 to below 2^60; `MembersOutOfRange`
 * unless there are members, and no more than they weigh.
 */
export function ofTranslation({ root, commitment, members, total }: Translation): bigint[] {
  requireRoot(root);
  if (!isBelow(total, THRESHOLD_BOUND) || total === 0n) {
    throw new MusterError('TotalOutOfRange', `total is to be a bigint from 1 to below 2^60, and is ${shown(total)}`);
  }
  if (!isBelow(members, total + 1n) || members === 0n) {
    throw new MusterError('MembersOutOfRange', `members is to be a bigint from 1 to the total, and is ${shown(members)}`);
  }
  return [root, ...halves(BigInt(bytes('commitment', commitment, 32))), members, total];
}

/** Inputs as `verifyProof` of the contract takes them: 32 bytes each. */
export function pack(inputs: readonly bigint[]): Hex {
  return `0x${inputs.map((input) => numberToHex(input, { size: 32 }).slice(2)).join('')}`;
}

function begin({ root, threshold }: Committee): [bigint, bigint] {
  requireRoot(root);
  if (!isBelow(threshold, THRESHOLD_BOUND) || threshold === 0n) {
    throw new MusterError('ThresholdOutOfRange', `threshold is to be a bigint from 1 to below 2^60, and is ${shown(threshold)}`);
  }
  return [root, threshold];
}

function requireRoot(root: bigint): void {
  if (!isBelow(root, SCALAR_MODULUS) || root === 0n) {
    throw new MusterError('RootOutOfRange', `root is to be a bigint from 1 to below the scalar modulus, and is ${shown(root)}`);
  }
}

/** Two words of 128 bits, the higher one first. */
function halves(word: bigint): [bigint, bigint] {
  return [word >> 128n, word & LOW_128];
}

function requirePoint(point: readonly bigint[], words: number): void {
  if (point.length !== words) {
    throw new MusterError('WrongPointLength', `point is to have ${words} words, and has ${point.length}`);
  }
}

function coordinate(value: bigint, prime: bigint, index: number): bigint {
  if (!isBelow(value, prime)) {
    throw new MusterError('CoordinateOutOfRange', `number ${index} of the point is to be a bigint below the prime, and is ${shown(value)}`);
  }
  return value;
}

/** Three words of 128 bits for each number, the highest one first. */
function bls12381(point: readonly bigint[]): bigint[] {
  const inputs: bigint[] = [];
  for (let i = 0; i < point.length; i += 2) {
    const [high, low] = [point[i]!, point[i + 1]!];
    const fits = [high, low].every((word) => isBelow(word, 1n << 256n));
    const value = coordinate(fits ? high << 256n | low : -1n, BLS12381_PRIME, i / 2);
    inputs.push(value >> 256n, ...halves(low));
  }
  return inputs;
}

function maskLength(members: number): number {
  if (!Number.isInteger(members) || members < 1 || members > MAX_MASKED) {
    throw new MusterError('MembersOutOfRange', `members is to be from 1 to ${MAX_MASKED}, and is ${members}`);
  }
  return Math.ceil(members / MASK_WORD_BITS);
}

function requireMask(members: number, mask: readonly bigint[]): void {
  const expected = maskLength(members);
  if (mask.length !== expected) {
    throw new MusterError('WrongMaskLength', `mask is to have ${expected} words, and has ${mask.length}`);
  }
  mask.forEach((word, index) => {
    // Of a root that says there are more members than there are a proof with such a bit might hold.
    const bits = Math.min(members - index * MASK_WORD_BITS, MASK_WORD_BITS);
    if (!isBelow(word, 1n << BigInt(bits))) {
      throw new MusterError('MaskBitForNobody', `word ${index} of the mask is to be a bigint of ${bits} bits, and is ${shown(word)}`);
    }
  });
}

function requireMember(members: number, member: number): void {
  if (!Number.isInteger(member) || member < 0 || member >= members) {
    throw new MusterError('NoSuchMember', `member is to be from 0 to below ${members}, and is ${member}`);
  }
}
