// What a page does with a proof and a wallet. Nothing here is of Node: a page passes window.ethereum.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { MusterError, readEvmProof, statement, verify } from '@muster-zk/contracts';
import { createPublicClient, custom } from 'viem';

/**
 * Whether the committee signed the message.
 *
 * @param provider The wallet: `window.ethereum`, or whatever else has `request` (EIP-1193).
 * @param expected What the reader knows before they hear from anybody: the name of the key, the root and the threshold of
 * the committee, and the message that they ask about.
 * @param file What the prover sent: evm-proof.json, parsed.
 * @returns `true` or `false`.
 * @throws MusterError if there is no verdict; its `code` says why.
 */
export async function isSigned(provider, { key, root, threshold, message }, file) {
  // All that is taken from the file is the proof. What it claims to prove is not looked at.
  const { proof } = readEvmProof(file);
  // Under a key of schnorr-babyjubjub, members sign a field element.
  const inputs = statement.ofElement({ root, threshold }, message);
  const client = createPublicClient({ transport: custom(provider) });
  return verify({ client, key, inputs, proof });
}

/** The same, for people to read. */
export async function verdict(provider, expected, file) {
  try {
    return (await isSigned(provider, expected, file)) ? 'signed' : 'not signed';
  } catch (error) {
    if (!(error instanceof MusterError)) throw error;
    return `no verdict (${error.code}): ${error.message}`;
  }
}
