/**
 * Muster's contracts from JavaScript, over viem: verify a proof on a chain, make public inputs of what is expected, compute
 * what a committee signs, and the ABIs.
 *
 * @packageDocumentation
 */
// SPDX-License-Identifier: MIT OR Apache-2.0
export * as digest from './digest.js';
export type { Message, Scope } from './digest.js';
export { MusterError, type MusterErrorCode } from './errors.js';
export { readEvmKey, readEvmProof, type EvmKey, type EvmProof } from './files.js';
export {
  cometBftClientAbi, ethereumClientAbi, iDigestAbi, keySetRegistryAbi, mockVerifierAbi, multisigLightClientAbi, musterIsmAbi, musterVerifierAbi,
  musterVerifierAddress, musterVerifierDeployment, wormholeClientAbi,
} from './generated.js';
export * as statement from './statement.js';
export { verify, type VerifyParameters } from './verify.js';
