// A proof put to the verifier on a chain.
// SPDX-License-Identifier: MIT OR Apache-2.0
import {
  BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError,
  type Address, type Chain, type Client, type Hex, type Transport,
} from 'viem';
import { readContract } from 'viem/actions';

import { MusterError } from './errors.js';
import { musterVerifierAbi, musterVerifierAddress } from './generated.js';
import { address as addressed, bytes, isBelow, SCALAR_MODULUS, shown } from './words.js';

/** What {@link verify} asks. */
export interface VerifyParameters {
  /** Any client of viem, such as one over a wallet: `createPublicClient({ transport: custom(window.ethereum) })`. */
  readonly client: Client<Transport, Chain | undefined>;
  /** The verifier, if it is not where it is on every chain. The code there is trusted: check it before you name it. */
  readonly address?: Address;
  /** Name of the key, 32 bytes: what you know, not what came with the proof. */
  readonly key: Hex;
  /** The public inputs that say what you expect, as the functions of `statement` make them. */
  readonly inputs: readonly bigint[];
  /** The proof in its long encoding, as `evm-proof.json` has it. */
  readonly proof: Hex;
}

/**
 * Asks a `MusterVerifier` by `eth_call`, which costs nothing and changes nothing, whether a proof holds.
 *
 * The answer is that of the node. Who does not trust it verifies `proof.json` with `@muster-zk/verifier`.
 *
 * @returns `true` or `false`: the verdict on the proof, and on nothing else.
 * @throws MusterError where there is no verdict, with a `code`:
 * - `NoVerifier`: no contract has this address on the client's chain
 * - `UnknownKey`: nobody has registered a key of this name there
 * - `WrongInputs`, `InputTooLarge`: the inputs are not those of a statement under this key
 * - `WrongProofLength`: this is a proof under another key, or not in the long encoding
 * - `PrecompileFailed`: the node gave the call too little gas, or the chain lacks a precompile
 * - `NoVerdict`: the call reverted for no reason that a `MusterVerifier` has; too little gas, or another contract
 * - `NotBytes`, `NotAnAddress`: a parameter is none
 *
 * Errors of the node, such as out of gas, and of the transport are thrown as viem has them.
 */
export async function verify(parameters: VerifyParameters): Promise<boolean> {
  const { client, address = musterVerifierAddress, key, inputs, proof } = parameters;
  addressed('address', address);
  bytes('key', key, 32);
  bytes('proof', proof);
  inputs.forEach((input, i) => {
    if (!isBelow(input, SCALAR_MODULUS)) {
      throw new MusterError('InputTooLarge', `inputs[${i}] is to be a bigint below the scalar modulus, and is ${shown(input)}`);
    }
  });
  try {
    return await readContract(client, { address, abi: musterVerifierAbi, functionName: 'verify', args: [key, inputs, proof] });
  } catch (error) {
    throw explained(error, address);
  }
}

function explained(error: unknown, address: Address): unknown {
  if (!(error instanceof BaseError)) return error;
  if (error.walk((each) => each instanceof ContractFunctionZeroDataError)) {
    return new MusterError('NoVerifier', `no contract has the address ${address} on this chain`, { cause: error });
  }
  const revert = error.walk((each) => each instanceof ContractFunctionRevertedError);
  return revert instanceof ContractFunctionRevertedError ? withoutVerdict(revert, address) : error;
}

function withoutVerdict(revert: ContractFunctionRevertedError, address: Address): MusterError {
  const cause = { cause: revert };
  const [first, second] = revert.data?.args ?? [];
  switch (revert.data?.errorName) {
    case 'UnknownKey':
      return new MusterError('UnknownKey', `the verifier at ${address} has no key of the name ${first}`, cause);
    case 'WrongInputs':
      return new MusterError('WrongInputs', `the key takes ${Number(first) / 32} public inputs, and was given ${Number(second) / 32}`, cause);
    case 'WrongProofLength':
      return new MusterError('WrongProofLength', `proofs under this key have ${first} bytes, and this one has ${second}`, cause);
    case 'PrecompileFailed':
      return new MusterError('PrecompileFailed', 'a precompile failed, which says nothing about the proof: was there too little gas?', cause);
    default:
      return new MusterError('NoVerdict', `the call of ${address} reverted, for no reason that the verifier has: ${revert.shortMessage}`, cause);
  }
}
