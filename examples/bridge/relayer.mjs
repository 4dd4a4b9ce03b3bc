// A relayer for Wormhole: it brings each VAA of a folder to the chain, with a proof in place of its signatures. All that
// it has to remember is on the chain, so it may be killed at any moment and started again.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Usage: node relayer.mjs CONFIG.json, which has: url (of a node), client and receiver (addresses), keys and translations
// (folders with keys; without the latter, the contract computes the roots of guardian sets), srs, vaas (a folder of files
// NAME.vaa in hex), work (a folder of its own), and first (index and addresses of the guardians from whom it starts).
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Chain } from './lib/chain.mjs';
import { cast, musterWith } from './lib/programs.mjs';
import { digestOf, parseVaa, passed } from './lib/wormhole.mjs';

const POLL_MS = 250;
/** Exit status of muster for a statement that is false. */
const REJECTED = 1;

class Relayer {
  /** Names of VAAs about which there is nothing left to do. */
  #done = new Set();
  /** Files of committees, by the index of their sets. */
  #committees = new Map();

  constructor(config) {
    Object.assign(this, config);
    this.chain = new Chain(config.url);
    this.muster = musterWith(config.srs);
    mkdirSync(this.work, { recursive: true });
  }

  /** Looks at each VAA once. */
  async round() {
    for (const file of this.#files()) {
      if (this.#done.has(file)) continue;
      const said = this.#relay(file.slice(0, -'.vaa'.length), this.#read(file));
      if (said === undefined) continue;
      this.#done.add(file);
      console.log(`${file}: ${said}`);
    }
  }

  /** What became of it; nothing if its time has not come. */
  #relay(name, vaa) {
    const current = this.#currentIndex();
    if (vaa.next ? vaa.next.index <= current : this.#isDone(vaa)) return 'done before';
    if (vaa.index > current || (vaa.next && vaa.index !== current)) return undefined;
    try {
      const proof = this.#prove(name, vaa);
      const message = passed(vaa.index, proof, vaa.body);
      if (vaa.next) {
        const gas = this.#rotate(name, vaa.next, message);
        return `guardian set ${vaa.next.index} is in office, ${gas} gas`;
      }
      return `delivered, ${this.#send(this.receiver, 'take(bytes)', message)} gas`;
    } catch (error) {
      if (error.status === REJECTED && error.isMuster) return 'not signed by the guardians';
      throw error;
    }
  }

  /** The proof that its guardians signed it, as contracts take it. */
  #prove(name, vaa) {
    const [dir, file] = [join(this.work, name), join(this.vaas, `${name}.vaa`)];
    const guardians = this.#committee(vaa.index);
    this.#muster('import', 'vaa', '--vaa', file, '--guardians', guardians.list, '--force', '--out', dir);
    const proof = join(dir, 'proof.json');
    const [committee, signatures] = ['committee.json', 'signatures.json'].map((name) => join(dir, name));
    this.#muster(
      'prove', '--keys', this.keys, '--committee', committee, '--signatures', signatures,
      '--threshold', '>2/3', '--force', '--out', proof,
    );
    const evm = ['--evm', '--force', '--out', join(dir, 'evm')];
    return this.#muster('export-key', '--keys', this.keys, '--proof', proof, ...evm).proof.proof;
  }

  /** Puts the next guardian set in office, by a translation if there are keys for it. */
  #rotate(name, next, message) {
    if (this.translations === undefined) return this.#send(this.client, 'submitNewGuardianSet(bytes)', message);
    const dir = join(this.work, name);
    const committee = this.#write(next.index, next.addresses).committee;
    const [keys, proof] = [['--keys', this.translations], join(dir, 'translation.json')];
    const said = this.#muster(
      'translate', 'prove', ...keys, '--committee', committee, '--force', '--out', proof,
    );
    const evm = ['--evm', '--force', '--out', join(dir, 'translation')];
    const exported = this.#muster('translate', 'export-key', ...keys, '--proof', proof, ...evm);
    const signature = 'submitTranslatedGuardianSet(bytes,uint256,bytes)';
    return this.#send(this.client, signature, message, BigInt(said.key_set_root), exported.proof.proof);
  }

  /** The guardians of a set: the first ones, or those of an upgrade whose root is that on the chain. */
  #committee(index) {
    if (!this.#committees.has(index)) {
      const upgrades = this.#files().map((file) => this.#read(file).next);
      const set = this.chain.read(this.client, 'guardianSet(uint32)((uint256,uint64,uint64))', index);
      const root = BigInt(set.slice(1).split(/[ ,]/)[0]);
      const isIt = (one) => one && one.index === index && this.#rootOf(one) === root;
      const found = [this.first, ...upgrades].find(isIt);
      if (!found) throw new Error(`no VAA has guardian set ${index}`);
      this.#committees.set(index, this.#write(index, found.addresses));
    }
    return this.#committees.get(index);
  }

  #rootOf({ index, addresses }) {
    const { committee } = this.#write(index, addresses);
    return BigInt(this.#muster('root', committee, '--keys', this.keys).key_set_root);
  }

  /** The files that muster reads guardians from. */
  #write(index, addresses) {
    const at = (what) => join(this.work, `guardians-${index}.${what}.json`);
    const [list, committee] = [at('list'), at('committee')];
    writeFileSync(list, JSON.stringify({ guardianSet: { index, addresses } }));
    const members = addresses.map((address) => ({ address, weight: 1 }));
    writeFileSync(committee, JSON.stringify({ scheme: 'ecdsa-secp256k1', keys: 'address', members }));
    return { list, committee };
  }

  #files() {
    return readdirSync(this.vaas).filter((name) => name.endsWith('.vaa')).sort();
  }

  #read(file) {
    return parseVaa(readFileSync(join(this.vaas, file), 'utf8').trim());
  }

  #currentIndex() {
    return Number(this.chain.read(this.client, 'getCurrentGuardianSetIndex()(uint32)'));
  }

  #isDone({ body }) {
    return this.chain.read(this.receiver, 'isDone(bytes32)(bool)', digestOf(body)) === 'true';
  }

  #send(to, signature, ...args) {
    return this.chain.send(to, cast('calldata', signature, ...args));
  }

  #muster(...args) {
    try {
      return this.muster(...args);
    } catch (error) {
      throw Object.assign(error, { isMuster: true });
    }
  }
}

const [, , file] = process.argv;
if (file === undefined || !existsSync(file)) {
  console.error('usage: node relayer.mjs CONFIG.json');
  process.exit(2);
}
const relayer = new Relayer(JSON.parse(readFileSync(file, 'utf8')));
for (;;) {
  await relayer.round();
  await sleep(POLL_MS);
}
