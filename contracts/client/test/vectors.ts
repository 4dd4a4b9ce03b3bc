// The known answers of contracts/test/vectors, and a check of how a call fails.
// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { MusterError, type MusterErrorCode } from '../src/index.js';

/** The folder contracts/. */
export const FOLDER = new URL('../../../', import.meta.url);

/** A file of contracts/, parsed. */
export function json(name: string): any {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** A vector's number: JSON's, or hex where that would not be exact. */
export const big = (value: number | string): bigint => BigInt(value);

/** The words of 32 bytes. */
export function words(bytes: string): bigint[] {
  return (bytes.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

/** For assert.throws and assert.rejects: our error, with this code, and a message that says this. */
export function refusal(code: MusterErrorCode, message: RegExp | string = '') {
  return (error: unknown): true => {
    assert.ok(error instanceof MusterError, `${error}`);
    assert.equal(error.code, code, error.message);
    if (typeof message === 'string') assert.ok(error.message.includes(message), error.message);
    else assert.match(error.message, message);
    return true;
  };
}
