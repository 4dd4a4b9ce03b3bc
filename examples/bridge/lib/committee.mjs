// Committees for the example: keys from a seed, and proofs of what they sign.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { join } from 'node:path';

const SCHEME = 'schnorr-babyjubjub';

/** A committee that signs whatever it is asked to. */
export class Committee {
  #muster;
  #dir;
  #keys;
  #proofs = 0;

  /**
   * `muster sample --seed` makes the same keys each time, so that one committee can sign one message after
   * another. Anybody can compute such keys: for an example only. Real members keep their own.
   */
  constructor(muster, dir, keys, { name, members, threshold }) {
    Object.assign(this, { name, members, threshold });
    this.#muster = muster;
    this.#dir = join(dir, name);
    this.#keys = keys;
    const made = this.#sample('members');
    this.file = made.committee;
  }

  /** Keys for the circuit: one verifying key for every committee up to this size. */
  static keygen(muster, keys, { members, threshold }) {
    const shape = ['--scheme', SCHEME, '--signers', members, '--slots', threshold];
    muster('keygen', ...shape, '--kind', 'compact', '--insecure-srs', '--out', keys);
  }

  /** Its key-set root. */
  root() {
    return this.#muster('root', this.file, '--keys', this.#keys).key_set_root;
  }

  /** The file of a proof that as many members as the threshold asks for signed `digest`. */
  prove(digest) {
    this.#proofs += 1;
    const label = `signed-${this.#proofs}`;
    const { committee, signatures } = this.#sample(label, '--message', digest);
    const proof = join(this.#dir, label, 'proof.json');
    this.#muster(
      'prove', '--keys', this.#keys, '--committee', committee, '--signatures', signatures,
      '--threshold', this.threshold, '--out', proof,
    );
    return proof;
  }

  #sample(label, ...message) {
    const size = ['--signers', this.members, '--signing', this.threshold];
    const seed = ['--seed', `example committee ${this.name}`];
    const out = ['--out', join(this.#dir, label)];
    return this.#muster('sample', '--scheme', SCHEME, ...size, ...seed, ...message, ...out);
  }
}
