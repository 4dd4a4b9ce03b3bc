// Proofs put to the verifier in a chain of their own.
// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';

import {
  createPublicClient, createWalletClient, custom, getAddress, http, keccak256, numberToHex, size, type Address, type Hex, type PublicClient,
} from 'viem';
import { foundry } from 'viem/chains';

import {
  digest, musterVerifierAbi, musterVerifierAddress, musterVerifierDeployment, statement, verify, type VerifyParameters,
} from '../src/index.js';
import { hasAnvil, INSTALL, startAnvil } from './anvil.js';
import { FOLDER, json, refusal } from './vectors.js';

interface Vector { readonly evm_key: Hex; readonly name: Hex; readonly inputs: Hex[]; readonly proof: Hex }

const vectors: Vector[] = readdirSync(new URL('test/vectors', FOLDER))
  .filter((name) => name.startsWith('honest-'))
  .map((name) => json(`test/vectors/${name}`));
const bridge = json('test/vectors/light-client.json');

/** The proof with one bit of a byte changed. */
function changed(proof: Hex, place: number): Hex {
  const byte = Number(`0x${proof.slice(2 + 2 * place, 4 + 2 * place)}`) ^ 1;
  return `${proof.slice(0, 2 + 2 * place)}${byte.toString(16).padStart(2, '0')}${proof.slice(4 + 2 * place)}` as Hex;
}

test('the address is the one that README.md and the script tell', () => {
  assert.equal(getAddress(musterVerifierAddress), musterVerifierAddress);
  for (const file of ['README.md', 'test/Deploy.t.sol']) {
    assert.ok(readFileSync(new URL(file, FOLDER), 'utf8').includes(musterVerifierAddress), file);
  }
});

const here = hasAnvil();
if (here || process.env.CI === 'true') {
  describe('on a chain', { timeout: 60_000 }, onChain);
} else {
  console.log(`skipped: no anvil here; ${INSTALL}`);
  test('on a chain', { skip: INSTALL }, () => {});
}

