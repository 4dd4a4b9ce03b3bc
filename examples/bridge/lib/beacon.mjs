// A beacon chain that the example makes itself, of the minimal preset: sync committees whose keys anybody can compute, blocks and
// states as far as a light client sees them, and a node that answers for them, sometimes with a lie.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { bls12_381 as bls } from '@noble/curves/bls12-381.js';

export const SEATS = 32;
export const EPOCH = 8;
export const PERIOD = 64;
export const SLOT_SECONDS = 6;
/** Of the fork Fulu in the minimal preset. */
export const VERSION = '0x06000001';
const FORK = 'fulu';
/** From where on things stand under a state's root since Electra: leaves, and their places. */
const LEAVES = 64;
const CHECKPOINT = 20;
const CURRENT = 22;
const NEXT = 23;
const SYNC_COMMITTEE = Buffer.from('07000000', 'hex');
const TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
const ORDER = bls.fields.Fr.ORDER;

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;

// ---------------------------------------------------------------- SSZ

function chunk(bytes) {
  const word = Buffer.alloc(32);
  bytes.copy(word);
  return word;
}

function number(value) {
  const word = Buffer.alloc(32);
  word.writeBigUInt64LE(BigInt(value));
  return word;
}

/** The levels of a tree, the leaves first; their number is a power of two. */
function levels(leaves) {
  const all = [leaves];
  while (all.at(-1).length > 1) {
    const below = all.at(-1);
    all.push(Array.from({ length: below.length / 2 }, (_, i) => sha256(below[2 * i], below[2 * i + 1])));
  }
  return all;
}

const merkleize = (leaves) => levels(leaves).at(-1)[0];
const keyRoot = (key) => sha256(key.subarray(0, 32), chunk(key.subarray(32)));

/** `hash_tree_root` of a header. */
export function rootOf({ slot, proposer, parent, state, body }) {
  const zero = Buffer.alloc(32);
  return merkleize([number(slot), number(proposer), parent, state, body, zero, zero, zero]);
}

const headerJson = ({ slot, proposer, parent, state, body }) => ({
  beacon: {
    slot: String(slot), proposer_index: String(proposer), parent_root: hex(parent), state_root: hex(state), body_root: hex(body),
  },
});

// ---------------------------------------------------------------- Committees

const bytesOf = (scalar) => Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
const publicKey = (scalar) => Buffer.from(bls.longSignatures.getPublicKey(bytesOf(scalar)).toBytes());

/** A sync committee whose keys anybody can compute: for an example only. One key has two of the seats. */
export class SyncCommittee {
  #sum;

