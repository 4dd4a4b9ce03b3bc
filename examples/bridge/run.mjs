// The life of a bridge on a local chain. Each step says what happened and what it cost; a surprise ends
// the example with exit status 1. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Chain, startAnvil } from './lib/chain.mjs';
import { Committee } from './lib/committee.mjs';
import { musterWith } from './lib/programs.mjs';

/** Number of the chain that the messages come from: any but that of anvil. */
const SOURCE_CHAIN = 11155111;
const A = { name: 'A', members: 8, threshold: 5 };
const B = { name: 'B', members: 6, threshold: 4 };
const ERRORS = ['AlreadyProcessed(bytes32)', 'ProofRejected()', 'InvalidEpoch(uint64)'];

const TEST_MESSAGE = `0x${'1'.padStart(64, '0')}`;
const SOLC = fileURLToPath(new URL('../../contracts/tools/solc', import.meta.url));

let step = 0;

/** One line for what happened; and a moment in which a signal is heard: all else runs in one go. */
async function say(what, gas) {
  step += 1;
  const cost = gas === undefined ? '' : `${gas.toLocaleString('en')} gas`;
  console.log(`${String(step).padStart(2)}  ${what.padEnd(66)} ${cost.padStart(14)}`.trimEnd());
  await soon();
}

function expectEqual(what, found, expected) {
  // cast adds a number's magnitude in brackets.
  const plain = String(found).split(' ')[0].toLowerCase();
  if (plain !== String(expected).toLowerCase()) {
    throw new Error(`${what} is ${found}, not ${expected}`);
  }
}

/** A message of the source chain. Payloads begin with a tag of the application. */
function messageOf(nonce, text) {
  return { nonce, payload: `0x${Buffer.from(`example/${text}`).toString('hex')}` };
}

/** A light client, and what is said to it by means of muster. */
class Bridge {
  constructor(muster, chain, dir, keys) {
    Object.assign(this, { muster, chain, dir, keys });
  }

  /** Who signs for whom, as the options of muster. */
  scope() {
    return [
      '--source-chain', SOURCE_CHAIN, '--chain', this.chain.id(), '--client', this.client,
      '--epoch', this.epoch, '--current', this.committee.file, '--keys', this.keys,
    ];
  }

  /** Verifier, wrapper and light client, with `committee` in office. */
  async deploy(committee) {
    const { chain, muster, dir, keys } = this;
    const out = join(dir, 'verifier');
    // The proof of anything, for the gas that the verifier takes.
    const measured = ['--proof', committee.prove(TEST_MESSAGE)];
    const manifest = muster('export-verifier', '--keys', keys, ...measured, '--solc', SOLC, '--out', out);
    const creation = readFileSync(join(out, 'Halo2Verifier.bin'), 'utf8').trim();
    const halo2 = chain.deploy(`0x${creation}`);
    const codeHash = chain.codeHash(halo2.address);
    expectEqual("the verifier's code hash", codeHash, manifest.bytecode.runtime_hash);
    await say('Halo2Verifier deployed; its code is what the manifest says', halo2.gas);

    // A fifth above what a good proof takes: no bad one takes more.
    const gasCap = Math.ceil((manifest.gas.execution * 6) / 5);
    const wrapper = chain.deployContract(
      'MusterVerifier', '(address,bytes32,uint256,uint256)',
      halo2.address, manifest.vk_digest, manifest.proof_bytes, gasCap,
    );
    const hash = chain.read(wrapper.address, 'VERIFIER_HASH()(bytes32)');
    expectEqual("the wrapper's hash", hash, manifest.verifier_hash);
    await say('MusterVerifier deployed; its hash is what the manifest says', wrapper.gas);

    const { key_set_root: root, weight } = committee.root();
    const client = chain.deployContract(
      'MultisigLightClient', '(address,uint256,(uint256,uint64,uint64,uint64))',
      wrapper.address, SOURCE_CHAIN, `(${root},${committee.threshold},${weight},1)`,
    );
    Object.assign(this, { client: client.address, epoch: 1, committee });
    await say(`MultisigLightClient deployed; ${committee.name} is in office`, client.gas);
  }

  /** Calldata by which `committee` submits a message. */
  submission(message, committee = this.committee) {
    const content = ['--nonce', message.nonce, '--payload', message.payload];
    const { digest } = this.muster('message', ...content, ...this.scope());
    const signed = this.chain.read(
      this.client, 'messageDigest((uint64,bytes))(uint256)', `(${message.nonce},${message.payload})`,
    );
    expectEqual("the client's digest", signed, BigInt(digest));
    const proof = committee.prove(digest);
    return this.muster('calldata', proof, '--for', 'submit', ...content).calldata;
  }

