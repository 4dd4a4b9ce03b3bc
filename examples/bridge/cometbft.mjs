// A chain of CometBFT whose validators change with every block is followed on a local chain, by a relayer that is killed at
// random and asks a node that lies. At the end every message was delivered once, and no forged one. A surprise ends the
// example with exit status 1. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { onLocalChain } from './lib/chain.mjs';
import { CometBftChain, headerTuple, Node, Validator } from './lib/cometbft.mjs';
import { cast, musterWith } from './lib/programs.mjs';
import { Relayer } from './lib/relayer.mjs';
import { makeKeys } from './lib/setup.mjs';

const SETTINGS = parseArgs({
  options: {
    rotations: { type: 'string', default: '2' },
    messages: { type: 'string', default: '5' },
    members: { type: 'string', default: '4' },
    kills: { type: 'string', default: '1' },
    life: { type: 'string', default: '20' },
  },
}).values;
const [ROTATIONS, MESSAGES, KILLS, LIFE] = ['rotations', 'messages', 'kills', 'life'].map((name) => Number(SETTINGS[name]));

/** Validators of a set, and how many of them are more than two thirds. */
const MEMBERS = Number(SETTINGS.members);
const SLOTS = Math.floor(2 * MEMBERS / 3) + 1;
/** Every so many rotations two come at once, and the relayer may skip one. */
const TWICE = 3;
const TRUSTING_PERIOD = 86_400;
const CLOCK_DRIFT = 10;
/** What the node says once that is not so. */
const LIES = ['strangers', 'app hash', 'signature', 'half an answer', 'payload'];
const HEADER = '(uint64,uint64,bytes,uint64,(int64,uint32),(bytes,uint32,bytes),bytes[9])';

const says = (what) => console.log(what);
const textOf = (sequence) => `release ${sequence + 1} tokens to alice`;

function expect(what, found, expected) {
  if (String(found) !== String(expected)) throw new Error(`${what}: ${found}, not ${expected}`);
}

/** The contracts, and keys for them. */
function deploy(chain, dir, genesis) {
  const srs = join(dir, 'srs');
  const muster = musterWith(srs);
  const [keys, translations] = ['keys', 'translations'].map((name) => join(dir, name));
  const size = ['--signers', MEMBERS, '--kind', 'compact', '--out'];
  const precommit = ['--scheme', 'ed25519', '--message-form', 'cometbft-precommit', '--slots', SLOTS];
  makeKeys(srs, [
    ['keygen', ...precommit, ...size, keys],
    ['translate', 'keygen', '--commitment', 'cometbft-validators', ...size, translations],
  ]);
  const verifier = chain.deploy('MusterVerifier').address;
  const register = (command, from, to) => {
    const { key } = muster(...command, '--keys', from, '--evm', '--out', join(dir, to));
    chain.send(verifier, key.register);
    return key.name;
  };
  const name = register(['export-key'], keys, 'evm');
  const translation = register(['translate', 'export-key'], translations, 'translation-evm');
  const client = chain.deploy(
    'CometBftClient', `(address,bytes32,bytes32,uint64,uint64,${HEADER})`,
    verifier, name, translation, TRUSTING_PERIOD, CLOCK_DRIFT, headerTuple(genesis),
  ).address;
  const receiver = chain.deploy('AppReceiver', '(address)', client).address;
  return { client, receiver, signature_keys: keys, translation_keys: translations };
}

/**
 * The last validators sign another block at the height of their last one. A watcher that compares nodes sees it on one of them, and
 * the client is frozen; a node with a block that strangers signed convinces nobody.
 */
async function fork(dir, chain, contracts, source, strangers) {
  const signers = source.blocks.at(-1).validators;
  const nodes = [source, source.fork(strangers), source.fork(signers)].map((blocks) => new Node(blocks, strangers));
  const [honest, strange, other] = await Promise.all(nodes.map((node) => node.start()));
  const watcher = (name, witnesses) => {
    const work = join(dir, name);
    mkdirSync(work);
    const account = { from: chain.guardian, account: ['--from', chain.guardian, '--unlocked'] };
    const { receiver, ...config } = { ...contracts, source: honest, witnesses, ...account };
    return new Relayer(work, 'cometbft-watch', { chain, srs: join(dir, 'srs'), ...config });
  };
  const status = () => chain.read(contracts.client, 'status()(uint8)');
  const [first, second] = [watcher('strange', [strange]), watcher('other', [strange, other])];
  try {
    first.start();
    await first.until('strangers are named', () => first.said().includes(`later: ${strange}: `));
    expect('the status', status(), 0);
    first.end();
    second.start();
    await second.until('the client is frozen', () => status() === '2');
    // It says so once the transaction is in a block.
    await second.until('the fork is reported', () => second.said().includes(`a fork at height ${source.height} is reported`));
  } finally {
    [first, second].forEach((one) => one.end());
    nodes.forEach((node) => node.stop());
  }
  says(`the last validators signed another block ${source.height}: a watcher reports it, and the client is frozen`);
}

