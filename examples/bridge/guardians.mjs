// Wormhole's guardians hand over again and again on a local chain, while a relayer is killed at random and started
// again. At the end every message was delivered once, and no forged one. A surprise ends the example with exit status 1.
// See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { onLocalChain } from './lib/chain.mjs';
import { cast, musterWith } from './lib/programs.mjs';
import { Relayer } from './lib/relayer.mjs';
import { makeKeys } from './lib/setup.mjs';
import { bodyOf, Guardians, passed, upgradeTo } from './lib/wormhole.mjs';

const SETTINGS = parseArgs({
  options: {
    rotations: { type: 'string', default: '2' },
    messages: { type: 'string', default: '4' },
    members: { type: 'string', default: '4' },
    kills: { type: 'string', default: '1' },
    life: { type: 'string', default: '12' },
    // Without keys for translations, the contract computes the roots.
    registry: { type: 'boolean', default: false },
  },
}).values;
const [ROTATIONS, MESSAGES, KILLS, LIFE] = ['rotations', 'messages', 'kills', 'life'].map((name) => Number(SETTINGS[name]));

/** Guardians of a set, and how many of them are a quorum. */
const MEMBERS = Number(SETTINGS.members);
const SLOTS = Math.floor(2 * MEMBERS / 3) + 1;
/** Depth of the trees of keys for so few. */
const DEPTH = 1;
const SOURCE = { chain: 2, emitter: 'e1'.repeat(32) };

const says = (what) => console.log(what);
const textOf = (sequence) => `release ${sequence + 1} tokens to alice`;
const hexOf = (text) => Buffer.from(text).toString('hex');
const messageOf = (sequence, text = textOf(sequence)) => bodyOf({ ...SOURCE, sequence, payload: hexOf(text) });

function expect(what, found, expected) {
  if (String(found) !== String(expected)) throw new Error(`${what}: ${found}, not ${expected}`);
}

/** The contracts, and keys for them. */
async function deploy(chain, dir, first) {
  const srs = join(dir, 'srs');
  const muster = musterWith(srs);
  const [keys, translations] = ['keys', 'translations'].map((name) => join(dir, name));
  const size = ['--signers', MEMBERS, '--kind', 'compact', '--out'];
  const signing = ['keygen', '--scheme', 'ecdsa-secp256k1', '--keys', 'address', '--slots', SLOTS, ...size, keys];
  const translating = ['translate', 'keygen', '--commitment', 'keccak-addresses', ...size, translations];
  makeKeys(srs, SETTINGS.registry ? [signing] : [signing, translating]);
  const verifier = chain.deploy('MusterVerifier').address;
  const register = (exported) => {
    chain.send(verifier, exported.key.register);
    return exported.key.name;
  };
  const name = register(muster('export-key', '--keys', keys, '--evm', '--out', join(dir, 'evm')));
  let [translationName, trial] = [`0x${'00'.repeat(32)}`, '0x'];
  if (!SETTINGS.registry) {
    const [committee, proof] = ['first.json', 'trial.json'].map((file) => join(dir, file));
    const members = first.addresses.map((address) => ({ address, weight: 1 }));
    writeFileSync(committee, JSON.stringify({ scheme: 'ecdsa-secp256k1', keys: 'address', members }));
    muster('translate', 'prove', '--keys', translations, '--committee', committee, '--out', proof);
    const evm = ['--evm', '--out', join(dir, 'translation-evm')];
    const exported = muster('translate', 'export-key', '--keys', translations, '--proof', proof, ...evm);
    [translationName, trial] = [register(exported), exported.proof.proof];
  }
  const registry = chain.deploy('KeySetRegistry').address;
  const client = chain.deploy(
    'WormholeClient', '(address,address,(bytes32,bytes32,uint256),uint32,address[],bytes)',
    verifier, registry, `(${name},${translationName},${DEPTH})`, 0, `[${first.addresses.join(',')}]`, trial,
  ).address;
  const source = [SOURCE.chain, `0x${SOURCE.emitter}`];
  const receiver = chain.deploy('Receiver', '(address,uint16,bytes32)', client, ...source).address;
  return { client, receiver, signature_keys: keys, translation_keys: SETTINGS.registry ? undefined : translations };
}

/** Puts a VAA into the folder, all of it at once. */
function publish(dir, name, vaa) {
  const path = join(dir, `${name}.vaa`);
  writeFileSync(`${path}.part`, vaa);
  renameSync(`${path}.part`, path);
}

