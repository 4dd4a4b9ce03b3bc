// The life of a bridge on a local chain. Each step says what happened and what it cost; a surprise ends
// the example with exit status 1. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';

import { onLocalChain } from './lib/chain.mjs';
import { Committee } from './lib/committee.mjs';
import { cast, musterWith } from './lib/programs.mjs';

/** Number of the chain that the messages come from: any but that of anvil. */
const SOURCE_CHAIN = 11155111;
const A = { name: 'A', members: 8, threshold: 5 };
const B = { name: 'B', members: 6, threshold: 4 };
const WRONG = { name: 'wrong', members: 8, threshold: 5 };
const DAY = 86_400;
const TERMS = { acceptanceWindow: DAY, overlap: DAY, batchLife: 7 * DAY };
/** How long what is signed may wait for somebody to bring it. */
const VALID_FOR = 30 * DAY;
/** Number of a form in the contract. */
const ELEMENT = 0;
const ERRORS = [
  'AlreadyProcessed(bytes32)', 'BatchExpired(bytes32)', 'IsFrozen()', 'NotInOffice(uint64)',
  'ProofRejected()', 'SequenceOutOfRange(uint64,uint64)',
];

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

  /** Who signs for whom and until when, as the options of muster. */
  scope(committee = this.committee) {
    return [
      '--source-chain', SOURCE_CHAIN, '--chain', this.chain.id(), '--client', this.client,
      '--epoch', this.epoch, '--current', committee.file, '--keys', this.keys,
      '--valid-until', this.validUntil,
    ];
  }

  /** The verifier with the key, and the light client with `committee` in office. */
  async deploy(committee) {
    const { chain, muster, dir, keys } = this;
    const verifier = chain.deploy('MusterVerifier');
    await say('MusterVerifier deployed, for proofs under every key', verifier.gas);

    const { key } = muster('export-key', '--keys', keys, '--evm', '--out', join(dir, 'evm'));
    const stored = chain.send(verifier.address, key.register);
    const isKnown = chain.read(verifier.address, 'isRegistered(bytes32)(bool)', key.name);
    expectEqual('whether the key is registered', isKnown, true);
    await say('the key registered, under the name that muster tells', stored);

    const first = `(${key.name},${committee.root()},${committee.threshold},${ELEMENT})`;
    const { acceptanceWindow, overlap, batchLife } = TERMS;
    const client = chain.deploy(
      'MultisigLightClient',
      '(address,uint256,uint64,(bytes32,uint256,uint64,uint8),(uint64,uint64,uint64,address))',
      verifier.address, SOURCE_CHAIN, 1, first,
      `(${acceptanceWindow},${overlap},${batchLife},${chain.guardian})`,
    );
    const validUntil = chain.time() + VALID_FOR;
    Object.assign(this, { client: client.address, epoch: 1, committee, validUntil });
    await say(`MultisigLightClient deployed; ${committee.name} is in office`, client.gas);
  }

  /** Calldata by which `committee` submits a message, in office or not. */
  submission(message, committee = this.committee) {
    const content = ['--nonce', message.nonce, '--payload', message.payload];
    const { digest } = this.muster('message', ...content, ...this.scope(committee));
    if (committee === this.committee) this.expectDigest(message, digest);
    return this.#calldata(committee.prove(digest), 'submit', ...content, '--epoch', this.epoch);
  }

  /** The light client, too, says that this is what the committee in office signs. */
  expectDigest({ nonce, payload }, digest) {
    const signature = 'messageDigest((uint64,bytes),uint64,uint64)(uint256)';
    const message = `(${nonce},${payload})`;
    const signed = this.chain.read(this.client, signature, message, this.epoch, this.validUntil);
    expectEqual("the client's digest", signed, BigInt(digest));
  }

  send(calldata) {
    return this.chain.send(this.client, calldata);
  }

  /** A call of the guardian. */
  guard(signature) {
    return this.chain.send(this.client, cast('sig', signature), this.chain.guardian);
  }

  /** The light client refuses, and for this reason. */
  expectRefused(calldata, reason) {
    const found = this.chain.refusal(this.client, calldata, ERRORS);
    if (found !== reason) throw new Error(`refused with ${found}, not with ${reason}`);
  }

  /** The committee in office proposes the next; gives the calldata of the proposal and of the acceptance. */
  handover(next, sequence) {
    const to = ['--committee', next.file, '--threshold', next.threshold, '--sequence', sequence];
    const signed = this.muster('handover', ...to, ...this.scope());
    const { key, root, threshold, form } = signed.next;
    const set = ['--next-key', key, '--next-root', root, '--next-threshold', threshold];
    const number = ['--next-form', form, '--sequence', sequence];
    const proof = this.committee.prove(signed.digest);
    return {
      proposal: this.#calldata(proof, 'propose', ...set, ...number),
      acceptance: this.#calldata(next.prove(signed.acceptance_digest), 'accept'),
    };
  }

  /** The next committee accepts. */
  accept(next, acceptance) {
    const gas = this.send(acceptance);
    expectEqual('the epoch', this.chain.read(this.client, 'epoch()(uint64)'), this.epoch + 1);
    Object.assign(this, { epoch: this.epoch + 1, committee: next });
    return gas;
  }

  /** The committee in office signs many messages at once; gives the calldata of each. */
  submitBatch(messages) {
    const file = join(this.dir, 'messages.json');
    writeFileSync(file, JSON.stringify({ messages }));
    const batch = this.muster('batch', file, ...this.scope());
    const proof = this.committee.prove(batch.digest);
    const root = ['--batch-root', batch.batch_root, '--epoch', this.epoch];
    const gas = this.send(this.#calldata(proof, 'submit-batch', ...root));
    return { gas, deliveries: batch.messages };
  }

  expectProcessed(id) {
    const found = this.chain.read(this.client, 'isProcessed(bytes32)(bool)', id);
    expectEqual(`whether ${id} is processed`, found, true);
  }

  #calldata(proof, target, ...options) {
    const until = ['--valid-until', this.validUntil];
    return this.muster('calldata', proof, '--keys', this.keys, '--for', target, ...options, ...until)
      .calldata;
  }
}

