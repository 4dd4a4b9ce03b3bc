// A relayer that is killed at random and started again.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { fromNpm } from './programs.mjs';

const POLL_MS = 200;
/** When nothing has happened for so long, something is wrong. */
const PATIENCE_MS = 900_000;
/** The shortest life of a relayer. */
const YOUTH_MS = 500;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = process.env.RELAYER ?? here('../../../target/release/bridge-relayer');
export const MUSTER = process.env.MUSTER ?? here('../../../target/release/muster');

/** The relayer in a process of its own, with all that it starts in one group, so that they die together. */
export class Relayer {
  #network;
  #config;
  #log;
  #srs;
  #child;
  #isAlive = false;
  kills = 0;

  constructor(dir, network, { chain, srs, ...config }) {
    this.#network = network;
    this.#config = join(dir, 'relayer.json');
    this.#log = join(dir, 'relayer.log');
    this.#srs = srs;
    const [from, account] = [chain.from, ['--from', chain.from, '--unlocked']];
    const programs = { muster: MUSTER, cast: fromNpm('cast') };
    const all = { chain: chain.url, from, account, work: join(dir, 'work'), ...programs, ...config };
    writeFileSync(this.#config, JSON.stringify(all));
    writeFileSync(this.#log, '');
  }

  start() {
    // Whatever ends the example ends it, too.
    if (this.#child === undefined) process.on('exit', () => this.kill());
    const log = openSync(this.#log, 'a');
    const env = { ...process.env, MUSTER_PARAMS: this.#srs };
    const options = { stdio: ['ignore', log, log], detached: true, env };
    const child = spawn(PROGRAM, [this.#network, this.#config], options);
    closeSync(log);
    [this.#child, this.#isAlive] = [child, true];
    child.on('error', (error) => { this.failure = error.message; });
    child.on('exit', (_, signal) => {
      if (child === this.#child) this.#isAlive = false;
      if (signal !== 'SIGKILL') this.failure ??= 'it ended';
    });
  }

  /** Without a warning, at whatever it is doing. */
  kill() {
    if (!this.#isAlive || this.#child.pid === undefined) return;
    this.#isAlive = false;
    process.kill(-this.#child.pid, 'SIGKILL');
  }

  said() {
    return readFileSync(this.#log, 'utf8');
  }

  /** Kills it so often, each time when it has lived for at most so many seconds, and starts it again. */
  async haunt(kills, seconds) {
    while (this.kills < kills && !this.isOver) {
      await sleep(YOUTH_MS + Math.random() * 1000 * seconds);
      if (this.isOver) return;
      this.kill();
      this.kills += 1;
      console.log(`    the relayer is killed (${this.kills})`);
      this.start();
    }
  }

  /** For good. Its log goes where `RELAYER_LOG` says. */
  end() {
    this.isOver = true;
    this.kill();
    if (process.env.RELAYER_LOG) copyFileSync(this.#log, process.env.RELAYER_LOG);
  }

  /** Waits until something is so, for as long as it lives. */
  async until(what, isSo) {
    for (const begin = Date.now(); !isSo(); await sleep(POLL_MS)) {
      if (this.failure) throw new Error(`the relayer: ${this.failure}\n${this.said()}`);
      if (Date.now() - begin > PATIENCE_MS) throw new Error(`still not: ${what}\n${this.said()}`);
    }
  }

  /** The gas of the steps whose lines have this in it, in words. */
  gas(what) {
    const lines = this.said().split('\n').filter((line) => line.includes(what));
    const found = lines.map((line) => Number(line.match(/, (\d+) gas$/)?.[1])).filter((gas) => gas > 0);
    const [least, most] = [Math.min(...found), Math.max(...found)].map((gas) => gas.toLocaleString('en'));
    return found.length === 0 ? 'none' : `${least} to ${most}`;
  }
}
