// A chain of CometBFT that the example makes itself: validators whose keys anybody can compute, blocks that they sign, an
// application that keeps messages, and a node that answers for it, sometimes with a lie.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { createServer } from 'node:http';

const CHAIN = 'muster-example-1';
const PARTS = { total: 1, hash: createHash('sha256').update('parts').digest() };
const POWER = 10;
/** Depth of the tree of messages, as `AppReceiver` has it. */
const DEPTH = 8;
/** PKCS #8 of a key of Ed25519, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const FOR_THE_BLOCK = 2;

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const upper = (bytes) => bytes.toString('hex').toUpperCase();

// ---------------------------------------------------------------- Protobuf

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

const number = (field, value) =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([field << 3]), varint(value)]);
const bytes = (field, content) => Buffer.concat([Buffer.from([field << 3 | 2]), varint(content.length), content]);
const given = (field, content) => (content.length === 0 ? content : bytes(field, content));

function fixed(field, value) {
  const word = Buffer.alloc(9, field << 3 | 1);
  word.writeBigUInt64LE(BigInt(value), 1);
  return value === 0 ? Buffer.alloc(0) : word;
}

const timeBytes = (seconds) => number(1, seconds);
const timeText = (seconds) => new Date(1000 * seconds).toISOString().replace('.000', '');
const blockId = ({ hash, parts }) =>
  Buffer.concat([given(1, hash), bytes(2, Buffer.concat([number(1, parts.total), given(2, parts.hash)]))]);

// ---------------------------------------------------------------- Trees

/** RFC 6962, section 2.1. */
function rfc6962(leaves) {
  if (leaves.length === 1) return sha256(Buffer.from([0]), leaves[0]);
  let half = 1;
  while (2 * half < leaves.length) half *= 2;
  return sha256(Buffer.from([1]), rfc6962(leaves.slice(0, half)), rfc6962(leaves.slice(half)));
}

/** The levels of the tree of messages, the leaves first. */
function levels(messages) {
  const leaf = (text, sequence) => {
    const at = Buffer.alloc(9);
    at.writeBigUInt64BE(BigInt(sequence), 1);
    return sha256(at, Buffer.from(text));
  };
  const all = [Array.from({ length: 2 ** DEPTH }, () => Buffer.alloc(32))];
  messages.forEach((text, sequence) => { all[0][sequence] = leaf(text, sequence); });
  for (let level = 0; level < DEPTH; level += 1) {
    const half = Array.from({ length: all[level].length / 2 }, (_, i) =>
      sha256(Buffer.from([1]), all[level][2 * i], all[level][2 * i + 1]));
    all.push(half);
  }
  return all;
}

// ---------------------------------------------------------------- Validators

/** A validator whose key anybody can compute: for an example only. */
export class Validator {
  #secret;

  constructor(name) {
    const seed = sha256(Buffer.from(`example validator ${name}`));
    this.#secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.key = createPublicKey(this.#secret).export({ format: 'der', type: 'spki' }).subarray(-32);
    this.address = sha256(this.key).subarray(0, 20);
  }

  /** Its entry in a commit: a precommit with a time of its own. */
  sign({ height, id, time }) {
    const vote = Buffer.concat([
      number(1, 2), fixed(2, height), bytes(4, blockId(id)), bytes(5, timeBytes(time)), bytes(6, Buffer.from(CHAIN)),
    ]);
    return {
      block_id_flag: FOR_THE_BLOCK,
      validator_address: upper(this.address),
      timestamp: timeText(time),
      signature: sign(null, bytes(0, vote).subarray(1), this.#secret).toString('base64'),
    };
  }

  json() {
    return {
      address: upper(this.address),
      pub_key: { type: 'tendermint/PubKeyEd25519', value: this.key.toString('base64') },
      voting_power: String(POWER),
      proposer_priority: '0',
    };
  }
}

/** `ValidatorSet.Hash`. */
const validatorsHash = (set) =>
  rfc6962(set.map(({ key }) => Buffer.concat([bytes(1, bytes(1, key)), number(2, POWER)])));

// ---------------------------------------------------------------- The chain

/** The chain. Each block is signed by all its validators. */
export class CometBftChain {
  /** Blocks by height, from 1 on. */
  blocks = [];
  #messages = [];
  #now;

