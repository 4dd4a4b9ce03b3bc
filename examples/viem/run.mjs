// Usage: node run.mjs FILES THRESHOLD MESSAGE. Checks a proof on a local chain, and ends with exit status 1 if a verdict is not the
// one that it should be. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readEvmKey } from '@muster-zk/contracts';

import { deploy, register, startAnvil, walletOf } from './chain.mjs';
import { verdict } from './check.mjs';

const [files, threshold, message] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(files, name), 'utf8'));

async function story(ethereum) {
  // The reader's own files: the key that they made, and the root of the committee that they know.
  const { name, key, isInsecure } = readEvmKey(read('evm/evm-key.json'));
  const expected = {
    key: name,
    root: BigInt(read('root.json').key_set_root),
    threshold: BigInt(threshold),
    message: BigInt(message),
  };
  // The prover's.
  const proof = read('evm/evm-proof.json');

  const ask = async (question, change, answer) => {
    const found = await verdict(ethereum, { ...expected, ...change }, proof);
    console.log(`${question}: ${found}`);
    if (!found.startsWith(answer)) throw new Error(`expected: ${answer}`);
  };
  console.log(`key ${name}${isInsecure ? ', on an insecure SRS: for tests alone' : ''}`);
  await ask('before anybody has deployed the verifier', {}, 'no verdict (NoVerifier)');
  console.log(`MusterVerifier deployed at ${await deploy(ethereum)}`);
  await ask('before anybody has registered the key', {}, 'no verdict (UnknownKey)');
  console.log(`the key registered, for ${await register(ethereum, key)} gas`);
  await ask('this message, by this committee', {}, 'signed');
  await ask('another message', { message: expected.message + 1n }, 'not signed');
  await ask('a higher threshold', { threshold: expected.threshold + 1n }, 'not signed');
  await ask('another committee', { root: expected.root + 1n }, 'not signed');
}

let anvil;
try {
  anvil = await startAnvil();
  await story(walletOf(anvil.url));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  anvil?.stop();
}