  constructor(name) {
    const seat = (i) => BigInt(hex(sha256(Buffer.from(`example seat ${i % (SEATS - 1)} of ${name}`)))) % ORDER;
    const secrets = Array.from({ length: SEATS }, (_, i) => seat(i));
    this.#sum = secrets.reduce((sum, secret) => (sum + secret) % ORDER);
    this.keys = secrets.map(publicKey);
    this.aggregate = publicKey(this.#sum);
    this.root = sha256(merkleize(this.keys.map(keyRoot)), keyRoot(this.aggregate));
  }

  /** The signature of all seats, as a `SyncAggregate`. */
  sign(signed) {
    const point = bls.longSignatures.hash(signed, TAG);
    const signature = bls.longSignatures.sign(point, bytesOf(this.#sum));
    return {
      sync_committee_bits: `0x${'ff'.repeat(SEATS / 8)}`,
      sync_committee_signature: hex(bls.longSignatures.Signature.toBytes(signature)),
    };
  }

  json() {
    return { pubkeys: this.keys.map(hex), aggregate_pubkey: hex(this.aggregate) };
  }

  /** As `muster` reads it. */
  file() {
    const members = this.keys.map((key) => ({ public_key: hex(key), weight: 1 }));
    return { scheme: 'bls-bls12-381', members };
  }
}

// ---------------------------------------------------------------- The chain

export class BeaconChain {
  #committees = new Map();
  genesis = sha256(Buffer.from('example validators at genesis'));

  committee(period) {
    if (!this.#committees.has(period)) this.#committees.set(period, new SyncCommittee(`period ${period}`));
    return this.#committees.get(period);
  }

  /** A block, and what a light client reads of its state: here the block of this root is final. */
  block(slot, finalized = sha256(Buffer.from('earlier'))) {
    const period = Math.floor(slot / PERIOD);
    const leaves = Array.from({ length: LEAVES }, (_, i) => sha256(Buffer.from(`leaf ${i} at ${slot}`)));
    const epoch = number(Math.floor(slot / EPOCH));
    leaves[CHECKPOINT] = sha256(epoch, finalized);
    [leaves[CURRENT], leaves[NEXT]] = [this.committee(period).root, this.committee(period + 1).root];
    const tree = levels(leaves);
    const branch = (place) => tree.slice(0, -1).map((level, height) => level[place >> height ^ 1]);
    const some = (what) => sha256(Buffer.from(`${what} of ${slot}`));
    const header = {
      slot, proposer: slot % 100, parent: some('parent'), state: tree.at(-1)[0], body: some('body'),
    };
    return {
      header,
      root: rootOf(header),
      current: branch(CURRENT),
      next: branch(NEXT),
      finality: [epoch, ...branch(CHECKPOINT)],
    };
  }

  /** An update whose signers see this block as final; with the next committee, or without. */
  update(slot, finalized, isNaming, signers = this.committee(Math.floor((slot + 1) / PERIOD))) {
    const block = this.block(slot, finalized.root);
    const fork = sha256(chunk(Buffer.from(VERSION.slice(2), 'hex')), this.genesis);
    const domain = Buffer.concat([SYNC_COMMITTEE, fork.subarray(0, 28)]);
    const next = this.committee(Math.floor(slot / PERIOD) + 1);
    return {
      version: FORK,
      data: {
        attested_header: headerJson(block.header),
        ...(isNaming && { next_sync_committee: next.json(), next_sync_committee_branch: block.next.map(hex) }),
        finalized_header: headerJson(finalized.header),
        finality_branch: block.finality.map(hex),
        sync_aggregate: signers.sign(sha256(block.root, domain)),
        signature_slot: String(slot + 1),
      },
    };
  }
}

// ---------------------------------------------------------------- A node

/** The part of a beacon node's API that is for light clients. Each of its lies is told once; then the truth. */
export class BeaconNode {
  /** Updates that name committees, by period; the latest finality update; blocks by their roots. */
  updates = new Map();
  finality;
  blocks = new Map();
  /** Lies that are still to be told, about updates. */
  lies = [];
  told = [];
  #server;

  constructor(chain) {
    this.chain = chain;
  }

  /** A final block, by which a client may begin. */
  final(slot) {
    const block = this.chain.block(slot);
    this.blocks.set(hex(block.root), block);
    return block;
  }

  /** Listens on a free port; gives its address. */
  async start() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url, 'http://node');
      const [kind, root] = url.pathname.replace('/eth/v1/beacon/light_client/', '').split('/');
      response.setHeader('content-type', 'application/json');
      response.end(this.#answer(kind, root, Number(url.searchParams.get('start_period'))));
    });
    await new Promise((ready) => { this.#server.listen(0, '127.0.0.1', ready); });
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(kind, root, period) {
    switch (kind) {
      case 'updates':
        return this.#update(period);
      case 'finality_update':
        return JSON.stringify(this.finality ?? { code: 404, message: 'no update' });
      case 'bootstrap':
        return JSON.stringify(this.#bootstrap(root));
      default:
        return JSON.stringify({ code: 404, message: 'not found' });
    }
  }

  #update(period) {
    const update = this.updates.get(period);
    if (update === undefined) return '[]';
    const lie = this.lies.shift();
    if (lie) this.told.push(lie);
    const signers = new SyncCommittee('strangers');
    const answer = lie === 'strangers'
      ? { ...update, data: { ...update.data, sync_aggregate: signers.sign(Buffer.alloc(32)) } }
      : update;
    const text = JSON.stringify([answer]);
    return lie === 'half an answer' ? text.slice(0, text.length / 2) : text;
  }

  #bootstrap(root) {
    const block = this.blocks.get(root);
    if (block === undefined) return { code: 404, message: 'no such block' };
    return {
      version: FORK,
      data: {
        header: headerJson(block.header),
        current_sync_committee: this.chain.committee(Math.floor(block.header.slot / PERIOD)).json(),
        current_sync_committee_branch: block.current.map(hex),
      },
    };
  }
}