  /** @param now gives seconds of Unix time. */
  constructor(validators, now) {
    this.validators = validators;
    this.#now = now;
    this.block([], validators);
  }

  get height() {
    return this.blocks.length;
  }

  /** A block with messages, after which these validators are in office. Messages are in the state that the next header has. */
  block(messages, next = this.validators) {
    this.blocks.push(this.#blockOf(this.validators, next));
    this.#messages = [...this.#messages, ...messages];
    this.validators = next;
  }

  /** The same height as strangers would have it, signed by themselves. */
  forged(height, strangers) {
    return this.#blockOf(strangers, strangers, this.blocks[height - 1]);
  }

  /** What a node has after a fork: the same blocks but for the last one, in whose place these signed another. */
  fork(signers) {
    const last = this.blocks.at(-1);
    const like = { ...last, messages: [...last.messages, 'release all tokens to eve'] };
    return { blocks: [...this.blocks.slice(0, -1), this.#blockOf(signers, signers, like)], height: this.height };
  }

  #blockOf(validators, next, like) {
    const height = like?.height ?? this.height + 1;
    const last = this.blocks[height - 2];
    // Later than the last block, and not later than now.
    const time = like?.time ?? Math.max(this.#now() - 1, (last?.time ?? 0) + 1);
    const hash = (text) => sha256(Buffer.from(text));
    const messages = like?.messages ?? this.#messages;
    const header = {
      version: { block: '11', app: '1' },
      chain_id: CHAIN,
      height: String(height),
      time: timeText(time),
      last_block_id: last ? idJson(last.id) : { hash: '', parts: { total: 0, hash: '' } },
      last_commit_hash: upper(hash(`commit ${height}`)),
      data_hash: upper(hash(`data ${height}`)),
      validators_hash: upper(validatorsHash(validators)),
      next_validators_hash: upper(validatorsHash(next)),
      consensus_hash: upper(hash('consensus')),
      app_hash: upper(levels(messages).at(-1)[0]),
      last_results_hash: upper(hash('results')),
      evidence_hash: upper(hash('evidence')),
      proposer_address: upper(validators[0].address),
    };
    const id = { hash: headerHash(header, time, last?.id), parts: PARTS };
    const signatures = validators.map((one) => one.sign({ height, id, time }));
    return { height, time, header, id, signatures, validators, messages };
  }
}

const idJson = ({ hash, parts }) => ({ hash: upper(hash), parts: { total: parts.total, hash: upper(parts.hash) } });

/** `Header.Hash`. */
function headerHash(header, time, last) {
  const hex = (text) => given(1, Buffer.from(text, 'hex'));
  const none = { hash: Buffer.alloc(0), parts: { total: 0, hash: Buffer.alloc(0) } };
  return rfc6962([
    Buffer.concat([number(1, Number(header.version.block)), number(2, Number(header.version.app))]),
    bytes(1, Buffer.from(header.chain_id)),
    number(1, Number(header.height)),
    timeBytes(time),
    blockId(last ?? none),
    hex(header.last_commit_hash), hex(header.data_hash), hex(header.validators_hash), hex(header.next_validators_hash),
    hex(header.consensus_hash), hex(header.app_hash), hex(header.last_results_hash), hex(header.evidence_hash),
    hex(header.proposer_address),
  ]);
}

/** A header as `CometBftClient` takes it, for cast. */
export function headerTuple({ header, time }) {
  const last = header.last_block_id;
  const hashes = [
    'last_commit_hash', 'data_hash', 'validators_hash', 'next_validators_hash', 'consensus_hash', 'app_hash',
    'last_results_hash', 'evidence_hash', 'proposer_address',
  ].map((field) => `0x${header[field].toLowerCase()}`);
  const id = `(0x${last.hash.toLowerCase()},${last.parts.total},0x${last.parts.hash.toLowerCase()})`;
  const name = `0x${Buffer.from(header.chain_id).toString('hex')}`;
  const { version: { block, app }, height } = header;
  return `(${block},${app},${name},${height},(${time},0),${id},[${hashes.join(',')}])`;
}

// ---------------------------------------------------------------- A node

/**
 * A node that answers as CometBFT's does, for headers and for messages. Each of its lies is told once; then the truth.
 * Those about blocks are about the newest one.
 */
export class Node {
  /** Lies that are still to be told, by name. */
  lies = [];
  /** Those that were told. */
  told = [];
  #server;

  constructor(chain, strangers) {
    Object.assign(this, { chain, strangers });
  }

  /** Listens on a free port; gives its address. */
  async start() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url, 'http://node');
      response.setHeader('content-type', 'application/json');
      response.end(this.#answer(url.pathname.slice(1), Object.fromEntries(url.searchParams)));
    });
    await new Promise((ready) => { this.#server.listen(0, '127.0.0.1', ready); });
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The next lie, if it is one of these. One answer has one lie at most. */
  #lie(...names) {
    if (!names.includes(this.lies[0])) return undefined;
    const lie = this.lies.shift();
    this.told.push(lie);
    return lie;
  }

  #answer(path, { height, data }) {
    const result = (value) => JSON.stringify({ jsonrpc: '2.0', id: -1, result: value });
    const asked = Number(height);
    switch (path) {
      case 'status':
        return result({ sync_info: { latest_block_height: String(this.chain.height) } });
      case 'commit':
        return this.#commit(asked, result);
      case 'validators':
        return result(this.#validators(asked));
      case 'abci_query':
        return result({ response: this.#query(Number(data), asked) });
      default:
        return JSON.stringify({ jsonrpc: '2.0', id: -1, error: { code: -32601, message: 'Method not found', data: path } });
    }
  }

  #commit(height, result) {
    // The first block is the one that a client trusts.
    const isNew = height > 1 && height === this.chain.height;
    const lie = isNew && this.#lie('strangers', 'app hash', 'signature', 'half an answer');
    this.forged = lie === 'strangers' ? this.chain.forged(height, this.strangers) : undefined;
    const block = this.forged ?? this.chain.blocks[height - 1];
    const header = { ...block.header };
    const signatures = block.signatures.map((one) => ({ ...one }));
    if (lie === 'app hash') header.app_hash = upper(sha256(Buffer.from('another state')));
    if (lie === 'signature') signatures[1].signature = signatures[0].signature;
    const commit = { height: String(height), round: 0, block_id: idJson(block.id), signatures };
    const text = result({ signed_header: { header, commit }, canonical: true });
    return lie === 'half an answer' ? text.slice(0, text.length / 2) : text;
  }

  #validators(height) {
    const { validators } = this.forged ?? this.chain.blocks[height - 1];
    const count = String(validators.length);
    return { block_height: String(height), validators: validators.map((one) => one.json()), count, total: count };
  }

  /** A message in the state after the block at this height, with its path. */
  #query(sequence, height) {
    const { messages } = this.chain.blocks[height];
    if (sequence >= messages.length) return { code: 1, log: 'no such message', value: null };
    const tree = levels(messages);
    const path = Array.from({ length: DEPTH }, (_, level) => tree[level][sequence >> level ^ 1]);
    const payload = this.#lie('payload') ? 'release all tokens to eve' : messages[sequence];
    const data = Buffer.concat(path).toString('base64');
    return { code: 0, value: Buffer.from(payload).toString('base64'), proofOps: { ops: [{ type: 'example:path', data }] } };
  }
}