async function messages(bridge) {
  const first = bridge.submission(messageOf(0, 'release 5 tokens to alice'));
  await say('a message that A signed is accepted', bridge.send(first));
  bridge.expectRefused(first, 'AlreadyProcessed');
  await say('the same message again is refused: AlreadyProcessed');
}

async function handover(bridge, a, b, wrong) {
  const [early, late] = ['bob', 'carol'].map(
    (name, i) => bridge.submission(messageOf(1 + i, `release 7 tokens to ${name}`)),
  );
  const mistaken = bridge.handover(wrong, 1);
  await say('A proposes a committee by mistake', bridge.send(mistaken.proposal));
  const meant = bridge.handover(b, 2);
  await say('A proposes B, by a greater sequence', bridge.send(meant.proposal));
  bridge.expectRefused(mistaken.proposal, 'SequenceOutOfRange');
  await say('the first proposal again is refused: SequenceOutOfRange');
  bridge.expectRefused(mistaken.acceptance, 'ProofRejected');
  await say('what the wrong committee signs to accept is refused: ProofRejected');
  await say('B accepts, which shows that it can sign, and is in office', bridge.accept(b, meant.acceptance));

  await say('what A signed while in office is still good', bridge.send(early));
  bridge.expectRefused(bridge.submission(messageOf(9, 'release 9 tokens to eve'), a), 'ProofRejected');
  await say('what A signs in the epoch of B is refused: ProofRejected');
  bridge.chain.wait(TERMS.overlap + 1);
  bridge.expectRefused(late, 'NotInOffice');
  await say('a day later, what A signed is good no more: NotInOffice');
  const again = bridge.submission(messageOf(2, 'release 7 tokens to carol'));
  await say('the same message signed by B is accepted', bridge.send(again));
}

async function guardian(bridge) {
  const waiting = bridge.submission(messageOf(3, 'release 2 tokens to dave'));
  await say('the guardian freezes the light client', bridge.guard('freeze()'));
  bridge.expectRefused(waiting, 'IsFrozen');
  await say('nothing is accepted: IsFrozen');
  await say('the guardian thaws it', bridge.guard('thaw()'));
  await say('the message that waited is accepted', bridge.send(waiting));
}

async function batch(bridge) {
  const names = ['erin', 'frank', 'grace'];
  const messages = names.map((name, i) => messageOf(4 + i, `release 1 token to ${name}`));
  const { gas, deliveries } = bridge.submitBatch(messages);
  await say(`a batch of ${messages.length} messages that B signed is accepted`, gas);
  const late = deliveries.pop();
  for (const [i, { calldata, message_id: id }] of deliveries.entries()) {
    await say(`message ${i + 1} of the batch is delivered, without a proof`, bridge.send(calldata));
    bridge.expectProcessed(id);
    bridge.expectRefused(calldata, 'AlreadyProcessed');
  }
  bridge.chain.wait(TERMS.batchLife + 1);
  bridge.expectRefused(late.calldata, 'BatchExpired');
  await say('a week later the batch has expired, with message 3: BatchExpired');
  await say('B signs message 3 alone, and it is accepted', bridge.send(bridge.submission(messages[2])));
}

async function story(dir, chain) {
  const muster = musterWith(join(dir, 'srs'));
  const keys = join(dir, 'keys');
  Committee.keygen(muster, keys, A);
  await say(`keys made for up to ${A.members} members, ${A.threshold} signing, on an insecure SRS`);
  const [a, b, wrong] = [A, B, WRONG].map((set) => new Committee(muster, dir, keys, set));
  const bridge = new Bridge(muster, chain, dir, keys);
  await bridge.deploy(a);
  await messages(bridge);
  await handover(bridge, a, b, wrong);
  await guardian(bridge);
  await batch(bridge);
}

await onLocalChain('bridge', story);
