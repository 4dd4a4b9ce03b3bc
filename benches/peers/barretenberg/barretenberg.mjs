// Barretenberg's executable, which the npm package carries.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { acceptOwnSrs, makeSrs } from './srs.mjs';

// Keccak transcript and zero knowledge: the proofs that a Solidity verifier takes.
const TARGET = 'evm';

const GNU_TIME = '/usr/bin/time';

const library = join(createRequire(import.meta.url).resolve('@aztec/bb.js'), '..', '..', '..');
const original = () => {
  const processor = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const system = { linux: 'linux', darwin: 'macos' }[process.platform];
  return join(library, 'build', `${processor}-${system}`, 'bb');
};

/** Points of an SRS for so many gates, with room for the rows that the proof system adds. */
function pointsFor(gates) {
  return 2 ** Math.ceil(Math.log2(gates + 4096)) + 1;
}

/** The last line of what bb says, but its pointer to --help. */
function complaint(stderr) {
  const lines = stderr.trim().split('\n');
  return lines.filter((line) => !line.startsWith('Run with')).at(-1);
}

const seconds = (since) => (performance.now() - since) / 1000;

/** `bb` as a process of its own for each step, as its users run it. */
export class Barretenberg {
  constructor({ program, folder, threads, srs }) {
    if (!existsSync(GNU_TIME)) throw new Error(`${GNU_TIME} is missing: it measures bb's memory`);
    // Some releases ask for a newer C library than the machine has.
    if (spawnSync(original(), ['--version']).status !== 0) {
      throw new Error(`${original()} does not start here`);
    }
    this.folder = folder;
    this.threads = threads;
    this.circuit = join(folder, 'circuit.json');
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.circuit, JSON.stringify(program));
    this.executable = original();
    this.gates = this.#gates();
    if (srs) {
      this.srs = srs;
    } else {
      this.srs = join(folder, '..', 'srs');
      makeSrs(this.srs, pointsFor(this.gates));
      this.executable = join(folder, 'bb');
      acceptOwnSrs(original(), this.executable);
    }
  }

  #file(name) {
    return join(this.folder, name);
  }

  #run(words) {
    const env = { ...process.env, HARDWARE_CONCURRENCY: String(this.threads) };
    const usage = this.#file('usage');
    const measured = ['-f', '%U %S %M', '-o', usage, this.executable, ...words];
    const start = performance.now();
    const child = spawnSync(GNU_TIME, measured, { env, encoding: 'utf8' });
    const wall = seconds(start);
    // An exit that is not 0 puts a line of its own before the figures.
    const last = readFileSync(usage, 'utf8').trim().split('\n').at(-1);
    const [user, system, kibibytes] = last.split(' ').map(Number);
    const { status, stdout, stderr } = child;
    return { status, stdout, stderr, wall, cpu: user + system, peak: kibibytes * 1024 };
  }

  #must(words) {
    const done = this.#run(words);
    if (done.status !== 0) {
      throw new Error(`bb ${words[0]}: ${complaint(done.stderr)}`);
    }
    return done;
  }

  #gates() {
    const { stdout } = this.#must(['gates', '-b', this.circuit, '-t', TARGET]);
    return JSON.parse(stdout).functions[0].circuit_size;
  }

  keygen() {
    const words = ['write_vk', '-b', this.circuit, '-o', this.folder];
    return this.#must([...words, '-t', TARGET, '-c', this.srs]).wall;
  }

  prove(witness) {
    writeFileSync(this.#file('witness.gz'), witness);
    const words = ['prove', '-b', this.circuit, '-w', this.#file('witness.gz')];
    const key = ['-k', this.#file('vk'), '-o', this.folder];
    const { wall, cpu, peak } = this.#must([...words, ...key, '-t', TARGET, '-c', this.srs]);
    return {
      wall,
      cpu,
      peak,
      proof: readFileSync(this.#file('proof')),
      publicInputs: readFileSync(this.#file('public_inputs')),
    };
  }

  verify({ proof, publicInputs }) {
    writeFileSync(this.#file('proof'), proof);
    writeFileSync(this.#file('public_inputs'), publicInputs);
    const files = ['-p', this.#file('proof'), '-i', this.#file('public_inputs')];
    const words = ['verify', ...files, '-k', this.#file('vk')];
    const { status, stderr, wall } = this.#run([...words, '-t', TARGET, '-c', this.srs]);
    // It ends with 1 for a false proof and for a file that it cannot read alike.
    if (status !== 0 && !stderr.includes('verification failed')) {
      throw new Error(`bb verify: ${complaint(stderr)}`);
    }
    return { valid: status === 0, wall };
  }
}
