// Numbers and bytes that callers give, in the ranges that Solidity's types have. A caller without TypeScript can give anything.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { isAddress, isHex, size, type Address, type Hex } from 'viem';

import { MusterError } from './errors.js';

/** Order of BN254's scalar field: every public input is below it. */
export const SCALAR_MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

export function isBelow(value: bigint, bound: bigint): boolean {
  return typeof value === 'bigint' && value >= 0n && value < bound;
}

/** A number of so many bits. */
export function number(what: string, value: bigint, bits: number): bigint {
  if (!isBelow(value, 1n << BigInt(bits))) {
    throw new MusterError('NumberOutOfRange', `${what} is to be a bigint of ${bits} bits, and is ${shown(value)}`);
  }
  return value;
}

/** Whether this is `0x` and two digits for each byte. */
export function isBytes(value: unknown): value is Hex {
  return isHex(value) && value.length % 2 === 0;
}

/** Bytes in hex, as many as `length` says if it says anything. */
export function bytes(what: string, value: Hex, length?: number): Hex {
  if (!isBytes(value)) {
    throw new MusterError('NotBytes', `${what} is to be 0x and two digits for each byte, and is ${shown(value)}`);
  }
  if (length !== undefined && size(value) !== length) {
    throw new MusterError('NotBytes', `${what} is to have ${length} bytes, and has ${size(value)}`);
  }
  return value;
}

export function address(what: string, value: Address): Address {
  if (!isAddress(value)) throw new MusterError('NotAnAddress', `${what} is to be an address, and is ${shown(value)}`);
  return value;
}

/** A value for a message, shortened. */
export function shown(value: unknown): string {
  const text = typeof value === 'number' ? `the number ${value}` : String(value);
  return text.length > 90 ? `${text.slice(0, 80)}…` : text;
}
