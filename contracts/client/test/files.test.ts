// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { encodeFunctionData, keccak256, size, slice, type Hex } from 'viem';

import { musterVerifierAbi, readEvmKey, readEvmProof, statement } from '../src/index.js';
import { json, refusal } from './vectors.js';

const abi = musterVerifierAbi;
const vector = json('test/vectors/honest-three-inputs.json');
const key: Hex = vector.evm_key;

const keyFile = {
  name: keccak256(key),
  key,
  register: encodeFunctionData({ abi, functionName: 'register', args: [key] }),
  vk_digest: slice(key, 32, 64),
  shape: {},
  srs: { claimed: true, digest: `0x${'00'.repeat(32)}`, insecure: true },
};
const inputs: bigint[] = vector.inputs.map(BigInt);
const proofFile = {
  name: keyFile.name,
  public_inputs: vector.inputs,
  proof: vector.proof as Hex,
  proof_bytes: size(vector.proof),
  gas: 250_000,
  calldata: encodeFunctionData({ abi, functionName: 'verifyProof', args: [keyFile.name, statement.pack(inputs), vector.proof] }),
};

test('a key and a proof are read as they were written', () => {
  const found = readEvmKey(keyFile);
  assert.deepEqual(found, { name: vector.name, key, inputs: 3, vkDigest: keyFile.vk_digest, isInsecure: true });
  assert.deepEqual(readEvmProof(proofFile), { name: vector.name, proof: vector.proof, claimedInputs: inputs });
  readEvmKey({ ...keyFile, more: 1 });
  const upper = `0x${key.slice(2).toUpperCase()}`;
  assert.equal(readEvmKey({ ...keyFile, key: upper }).key, key, 'the case of digits says nothing');
});

test('what is wrong with a key is named', () => {
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => readEvmKey({ ...keyFile, ...change }, 'a.json'), refusal('BadFile', message));
  for (const other of [null, [], '{}', undefined]) assert.throws(() => readEvmKey(other), refusal('BadFile', /^evm-key\.json: is to be a JSON object/));
  for (const field of ['name', 'key', 'register', 'vk_digest'] as const) {
    for (const value of [undefined, 7, '0x0', 'abc']) refused({ [field]: value }, new RegExp(`^a\\.json: ${field} is to be 0x`));
  }
  refused({ name: '0x00' }, /name is to have 32 bytes, and has 1/);
  refused({ name: keccak256('0x') }, /name is not the hash of key/);
  refused({ key: '0x' }, /key is not an EVM key/);
  refused({ key: `${key}00` }, /key is not an EVM key/);
  refused({ key: `0x00${key.slice(4)}` }, /key is not an EVM key/);
  refused({ key: `${key.slice(0, -2)}00` }, /name is not the hash of key/);
  refused({ vk_digest: keccak256('0x') }, /vk_digest is not the digest in key/);
  refused({ register: `${keyFile.register}00` }, /register is not the calldata/);
  refused({ srs: undefined }, /^a\.json: srs: is to be a JSON object/);
  refused({ srs: { insecure: 'no' } }, /srs\.insecure is to be true or false, and is no/);
});

test('what is wrong with a proof is named', () => {
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => readEvmProof({ ...proofFile, ...change }, 'a.json'), refusal('BadFile', message));
  for (const field of ['name', 'proof', 'calldata'] as const) {
    for (const value of [undefined, 7, '0x0', 'abc']) refused({ [field]: value }, new RegExp(`^a\\.json: ${field} is to be 0x`));
  }
  refused({ proof_bytes: 1 }, /proof_bytes is the number 1, and proof has \d+ bytes/);
  refused({ proof_bytes: undefined }, /proof_bytes is undefined/);
  refused({ public_inputs: {} }, /public_inputs is to be an array/);
  for (const input of ['0x01', 1, null, `0x${'ff'.repeat(32)}`]) {
    refused({ public_inputs: [vector.inputs[0], input] }, /public_inputs\[1\] is to be 32 bytes below the scalar modulus/);
  }
  refused({ public_inputs: [] }, /calldata is not that of verifyProof/);
  refused({ name: keccak256('0x') }, /calldata is not that of verifyProof/);
});
