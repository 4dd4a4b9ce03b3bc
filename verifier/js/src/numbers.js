// Numbers and bytes, as callers and files give them.

import { StatementError } from "./errors.js";

/** The order of BN254's groups: every input is below it. */
const ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

/** The bytes of `0x` hex, or `undefined`. */
export function fromHex(text) {
  if (typeof text !== "string" || !HEX.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2 - 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i + 2, 2 * i + 4), 16);
  return bytes;
}

export function toHex(bytes) {
  return "0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes as a big-endian number. */
export function number(bytes) {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** A number below 2^256 as 32 bytes in `0x` hex. */
export function word(value) {
  return "0x" + value.toString(16).padStart(64, "0");
}

/** Bytes, or their `0x` hex. */
export function bytesOf(value, name) {
  const bytes = value instanceof Uint8Array ? value : fromHex(value);
  if (bytes === undefined) throw new StatementError(`${name}: expected bytes, or 0x and two digits for each byte`);
  return bytes;
}

/** The same with this many bytes. */
export function bytesOfLength(value, length, name) {
  const bytes = bytesOf(value, name);
  if (bytes.length !== length) {
    throw new StatementError(`${name}: expected ${length} bytes, found ${bytes.length}`);
  }
  return bytes;
}

/** A number below the order: as such, or in 32 bytes. */
export function element(value, name) {
  const read = typeof value === "bigint" ? value : number(bytesOfLength(value, 32, name));
  if (read < 0n || read >= ORDER) throw new StatementError(`${name}: not a number from 0 to r - 1`);
  return read;
}