/** What nobody must believe: by strangers, and what guardians signed with something else in it. */
function forge(vaas, epoch, guardians) {
  const strangers = new Guardians(`strangers ${epoch}`, guardians.index, MEMBERS);
  publish(vaas, `${epoch}-forged-message`, strangers.sign(messageOf(1000 + epoch)));
  publish(vaas, `${epoch}-forged-upgrade`, strangers.sign(upgradeTo(epoch + 1, strangers.addresses)));
  const signed = guardians.sign(messageOf(2000 + epoch));
  const body = messageOf(2000 + epoch, 'release all tokens to eve');
  publish(vaas, `${epoch}-forged-payload`, signed.slice(0, -body.length) + body);
}

async function story(dir, chain) {
  const vaas = join(dir, 'vaas');
  mkdirSync(vaas);
  const set = (index) => new Guardians(`set ${index}`, index, MEMBERS);
  let guardians = set(0);
  const contracts = await deploy(chain, dir, guardians);
  says(`guardian set 0 is in office; the next ones by ${SETTINGS.registry ? 'the registry' : 'translations'}`);
  const { addresses, index } = guardians;
  const first = { index, addresses };
  const relayer = new Relayer(dir, 'wormhole', { chain, srs: join(dir, 'srs'), source: vaas, first, ...contracts });
  const currentIndex = () => chain.read(contracts.client, 'getCurrentGuardianSetIndex()(uint32)');
  const received = () => chain.logs(contracts.receiver, 'Received(uint64,bytes)');
  relayer.start();
  let haunting;
  try {
    let sequence = 0;
    for (let epoch = 0; epoch <= ROTATIONS; epoch += 1) {
      const last = Math.round(MESSAGES * (epoch + 1) / (ROTATIONS + 1));
      const signed = [];
      for (; sequence < last; sequence += 1) signed.push([sequence, guardians.sign(messageOf(sequence))]);
      // The last one comes when the next set is in office, and its signers' day has begun.
      const late = epoch < ROTATIONS ? signed.splice(-1) : [];
      for (const [number, vaa] of signed) publish(vaas, `${epoch}-message-${number}`, vaa);
      forge(vaas, epoch, guardians);
      if (epoch < ROTATIONS) {
        const next = set(epoch + 1);
        publish(vaas, `${epoch}-upgrade`, guardians.sign(upgradeTo(epoch + 1, next.addresses)));
        await relayer.until(`set ${epoch + 1} is in office`, () => currentIndex() === String(epoch + 1));
        says(`guardian set ${epoch + 1} is in office`);
        // The first proofs make what later ones find in the cache, and take longer than a short life.
        haunting ??= relayer.haunt(KILLS, LIFE);
        for (const [number, vaa] of late) publish(vaas, `${epoch}-message-${number}`, vaa);
        guardians = next;
      }
    }
    await relayer.until('all messages are delivered', () => received().length >= MESSAGES);
    // A relayer that goes on does nothing twice, and believes nothing forged.
    const refused = () => new Set(relayer.said().match(/^\d+-forged-(message|payload): not signed/gm)).size;
    await haunting;
    await relayer.until('all forged ones are refused', () => refused() === 2 * (ROTATIONS + 1));
    check(chain, contracts, received(), currentIndex());
  } finally {
    relayer.end();
  }
  says(`gas: a rotation ${relayer.gas('in office')}; a message ${relayer.gas('delivered')}`);
  says(`${MESSAGES} messages, each delivered once, none forged; ${ROTATIONS} rotations; killed: ${relayer.kills}`);
}

/** What happened on the chain is what guardians signed, and nothing else. */
function check(chain, contracts, logs, index) {
  expect('the set in office', index, ROTATIONS);
  const sequences = logs.map(({ topics }) => Number(topics[1])).sort((a, b) => a - b);
  expect('sequences', sequences, Array.from({ length: MESSAGES }, (_, i) => i));
  for (const { topics, data } of logs) {
    const [payload] = JSON.parse(cast('abi-decode', '--json', 'f()(bytes)', data));
    expect('the payload', payload, `0x${hexOf(textOf(Number(topics[1])))}`);
  }
  // What was brought once is refused the second time, and with another body.
  const { input } = JSON.parse(chain.transaction(logs[0].transactionHash));
  const refusal = (data) => chain.refusal(contracts.receiver, data, ['DoneBefore(bytes32)', 'Invalid(string)']);
  expect('a second time', refusal(input), 'DoneBefore');
  const [message] = JSON.parse(cast('decode-calldata', '--json', 'take(bytes)', input));
  const [signers, length] = [message.slice(4, 12), message.slice(12, 16)].map((hex) => Number.parseInt(hex, 16));
  const other = passed(signers, message.slice(16, 16 + 2 * length), messageOf(3000));
  expect('another body', refusal(cast('calldata', 'take(bytes)', other)), 'Invalid');
}

await onLocalChain('guardians', story);