function onChain() {
  let stop: (() => Promise<void>) | undefined;
  let client: PublicClient;
  let url: string;

  before(async () => {
    assert.ok(here, `no anvil here; ${INSTALL}`);
    ({ url, stop } = await startAnvil());
    client = createPublicClient({ transport: http(url), pollingInterval: 50 });
    const wallet = createWalletClient({ chain: foundry, transport: http(url) });
    const [account] = await wallet.getAddresses() as [Address];
    await assert.rejects(ask(vectors[0]!), refusal('NoVerifier', musterVerifierAddress));
    const deployed = await wallet.sendTransaction({ account, ...musterVerifierDeployment });
    assert.equal((await client.waitForTransactionReceipt({ hash: deployed })).status, 'success');
    await assert.rejects(ask(vectors[0]!), refusal('UnknownKey', vectors[0]!.name));
    for (const key of [...vectors.map((vector) => vector.evm_key), bridge.first_evm_key as Hex]) {
      const hash = await wallet.writeContract({
        account, address: musterVerifierAddress, abi: musterVerifierAbi, functionName: 'register', args: [key],
      });
      assert.equal((await client.waitForTransactionReceipt({ hash })).status, 'success');
    }
  });

  after(async () => stop?.());

  /** Asks about a vector, or about something else in a part of it. */
  function ask(vector: Vector, change: Partial<VerifyParameters> = {}): Promise<boolean> {
    return verify({ client, key: vector.name, inputs: vector.inputs.map(BigInt), proof: vector.proof, ...change });
  }

  test('proofs hold, and changed ones are false', async () => {
    assert.ok(vectors.length >= 8);
    for (const vector of vectors) {
      assert.equal(await ask(vector), true);
      for (const place of [0, 63, size(vector.proof) - 1]) {
        assert.equal(await ask(vector, { proof: changed(vector.proof, place) }), false, `byte ${place}`);
      }
      const [first, ...rest] = vector.inputs.map(BigInt);
      if (first !== undefined) assert.equal(await ask(vector, { inputs: [first + 1n, ...rest] }), false, 'another input');
    }
  });

  test('a message of a committee, from its digest to the verdict, over the provider of a wallet', async () => {
    const provider = { request: client.request };
    const wallet = createPublicClient({ transport: custom(provider) });
    const committee = { ...bridge.first, root: BigInt(bridge.first.root), threshold: BigInt(bridge.first.threshold) };
    const scope = {
      sourceChainId: BigInt(bridge.source_chain), destinationChainId: BigInt(bridge.chain), client: bridge.client,
      epoch: BigInt(bridge.epoch), key: committee.key, root: committee.root,
    };
    const verdict = (payload: Hex) => {
      const id = digest.messageId(scope, { nonce: BigInt(bridge.nonce), payload });
      const inputs = digest.ofCommittee(committee, digest.message(scope, BigInt(bridge.valid_until), id));
      return verify({ client: wallet, key: committee.key, inputs, proof: bridge.message });
    };
    assert.equal(await verdict(bridge.payload), true);
    assert.equal(await verdict(`${bridge.payload}00` as Hex), false);
  });

  test('what is no question is refused, with what was expected', async () => {
    const three = vectors.find((vector) => vector.inputs.length === 3)!;
    const inputs = statement.ofElement({ root: 1n, threshold: 1n }, 1n);
    const proof: Hex = `${three.proof}00`;
    const length = size(three.proof);
    await assert.rejects(ask(three, { key: keccak256('0x') }), refusal('UnknownKey', keccak256('0x')));
    await assert.rejects(ask(three, { inputs: [] }), refusal('WrongInputs', 'takes 3 public inputs, and was given 0'));
    await assert.rejects(ask(three, { inputs: [...inputs, 1n] }), refusal('WrongInputs', 'given 4'));
    await assert.rejects(ask(three, { proof }), refusal('WrongProofLength', `have ${length} bytes, and this one has ${length + 1}`));
    await assert.rejects(ask(three, { proof: '0x' }), refusal('WrongProofLength', 'has 0'));
    await assert.rejects(ask(three, { proof: '0x0' }), refusal('NotBytes', 'proof'));
    await assert.rejects(ask(three, { key: '0x00' }), refusal('NotBytes', 'key is to have 32 bytes'));
    await assert.rejects(ask(three, { inputs: [1n, statement.SCALAR_MODULUS, 1n] }), refusal('InputTooLarge', 'inputs[1]'));
    await assert.rejects(ask(three, { inputs: ['1' as unknown as bigint] }), refusal('InputTooLarge', 'inputs[0]'));
    await assert.rejects(ask(three, { address: '0x00' }), refusal('NotAnAddress', 'address'));
    await assert.rejects(ask(three, { address: bridge.client }), refusal('NoVerifier', bridge.client));
    await assert.rejects(ask(three, { address: musterVerifierDeployment.to }), refusal('NoVerdict', musterVerifierDeployment.to));
  });

  test('too little gas is never a verdict', async () => {
    const node = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    const outcomes = new Set<string>();
    for (let gas = 40_000; gas < 400_000; gas += 20_000) {
      const request = ({ method, params: [call, ...rest] }: any) =>
        node.request({ method, params: [{ ...call, gas: numberToHex(gas) }, ...rest] } as any);
      const limited = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
      outcomes.add(await ask(vectors[0]!, { client: limited }).then(String, (error) => error.code ?? error.name));
    }
    // The first is the node's own.
    assert.deepEqual([...outcomes].sort(), ['ContractFunctionExecutionError', 'NoVerdict', 'PrecompileFailed', 'true']);
  });

  test('errors of the transport are those of viem', async () => {
    await stop?.();
    stop = undefined;
    const gone = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    await assert.rejects(ask(vectors[0]!, { client: gone }), { name: 'ContractFunctionExecutionError' });
  });
}
