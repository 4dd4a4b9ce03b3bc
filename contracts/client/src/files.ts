// The files that `muster export-key --evm` writes.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { encodeFunctionData, keccak256, size, slice, stringToHex, type Hex } from 'viem';

import { MusterError } from './errors.js';
import { musterVerifierAbi } from './generated.js';
import { pack } from './statement.js';
import { isBelow, isBytes, SCALAR_MODULUS, shown } from './words.js';

/** A key for `MusterVerifier`. */
export interface EvmKey {
  /** What contracts know it by. Compare it with what you know: anybody can make a file that is right in itself. */
  readonly name: Hex;
  /** What `register` takes. */
  readonly key: Hex;
  /** How many public inputs it takes. */
  readonly inputs: number;
  /** Digest of the verifying key that it was made from. */
  readonly vkDigest: Hex;
  /** Whether the file admits that its SRS is not a ceremony's: then its makers can prove anything. */
  readonly isInsecure: boolean;
}

/** A proof for `MusterVerifier`. */
export interface EvmProof {
  /** Name of the key under which it was made. */
  readonly name: Hex;
  /** What {@link verify} and the contract take. */
  readonly proof: Hex;
  /** What whoever made it says that it proves. To verify the proof, make the inputs of what you expect instead. */
  readonly claimedInputs: readonly bigint[];
}

const TAG = stringToHex('muster-evm-key-1');

/**
 * Reads `evm-key.json`.
 *
 * @param json What the file has, parsed.
 * @param file Its name, for errors.
 * @throws MusterError `BadFile`, with the file and the field, for what is missing, or does not fit the rest of the file.
 */
export function readEvmKey(json: unknown, file = 'evm-key.json'): EvmKey {
  const fields = object(json, file);
  const key = hex(fields, 'key', file);
  const name = hex(fields, 'name', file, 32);
  const vkDigest = hex(fields, 'vk_digest', file, 32);
  if (size(key) < 256 || size(key) % 64 !== 0 || slice(key, 0, 16) !== TAG) {
    throw bad(file, 'key', 'is not an EVM key');
  }
  if (keccak256(key) !== name) throw bad(file, 'name', 'is not the hash of key');
  if (slice(key, 32, 64) !== vkDigest) throw bad(file, 'vk_digest', 'is not the digest in key');
  const register = encodeFunctionData({ abi: musterVerifierAbi, functionName: 'register', args: [key] });
  if (hex(fields, 'register', file) !== register) throw bad(file, 'register', 'is not the calldata that registers key');
  const insecure = object(fields.srs, `${file}: srs`).insecure;
  if (typeof insecure !== 'boolean') throw bad(file, 'srs.insecure', `is to be true or false, and is ${shown(insecure)}`);
  return { name, key, inputs: Number(slice(key, 20, 24)), vkDigest, isInsecure: insecure };
}

/**
 * Reads `evm-proof.json`. It does not verify the proof.
 *
 * @param json What the file has, parsed.
 * @param file Its name, for errors.
 * @throws MusterError `BadFile`, with the file and the field, for what is missing, or does not fit the rest of the file.
 */
export function readEvmProof(json: unknown, file = 'evm-proof.json'): EvmProof {
  const fields = object(json, file);
  const name = hex(fields, 'name', file, 32);
  const proof = hex(fields, 'proof', file);
  if (fields.proof_bytes !== size(proof)) {
    throw bad(file, 'proof_bytes', `is ${shown(fields.proof_bytes)}, and proof has ${size(proof)} bytes`);
  }
  const inputs = fields.public_inputs;
  if (!Array.isArray(inputs)) throw bad(file, 'public_inputs', `is to be an array, and is ${shown(inputs)}`);
  const claimedInputs = inputs.map((input: unknown, i) => {
    const value = isBytes(input) && size(input) === 32 ? BigInt(input) : -1n;
    if (!isBelow(value, SCALAR_MODULUS)) {
      throw bad(file, `public_inputs[${i}]`, `is to be 32 bytes below the scalar modulus, and is ${shown(input)}`);
    }
    return value;
  });
  const args = [name, pack(claimedInputs), proof] as const;
  const calldata = encodeFunctionData({ abi: musterVerifierAbi, functionName: 'verifyProof', args });
  if (hex(fields, 'calldata', file) !== calldata) {
    throw bad(file, 'calldata', 'is not that of verifyProof with name, public_inputs and proof');
  }
  return { name, proof, claimedInputs };
}

function bad(file: string, field: string, what: string): MusterError {
  return new MusterError('BadFile', `${file}: ${field} ${what}`);
}

function object(json: unknown, file: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new MusterError('BadFile', `${file}: is to be a JSON object, parsed, and is ${shown(json)}`);
  }
  return json as Record<string, unknown>;
}

/** A field of bytes, in lower case so that it can be compared. */
function hex(fields: Record<string, unknown>, field: string, file: string, length?: number): Hex {
  const value = fields[field];
  if (!isBytes(value)) throw bad(file, field, `is to be 0x and two digits for each byte, and is ${shown(value)}`);
  if (length !== undefined && size(value) !== length) {
    throw bad(file, field, `is to have ${length} bytes, and has ${size(value)}`);
  }
  return value.toLowerCase() as Hex;
}
