// Payloads that the server cannot read, as `muster-farm --codec-key` makes them: XChaCha20-Poly1305 over the payload's
// protobuf, behind a random nonce, with a key derived from the farm's. Label, purpose and namespace are authenticated, too.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { xchacha20poly1305 } from '@noble/ciphers/chacha';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

import { BadInput } from './plan.js';

const ENCODING = 'binary/muster-sealed-v2';
const CIPHER_LABEL = 'muster farm cipher key 2';
const DOMAIN = 'muster farm sealed 2';
const PURPOSE = 'payload';
const NONCE_BYTES = 24;
const Wire = proto.temporal.api.common.v1.Payload;

/** Seals payloads for those who have the farm's key, and refuses what was sent without it. */
export class Sealed implements PayloadCodec {
  readonly #key: Uint8Array;
  readonly #associated: Uint8Array;

  /** Reads the farm's key from a file, 64 hex digits, for the payloads of a namespace. */
  constructor(path: string, namespace: string) {
    let text;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new BadInput(`codec key: ${(error as Error).message}`);
    }
    if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new BadInput(`codec key: ${path}: not 64 hex digits`);
    this.#key = createHmac('sha256', Buffer.from(text, 'hex')).update(CIPHER_LABEL).digest();
    this.#associated = Buffer.from([DOMAIN, PURPOSE, namespace].join('\0'));
  }

  #cipher(nonce: Uint8Array) {
    return xchacha20poly1305(this.#key, nonce, this.#associated);
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      const nonce = randomBytes(NONCE_BYTES);
      const sealed = this.#cipher(nonce).encrypt(Wire.encode(payload).finish());
      return { metadata: { encoding: Buffer.from(ENCODING) }, data: Buffer.concat([nonce, sealed]) };
    });
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map(({ metadata, data }) => {
      const encoding = Buffer.from(metadata?.encoding ?? []).toString();
      if (encoding !== ENCODING && encoding.startsWith('binary/muster-sealed-')) {
        throw new Error('payload: it was encrypted by another version of this program');
      }
      if (encoding !== ENCODING || !data) throw new Error("payload: it was sent without the farm's codec key");
      try {
        const cipher = this.#cipher(data.subarray(0, NONCE_BYTES));
        return Wire.decode(cipher.decrypt(data.subarray(NONCE_BYTES)));
      } catch {
        throw new Error('payload: it was sent with another codec key, or in another namespace');
      }
    });
  }
}
