// What a proof says, as the inputs of its key. The same as `Statement::public_inputs` of the crate muster-circuits.

import { StatementError } from "./errors.js";
import { bytesOf, bytesOfLength, element, number } from "./numbers.js";

/** What a shape may say. Whatever else is there might mean other inputs. */
const SHAPE = [
  "scheme", "keys", "rule", "message", "hash", "capacity", "slots", "mode", "arity", "depth", "mask", "layout",
];
const STATEMENT = ["root", "threshold", "message", "digest", "signers"];
/** How a scheme's messages are public, unless their form says otherwise. */
const MESSAGES = new Map([
  ["schnorr-babyjubjub", "element"],
  ["eddsa-babyjubjub", "element"],
  ["musig-babyjubjub", "element"],
  ["ecdsa-secp256k1", "bytes32"],
  ["ecdsa-p256", "bytes32"],
  ["schnorr-secp256k1", "bytes32"],
  ["ed25519", "bytes32"],
  ["bls-bls12-381", "bytes32"],
  ["bls-bls12-381-min-sig", "bytes32"],
  ["bls-bn254-min-sig", "bytes32"],
  ["bls-bn254", "point"],
]);
/** Weights have 60 bits. */
const THRESHOLDS = 1n << 60n;
/** The most bytes that are public themselves. */
const PLAIN = 64;
/** Members of a word of the mask, and of all. */
const WORD_BITS = 248;
const MASKED = 1 << 14;

/**
 * How the key's messages are public: `element`, `bytes32`, `digest` (the SHA-256 of what is signed), `bytes` (up to
 * `most`) or `point`.
 */
export function messageForm(description) {
  const { scheme, message = "public" } = shape(description);
  const kind = MESSAGES.get(scheme);
  if (kind === undefined) throw unknown(`the scheme ${JSON.stringify(scheme)}`);
  const [, form, most] = /^([a-z0-9-]+)(?::([1-9][0-9]*))?$/.exec(message) ?? [];
  if (message === "public") return { kind };
  if (message === "point") return { kind: "point" };
  if (form === "sha256" && most) return { kind: "digest" };
  if (message === "cometbft-precommit") return { kind: "digest" };
  if (form === "bytes" && most && Number(most) <= PLAIN) return { kind: "bytes", most: Number(most) };
  throw unknown(`the message form ${JSON.stringify(message)}`);
}

/** The inputs that say this statement. */
export function publicInputs(description, statement) {
  const { capacity, mask = false } = shape(description);
  const other = Object.keys(statement ?? {}).find((name) => !STATEMENT.includes(name));
  if (other !== undefined) throw new StatementError(`a statement has no ${JSON.stringify(other)}`);
  const { root, threshold, signers } = statement ?? {};
  const inputs = [element(root, "root"), thresholdOf(threshold), ...messageInputs(description, statement)];
  if (typeof mask !== "boolean") throw unknown("the mask");
  if (mask) return [...inputs, ...maskInputs(capacity, signers)];
  if (signers !== undefined) throw new StatementError("signers: proofs of this key do not say who signed");
  return inputs;
}

function shape(description) {
  if (description === null || typeof description !== "object" || Array.isArray(description)) {
    throw unknown("anything but the shape of a committee");
  }
  const other = Object.keys(description).find((name) => !SHAPE.includes(name));
  if (other !== undefined) throw unknown(JSON.stringify(other));
  return description;
}

function unknown(what) {
  return new StatementError(
    `the key's description has ${what}, which this version does not know: make the inputs and give them to verifyInputs`,
  );
}

function thresholdOf(value) {
  const threshold = Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof threshold !== "bigint" || threshold < 1n || threshold >= THRESHOLDS) {
    throw new StatementError("threshold: expected an integer from 1 to 2^60 - 1");
  }
  return threshold;
}

function messageInputs(description, { message, digest }) {
  const { kind, most } = messageForm(description);
  const hasDigest = kind === "bytes32" || kind === "digest";
  if (digest !== undefined && !hasDigest) throw new StatementError("digest: this key has none; give the message");
  if (digest !== undefined && message !== undefined) {
    throw new StatementError("digest: give it or the message, and not both");
  }
  switch (kind) {
    case "element":
      return [element(message, "message")];
    case "bytes32":
      return halves(digest === undefined ? bytesOfLength(message, 32, "message") : bytesOfLength(digest, 32, "digest"));
    case "digest":
      if (digest === undefined) {
        throw new StatementError("digest: proofs of this key are about the SHA-256 of a message; give its 32 bytes");
      }
      return halves(bytesOfLength(digest, 32, "digest"));
    case "bytes":
      return plain(bytesOf(message, "message"), most);
    case "point":
      throw new StatementError(
        "message: proofs of this key are about a point, in its group and not the identity, which this package does not " +
          "check; make its inputs and give them to verifyInputs",
      );
  }
}

/** 32 bytes as two numbers. */
function halves(bytes) {
  return [number(bytes.subarray(0, 16)), number(bytes.subarray(16))];
}

/** Up to 64 bytes, zeros up to there, and their number, as three numbers. */
function plain(bytes, most) {
  if (bytes.length > most) throw new StatementError(`message: at most ${most} bytes, found ${bytes.length}`);
  const record = new Uint8Array(PLAIN + 1);
  record.set(bytes);
  record[PLAIN] = bytes.length;
  return [number(record.subarray(0, 24)), number(record.subarray(24, 48)), number(record.subarray(48))];
}

/** Member `i` has bit `i mod 248` of word `⌊i / 248⌋`. */
function maskInputs(capacity, signers) {
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > MASKED) throw unknown("the capacity of a mask");
  if (typeof signers?.[Symbol.iterator] !== "function" || typeof signers === "string") {
    throw new StatementError("signers: proofs of this key say who signed; give the members' indices");
  }
  const words = new Array(Math.ceil(capacity / WORD_BITS)).fill(0n);
  for (const signer of signers) {
    if (!Number.isInteger(signer) || signer < 0 || signer >= capacity) {
      throw new StatementError(`signers: ${signer} is not the index of one of ${capacity} members`);
    }
    words[Math.floor(signer / WORD_BITS)] |= 1n << BigInt(signer % WORD_BITS);
  }
  return words;
}