  send(calldata) {
    return this.chain.send(this.client, calldata);
  }

  /** The light client refuses, and for this reason. */
  expectRefused(calldata, reason) {
    const found = this.chain.refusal(this.client, calldata, ERRORS);
    if (found !== reason) throw new Error(`refused with ${found}, not with ${reason}`);
  }

  /** The committee in office hands over to the next. */
  handOver(next) {
    const to = ['--committee', next.file, '--threshold', next.threshold];
    const { digest, rotate } = this.muster('handover', ...to, ...this.scope());
    const set = ['--new-root', rotate.new_root, '--new-threshold', rotate.new_threshold,
      '--new-total-weight', rotate.new_total_weight, '--new-epoch', rotate.new_epoch];
    const proof = this.committee.prove(digest);
    const { calldata } = this.muster('calldata', proof, '--for', 'rotate', ...set);
    const gas = this.send(calldata);
    expectEqual('the epoch', this.chain.read(this.client, 'epoch()(uint64)'), this.epoch + 1);
    Object.assign(this, { epoch: this.epoch + 1, committee: next });
    return { gas, calldata };
  }

  /** The committee in office signs many messages at once; gives the calldata of each. */
  submitBatch(messages) {
    const file = join(this.dir, 'messages.json');
    writeFileSync(file, JSON.stringify({ messages }));
    const batch = this.muster('batch', file, ...this.scope());
    const proof = this.committee.prove(batch.digest);
    const root = ['--batch-root', batch.batch_root];
    const { calldata } = this.muster('calldata', proof, '--for', 'submit-batch', ...root);
    return { gas: this.send(calldata), deliveries: batch.messages };
  }

  expectProcessed(id) {
    const found = this.chain.read(this.client, 'isProcessed(bytes32)(bool)', id);
    expectEqual(`whether ${id} is processed`, found, true);
  }
}

async function story(dir, chain) {
  const muster = musterWith(join(dir, 'srs'));
  const keys = join(dir, 'keys');
  Committee.keygen(muster, keys, A);
  await say(`keys made for up to ${A.members} members, ${A.threshold} signing, on an insecure SRS`);
  const a = new Committee(muster, dir, keys, A);
  const b = new Committee(muster, dir, keys, B);
  const bridge = new Bridge(muster, chain, dir, keys);
  await bridge.deploy(a);

  const first = bridge.submission(messageOf(0, 'release 5 tokens to alice'));
  await say('a message that A signed is accepted', bridge.send(first));
  bridge.expectRefused(first, 'AlreadyProcessed');
  await say('the same message again is refused: AlreadyProcessed');

  const late = bridge.submission(messageOf(1, 'release 7 tokens to bob'));
  const handover = bridge.handOver(b);
  await say('A hands over to B', handover.gas);
  bridge.expectRefused(handover.calldata, 'InvalidEpoch');
  await say('the same handover again is refused: InvalidEpoch');
  bridge.expectRefused(late, 'ProofRejected');
  await say('what A signed while in office and nobody brought is refused');
  bridge.expectRefused(bridge.submission(messageOf(1, 'release 7 tokens to bob'), a), 'ProofRejected');
  await say('what A signs now is refused');
  const second = bridge.submission(messageOf(1, 'release 7 tokens to bob'));
  await say('the same message signed by B is accepted', bridge.send(second));

  const names = ['carol', 'dave', 'erin'];
  const messages = names.map((name, i) => messageOf(2 + i, `release 1 token to ${name}`));
  const { gas, deliveries } = bridge.submitBatch(messages);
  await say(`a batch of ${messages.length} messages that B signed is accepted`, gas);
  for (const [i, { calldata, message_id: id }] of deliveries.entries()) {
    await say(`message ${i + 1} of the batch is delivered, without a proof`, bridge.send(calldata));
    bridge.expectProcessed(id);
    bridge.expectRefused(calldata, 'AlreadyProcessed');
  }
}

const dir = mkdtempSync(join(tmpdir(), 'muster-bridge-'));
let anvil;
const cleanUp = () => {
  anvil?.stop();
  rmSync(dir, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    cleanUp();
    process.exit(1);
  });
}
try {
  anvil = await startAnvil(join(dir, 'anvil.log'));
  await story(dir, new Chain(anvil.url));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
