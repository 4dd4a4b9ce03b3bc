// Guardians for the example, and what they sign: VAAs as Wormhole has them.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { cast } from './programs.mjs';

const GOVERNANCE = { chain: 1, emitter: `${'00'.repeat(31)}04` };
/** "Core" with zeros before it. */
const MODULE = Buffer.from('Core').toString('hex').padStart(64, '0');
const UPGRADE = '02';
const ALL_CHAINS = '0000';
/** The first byte of what is passed to `WormholeClient`. */
const VERSION = '4d';

const number = (value, bytes) => BigInt(value).toString(16).padStart(2 * bytes, '0');
const plain = (hex) => hex.replace(/^0x/, '').toLowerCase();

/** A body without 0x. */
export function bodyOf({ chain, emitter, sequence, payload }) {
  const [timestamp, nonce, consistency] = [number(1_700_000_000, 4), number(0, 4), number(1, 1)];
  const from = [number(chain, 2), plain(emitter), number(sequence, 8)];
  return [timestamp, nonce, ...from, consistency, plain(payload)].join('');
}

/** The body that puts these addresses in office with this index. */
export function upgradeTo(index, addresses) {
  const list = addresses.map(plain).join('');
  const head = [MODULE, UPGRADE, ALL_CHAINS, number(index, 4), number(addresses.length, 1)];
  return bodyOf({ ...GOVERNANCE, sequence: index, payload: head.join('') + list });
}

/** What guardians sign of a body. */
export const digestOf = (body) => cast('keccak', cast('keccak', `0x${body}`));

/** A guardian set whose keys anybody can compute: for an example only. */
export class Guardians {
  #secrets;

  constructor(name, index, members) {
    const secret = (_, member) => cast('keccak', `example guardian ${member} of ${name}`);
    this.#secrets = Array.from({ length: members }, secret);
    this.index = index;
    this.addresses = this.#secrets.map((key) => cast('wallet', 'address', '--private-key', key));
    this.quorum = Math.floor(members * 2 / 3) + 1;
  }

  /** The VAA: a body signed by a quorum of them. */
  sign(body) {
    const digest = digestOf(body);
    const one = (key, member) => {
      const signature = plain(cast('wallet', 'sign', '--no-hash', '--private-key', key, digest));
      const recovery = Number.parseInt(signature.slice(128), 16) % 27;
      return number(member, 1) + signature.slice(0, 128) + number(recovery, 1);
    };
    const signatures = this.#secrets.slice(0, this.quorum).map(one);
    return `01${number(this.index, 4)}${number(signatures.length, 1)}${signatures.join('')}${body}`;
  }
}

/** What `WormholeClient` is passed: a body with a proof. */
export function passed(index, proof, body) {
  const bytes = plain(proof);
  return `0x${VERSION}${number(index, 4)}${number(bytes.length / 2, 2)}${bytes}${body}`;
}
