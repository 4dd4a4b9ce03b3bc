// What a committee signs for a light client: what `MusterDigest.sol` does, and the trees of batches.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { concat, encodeAbiParameters, keccak256, stringToHex, type Address, type Hex } from 'viem';

import { MusterError } from './errors.js';
import * as statement from './statement.js';
import { address, bytes, number, shown } from './words.js';

/** How a key takes what was signed: as a field element, or as 32 bytes. */
export const Form = { Element: 0, Digest: 1 } as const;

/** Who signs, and how that is proved; as a light client's `committee()` gives it. */
export interface Committee extends statement.Committee {
  /** Name of the EVM key, 32 bytes. */
  readonly key: Hex;
  /** {@link Form}: 0 or 1. */
  readonly form: number;
}

/** Who signs for whom: everything a signature is bound to besides its content. */
export interface Scope {
  /** Chain that the messages come from. */
  readonly sourceChainId: bigint;
  /** Chain of the light client. */
  readonly destinationChainId: bigint;
  /** Address of the light client. */
  readonly client: Address;
  /** Epoch of the committee that signs, of 64 bits. */
  readonly epoch: bigint;
  /** Key of the committee that signs, 32 bytes. */
  readonly key: Hex;
  /** Root of the committee that signs. */
  readonly root: bigint;
}

/** A message from the source chain. */
export interface Message {
  /** Number that the source chain gives the message, of 64 bits. */
  readonly nonce: bigint;
  /** Its content. */
  readonly payload: Hex;
}

/** Longest path in a batch that a light client takes. */
export const MAX_BATCH_DEPTH = 32;

const MESSAGE_ID_TAG = keccak256(stringToHex('muster/message-id/v2'));
const MESSAGE_TAG = keccak256(stringToHex('muster/message/v2'));
const BATCH_TAG = keccak256(stringToHex('muster/batch/v2'));
const HANDOVER_TAG = keccak256(stringToHex('muster/handover/v2'));
const ACCEPTANCE_TAG = keccak256(stringToHex('muster/acceptance/v2'));
const LOW_253_BITS = (1n << 253n) - 1n;

/**
 * The identity of a message: of the scope it has the chains and the client alone, so that it is the same whoever signs.
 *
 * @throws MusterError `NumberOutOfRange`, `NotBytes` or `NotAnAddress`, with the field; so do all functions below.
 */
export function messageId(scope: Pick<Scope, 'sourceChainId' | 'destinationChainId' | 'client'>, message: Message): Hex {
  const payload = keccak256(bytes('message.payload', message.payload));
  return hash(MESSAGE_ID_TAG, ...chains(scope), number('message.nonce', message.nonce, 64), payload);
}

/**
 * The name of a proposal.
 *
 * @param sequence Which try it is: above that of every proposal before, of 64 bits.
 * @param newEpoch Epoch of the next committee.
 * @throws MusterError `RootOutOfRange`, `ThresholdOutOfRange`, `UnknownForm`.
 */
export function proposal(sequence: bigint, newEpoch: bigint, next: Committee): Hex {
  // A light client refuses a committee that no statement can be about.
  ofCommittee(next, 0n);
  return hash(
    number('sequence', sequence, 64), number('newEpoch', newEpoch, 64),
    bytes('next.key', next.key, 32), next.root, next.threshold, BigInt(next.form),
  );
}

/**
 * What is signed for one message, below 2^253.
 *
 * @param validUntil The last second of Unix time at which it counts; 0 for ever.
 * @param id The {@link messageId}.
 */
export function message(scope: Scope, validUntil: bigint, id: Hex): bigint {
  return signed(MESSAGE_TAG, scope, validUntil, bytes('id', id, 32));
}

/** What is signed for a batch, by its root. */
export function batch(scope: Scope, validUntil: bigint, batchRoot: Hex): bigint {
  return signed(BATCH_TAG, scope, validUntil, bytes('batchRoot', batchRoot, 32));
}

/** What the committee in office signs to hand over, by the {@link proposal}. */
export function handover(scope: Scope, validUntil: bigint, proposal: Hex): bigint {
  return signed(HANDOVER_TAG, scope, validUntil, bytes('proposal', proposal, 32));
}

