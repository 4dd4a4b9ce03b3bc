// A local chain with the verifier on it, and a wallet that is connected to it.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { musterVerifierAbi, musterVerifierAddress, musterVerifierDeployment } from '@muster-zk/contracts';
import { createPublicClient, createWalletClient, custom } from 'viem';
import { foundry } from 'viem/chains';

const LOCAL = fileURLToPath(new URL('node_modules/.bin/anvil', import.meta.url));

/** Starts anvil, from npm or else from the PATH, on a port that is free. */
export async function startAnvil() {
  const anvil = spawn(existsSync(LOCAL) ? LOCAL : 'anvil', ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(anvil, 'error').then(([error]) => { throw new Error(`anvil does not start: ${error.message}`); });
  const url = await Promise.race([listening(anvil), failed]);
  return { url, stop: () => anvil.kill() };
}

function listening(anvil) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: anvil.stdout });
    lines.on('line', (line) => {
      const found = line.match(/^Listening on (\S+)$/);
      if (found) resolve(`http://${found[1]}`);
    });
    lines.on('close', () => reject(new Error('anvil ended before it listened')));
  });
}

/** What a browser wallet puts at window.ethereum (EIP-1193), as far as viem asks for it. Anvil itself holds the accounts. */
export function walletOf(url) {
  return {
    async request({ method, params }) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const { result, error } = await response.json();
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
      return result;
    },
  };
}

/** Deploys the verifier. On most chains somebody has done so before, and it has the same address. */
export async function deploy(provider) {
  await send(provider, musterVerifierDeployment);
  return musterVerifierAddress;
}

/** Registers a key. Anybody may, once. */
export function register(provider, key) {
  const call = { address: musterVerifierAddress, abi: musterVerifierAbi, functionName: 'register', args: [key] };
  return send(provider, call);
}

/** Sends a transaction, or the call of a contract, and waits until it is in a block. */
async function send(provider, what) {
  const wallet = createWalletClient({ chain: foundry, transport: custom(provider) });
  const client = createPublicClient({ transport: custom(provider), pollingInterval: 50 });
  const [account] = await wallet.getAddresses();
  const hash = await (what.abi ? wallet.writeContract({ account, ...what }) : wallet.sendTransaction({ account, ...what }));
  const { status, gasUsed } = await client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`transaction ${hash} failed`);
  return gasUsed;
}
