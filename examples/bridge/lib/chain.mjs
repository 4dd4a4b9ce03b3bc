// A local chain, and what one does with a chain: deploy, send, read, be refused.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cast, castRefused, fromNpm } from './programs.mjs';

/** How long anvil may take to start, and how often to look. */
const START_MS = 30_000;
const POLL_MS = 50;
const OUT = new URL('../../../contracts/out/', import.meta.url);

/** Starts anvil on a port that is free, its log in a file: nobody empties a pipe while muster runs. */
async function startAnvil(log) {
  const file = openSync(log, 'w');
  const anvil = spawn(fromNpm('anvil'), ['--port', '0'], { stdio: ['ignore', file, file] });
  closeSync(file);
  let failure;
  anvil.on('error', (error) => { failure = error.message; });
  anvil.on('exit', () => { failure ??= 'it ended'; });
  for (let waited = 0; waited < START_MS && failure === undefined; waited += POLL_MS) {
    const listening = readFileSync(log, 'utf8').match(/^Listening on (\S+)$/m);
    if (listening) return { url: `http://${listening[1]}`, stop: () => anvil.kill() };
    await sleep(POLL_MS);
  }
  anvil.kill();
  throw new Error(`anvil does not listen: ${failure ?? 'too slow'}\n${readFileSync(log, 'utf8')}`);
}

/** Tells a story in a new folder and on a new chain, both of which are gone when it ends, whatever ends it. A surprise is exit status 1. */
export async function onLocalChain(name, story) {
  const dir = mkdtempSync(join(tmpdir(), `muster-${name}-`));
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
}

/** A chain by the address of its node, with the node's first account as the sender of whatever has no other. */
export class Chain {
  #rpc;
  /** The account that sends what has no other sender. */
  from;

  constructor(url) {
    /** Address of the node. */
    this.url = url;
    this.#rpc = ['--rpc-url', url];
    const [sender, guardian] = JSON.parse(cast('rpc', 'eth_accounts', ...this.#rpc));
    this.from = sender;
    /** Another account. */
    this.guardian = guardian;
  }

  /** Number of the chain. */
  id() {
    return cast('chain-id', ...this.#rpc);
  }

  /** Seconds of Unix time at the last block. */
  time() {
    return Number(cast('block', 'latest', '--field', 'timestamp', ...this.#rpc));
  }

  /** Lets seconds go by. */
  wait(seconds) {
    cast('rpc', 'evm_increaseTime', seconds, ...this.#rpc);
    cast('rpc', 'evm_mine', ...this.#rpc);
  }

  /** Deploys a contract that forge compiled, with the arguments of its constructor. */
  deploy(name, types = '()', ...args) {
    const artifact = JSON.parse(readFileSync(new URL(`${name}.sol/${name}.json`, OUT), 'utf8'));
    const encoded = cast('abi-encode', `constructor${types}`, ...args);
    const receipt = this.#send(this.from, '--create', artifact.bytecode.object + encoded.slice(2));
    return { address: receipt.contractAddress, gas: Number(receipt.gasUsed) };
  }

  /** Sends a transaction that must succeed; gives its gas. */
  send(to, calldata, from = this.from) {
    return Number(this.#send(from, to, calldata).gasUsed);
  }

  /** The error by which a contract refuses a call that must not succeed. */
  refusal(to, calldata, errors) {
    const said = castRefused('call', to, '--data', calldata, '--from', this.from, ...this.#rpc);
    const known = errors.find((error) => said.includes(cast('sig', error).slice(2)));
    if (!known) throw new Error(`refused, but not for ${errors}: ${said}`);
    return known.replace(/\(.*/, '');
  }

  /** Reads from a contract. */
  read(to, signature, ...args) {
    return cast('call', to, signature, ...args, ...this.#rpc);
  }

  /** A transaction, in JSON. */
  transaction(hash) {
    return cast('tx', hash, '--json', ...this.#rpc);
  }

  /** All logs of an event, in order. */
  logs(address, event) {
    const all = ['--json', '--from-block', 0, '--to-block', 'latest'];
    return JSON.parse(cast('logs', ...all, '--address', address, event, ...this.#rpc));
  }

  #send(from, ...what) {
    const account = ['--from', from, '--unlocked'];
    const receipt = JSON.parse(cast('send', '--json', ...account, ...this.#rpc, ...what));
    if (receipt.status !== '0x1') throw new Error(`transaction ${receipt.transactionHash} failed`);
    return receipt;
  }
}