/** What the next committee signs to take over. The scope is its own: {@link scopeOfNext}. */
export function acceptance(scope: Scope, validUntil: bigint, proposal: Hex): bigint {
  return signed(ACCEPTANCE_TAG, scope, validUntil, bytes('proposal', proposal, 32));
}

/** The scope in which the next committee signs, from that of the committee in office. */
export function scopeOfNext(scope: Scope, next: Pick<Committee, 'key' | 'root'>): Scope {
  return { ...scope, epoch: scope.epoch + 1n, key: next.key, root: next.root };
}

/**
 * The public inputs that say that this committee signed one of the numbers above.
 *
 * @throws MusterError `UnknownForm`; those of {@link statement.ofElement}.
 */
export function ofCommittee(committee: Committee, digest: bigint): bigint[] {
  if (committee.form === Form.Element) return statement.ofElement(committee, digest);
  if (committee.form === Form.Digest) return statement.ofDigest(committee, word(number('digest', digest, 256)));
  throw new MusterError('UnknownForm', `form is to be 0 or 1, and is ${shown(committee.form)}`);
}

/**
 * The root over these messages, and for each of them the path with which `submitFromBatch` takes it: siblings from the leaf
 * up. Neighbours are paired, and an odd last node goes up as it is.
 *
 * @param ids Their {@link messageId}s.
 * @throws MusterError `EmptyBatch`.
 */
export function batchTree(ids: readonly Hex[]): { root: Hex; paths: Hex[][] } {
  let level = ids.map((id, i) => leaf(bytes(`ids[${i}]`, id, 32)));
  if (level.length === 0) throw new MusterError('EmptyBatch', 'a batch has at least one message');
  const paths: Hex[][] = ids.map(() => []);
  for (let height = 0; level.length > 1; height += 1) {
    paths.forEach((path, i) => {
      const sibling = level[Math.floor(i / 2 ** height) ^ 1];
      if (sibling !== undefined) path.push(sibling);
    });
    const above: Hex[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]];
      above.push(right === undefined ? left : node(left, right));
    }
    level = above;
  }
  return { root: level[0]!, paths };
}

/**
 * The root that a path leads to from a message.
 *
 * @throws MusterError `PathTooLong` above 32 siblings.
 */
export function batchRootOf(id: Hex, path: readonly Hex[]): Hex {
  if (path.length > MAX_BATCH_DEPTH) {
    throw new MusterError('PathTooLong', `path is to have at most ${MAX_BATCH_DEPTH} siblings, and has ${path.length}`);
  }
  return path.reduce((below, sibling, i) => node(below, bytes(`path[${i}]`, sibling, 32)), leaf(bytes('id', id, 32)));
}

function signed(tag: Hex, scope: Scope, validUntil: bigint, body: Hex): bigint {
  const h = hash(
    tag, ...chains(scope), number('scope.epoch', scope.epoch, 64), bytes('scope.key', scope.key, 32),
    number('scope.root', scope.root, 256), number('validUntil', validUntil, 64), body,
  );
  return BigInt(h) & LOW_253_BITS;
}

function chains(scope: Pick<Scope, 'sourceChainId' | 'destinationChainId' | 'client'>): [bigint, bigint, bigint] {
  return [
    number('scope.sourceChainId', scope.sourceChainId, 256),
    number('scope.destinationChainId', scope.destinationChainId, 256),
    BigInt(address('scope.client', scope.client)),
  ];
}

/** keccak of `abi.encode` of words. */
function hash(...words: (Hex | bigint)[]): Hex {
  return keccak256(concat(words.map((each) => (typeof each === 'bigint' ? word(each) : each))));
}

function word(value: bigint): Hex {
  return encodeAbiParameters([{ type: 'uint256' }], [value]);
}

function leaf(id: Hex): Hex {
  return keccak256(concat(['0x00', id]));
}

/** The lesser one goes first, so a path need not say which side it is on. */
function node(a: Hex, b: Hex): Hex {
  const [less, more] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  return keccak256(concat(['0x01', less, more]));
}