/** What happened on the chain is what the other chain has, and nothing else. */
function check(chain, { client, receiver }, logs) {
  const sequences = logs.map(({ topics }) => Number(topics[1])).sort((a, b) => a - b);
  expect('sequences', sequences, Array.from({ length: MESSAGES }, (_, i) => i));
  for (const { topics, data } of logs) {
    const [payload] = JSON.parse(cast('abi-decode', '--json', 'f()(bytes)', data));
    expect('the payload', payload, `0x${Buffer.from(textOf(Number(topics[1]))).toString('hex')}`);
  }
  // What was brought once is refused the second time, and so is another message with its path.
  const { input } = JSON.parse(chain.transaction(logs[0].transactionHash));
  const refusal = (data) => chain.refusal(receiver, data, ['DoneBefore(uint64)', 'NotInState(uint64)']);
  expect('a second time', refusal(input), 'DoneBefore');
  const take = 'take(uint64,uint64,bytes,bytes32[])';
  const [height, , payload, path] = JSON.parse(cast('decode-calldata', '--json', take, input));
  expect('another place', refusal(cast('calldata', take, height, MESSAGES, payload, `[${path}]`)), 'NotInState');
  expect('the status', chain.read(client, 'status()(uint8)'), 0);
}

async function story(dir, chain) {
  const validators = Array.from({ length: ROTATIONS + MEMBERS }, (_, i) => new Validator(i));
  const set = (number) => validators.slice(number, number + MEMBERS);
  const strangers = Array.from({ length: MEMBERS }, (_, i) => new Validator(`stranger ${i}`));
  const source = new CometBftChain(set(0), () => Math.floor(Date.now() / 1000));
  const contracts = deploy(chain, dir, source.blocks[0]);
  says('keys and contracts are there; the client trusts block 1');
  const node = new Node(source, strangers);
  const srs = join(dir, 'srs');
  const relayer = new Relayer(dir, 'cometbft', { chain, srs, source: await node.start(), ...contracts });
  const height = () => Number(chain.read(contracts.client, 'latest()(uint64,(int64,uint32))').split(/\s/)[0]);
  const received = () => chain.logs(contracts.receiver, 'Received(uint64,bytes)');
  const followed = async (number) => {
    await relayer.until(`header ${source.height} is verified`, () => height() >= source.height);
    says(`header ${source.height} is verified, which validator set ${number} signed`);
  };
  node.lies = [...LIES];
  relayer.start();
  let haunting;
  try {
    let sequence = 0;
    for (let rotation = 1; rotation <= ROTATIONS; rotation += 1) {
      const last = Math.round(MESSAGES * rotation / ROTATIONS);
      const messages = [];
      for (; sequence < last; sequence += 1) messages.push(textOf(sequence));
      // The block names the next validators, of whom one is new, and who sign the block after it.
      source.block(messages, set(rotation));
      if (rotation % TWICE !== 2) await followed(rotation - 1);
      // The first proofs make what later ones find in the cache, and take longer than a short life.
      haunting ??= relayer.haunt(KILLS, LIFE);
    }
    // The state that the last header has holds the last messages.
    source.block([]);
    await followed(ROTATIONS);
    await relayer.until('all messages are delivered', () => received().length >= MESSAGES);
    await haunting;
    check(chain, contracts, received());
    expect('lies that were not told', node.lies, []);
    relayer.end();
    await fork(dir, chain, contracts, source, strangers);
  } finally {
    relayer.end();
    node.stop();
  }
  says(`gas: a header with new validators ${relayer.gas('new validators')}; a message ${relayer.gas('delivered')}`);
  says(`${MESSAGES} messages, each delivered once, none forged; ${ROTATIONS} rotations; lies: ${node.told.length}; killed: ${relayer.kills}`);
}

await onLocalChain('cometbft', story);
