// Sync committees hand over on a beacon chain that the example makes, and a client follows them on a local chain, by a relayer that
// is killed at random and asks a node that lies. A surprise ends the example with exit status 1. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import {
  BeaconChain, BeaconNode, EPOCH, PERIOD, SEATS, SLOT_SECONDS, VERSION,
} from './lib/beacon.mjs';
import { onLocalChain } from './lib/chain.mjs';
import { musterWith } from './lib/programs.mjs';
import { Relayer } from './lib/relayer.mjs';
import { makeKeys } from './lib/setup.mjs';

const SETTINGS = parseArgs({
  options: {
    rotations: { type: 'string', default: '1' },
    kills: { type: 'string', default: '1' },
    life: { type: 'string', default: '60' },
  },
}).values;
const [ROTATIONS, KILLS, LIFE] = ['rotations', 'kills', 'life'].map((name) => Number(SETTINGS[name]));

/** The period in which the client begins. */
const FIRST = 1;
const LIES = ['half an answer', 'strangers'];
const FORKS = '(uint64,bytes4,uint16,uint16,uint16)[]';
const NETWORK = `(bytes32,uint64,uint64,uint64,uint64,uint64,uint64,uint64,${FORKS})`;
const HEADER = '(uint64,uint64,bytes32,bytes32,bytes32)';
const COMMITTEE = '(bytes32,bytes32[],uint256,bytes)';

const says = (what) => console.log(what);
const hex = (bytes) => `0x${bytes.toString('hex')}`;

function expect(what, found, expected) {
  if (String(found) !== String(expected)) throw new Error(`${what}: ${found}, not ${expected}`);
}

/** The contracts, and keys for them; the client trusts this block. */
function deploy(chain, dir, beacon, trusted) {
  const srs = join(dir, 'srs');
  const muster = musterWith(srs);
  const [keys, translations] = ['keys', 'translations'].map((name) => join(dir, name));
  const size = ['--signers', SEATS, '--kind', 'compact', '--out'];
  makeKeys(srs, [
    ['keygen', '--scheme', 'bls-bls12-381', '--rule', 'trusted-keys', '--slots', SEATS, ...size, keys],
    ['translate', 'keygen', '--commitment', 'ethereum-sync-committee', ...size, translations],
  ]);
  says('keys are made');
  const verifier = chain.deploy('MusterVerifier').address;
  const register = (exported) => {
    chain.send(verifier, exported.key.register);
    return exported;
  };
  const name = register(muster('export-key', '--keys', keys, '--evm', '--out', join(dir, 'evm'))).key.name;
  const [committee, proof] = ['first.json', 'translation.json'].map((file) => join(dir, file));
  writeFileSync(committee, JSON.stringify(beacon.committee(FIRST).file()));
  const translate = ['--keys', translations, '--committee', committee, '--seats', '--out', proof];
  const said = muster('translate', 'prove', ...translate);
  expect('the hash of the committee', said.hash, hex(beacon.committee(FIRST).root));
  const evm = ['--evm', '--out', join(dir, 'translation-evm')];
  const exported = register(muster('translate', 'export-key', '--keys', translations, '--proof', proof, ...evm));
  const { slot, proposer, parent, state, body } = trusted.header;
  const genesisTime = chain.time() - (FIRST + ROTATIONS + 2) * PERIOD * SLOT_SECONDS;
  const sizes = [genesisTime, SLOT_SECONDS, EPOCH, PERIOD / EPOCH, SEATS, 0, 0];
  const client = chain.deploy(
    'EthereumClient', `(address,bytes32,bytes32,${NETWORK},${HEADER},${COMMITTEE})`,
    verifier, name, exported.key.name,
    `(${hex(beacon.genesis)},${sizes},[(0,${VERSION},169,86,87)])`,
    `(${slot},${proposer},${hex(parent)},${hex(state)},${hex(body)})`,
    `(${said.hash},[${trusted.current.map(hex)}],${BigInt(said.key_set_root)},${exported.proof.proof})`,
  ).address;
  return { client, signature_keys: keys, translation_keys: translations };
}

async function story(dir, chain) {
  const beacon = new BeaconChain();
  const node = new BeaconNode(beacon);
  const contracts = deploy(chain, dir, beacon, node.final(FIRST * PERIOD + 1));
  says(`the client trusts a block of period ${FIRST} and its committee`);
  const relayer = new Relayer(dir, 'ethereum', { chain, srs: join(dir, 'srs'), source: await node.start(), ...contracts });
  const read = (call, ...args) => chain.read(contracts.client, call, ...args).split(/\s/)[0];
  const latest = () => Number(read('latestSlot()(uint64)'));
  node.lies = [...LIES];
  relayer.start();
  let haunting;
  try {
    for (let period = FIRST; period < FIRST + ROTATIONS; period += 1) {
      const start = period * PERIOD;
      node.updates.set(period, beacon.update(start + 16, node.final(start + 8), true));
      const isKnown = () => read('committeeRoot(uint64)(uint256)', period + 1) !== '0';
      await relayer.until(`the committee of period ${period + 1} is known`, isKnown);
      says(`the committee of period ${period + 1} is known`);
      haunting ??= relayer.haunt(KILLS, LIFE);
      const final = node.final(start + 32);
      node.finality = beacon.update(start + 40, final, false);
      await relayer.until(`the block of slot ${start + 32} is final`, () => latest() === start + 32);
      expect('its root', read('blockRoot(uint64)(bytes32)', start + 32), hex(final.root));
      says(`the block of slot ${start + 32} is final`);
    }
    await haunting;
    // The last committee signs, too.
    const slot = (FIRST + ROTATIONS) * PERIOD + 1;
    node.finality = beacon.update(slot + 1, node.final(slot), false);
    await relayer.until(`the block of slot ${slot} is final`, () => latest() === slot);
    expect('lies that were not told', node.lies, []);
  } finally {
    relayer.end();
    node.stop();
  }
  says(`gas: a next committee ${relayer.gas('is known')}; a block ${relayer.gas('is final')}`);
  says(`${ROTATIONS} rotations, each final block known; lies: ${node.told.length}; killed: ${relayer.kills}`);
}

await onLocalChain('ethereum', story);
