// What N ECDSA signatures on secp256k1 cost in UltraHonk: see README.md.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Noir, acvm } from '@noir-lang/noir_js';
import { compile, createFileManager } from '@noir-lang/noir_wasm';

import { Barretenberg } from './barretenberg.mjs';
import { inputs, negated, signer } from './sample.mjs';

const HELP = `What N ECDSA signatures on secp256k1 cost in UltraHonk (Noir, Barretenberg).

usage: node index.mjs [options]

  --signatures 1,4,13   signatures in a proof, one case each
  --runs 3              proofs per case; the figures are medians
  --threads 2           threads of the prover
  --srs FOLDER          Aztec's own SRS, as bb keeps it in ~/.bb-crs; without it an insecure one
                        is made, and bb runs as a copy that accepts it
  --json                one JSON object instead of the table
  --help                this text

examples:
  node index.mjs
  node index.mjs --signatures 1 --runs 1
  taskset -c 0,1 node index.mjs --threads 2 --json > barretenberg.json

Exit status: 0, or 2 with one line that says what is wrong.`;

const OPTIONS = {
  signatures: { type: 'string', default: '1,4,13' },
  runs: { type: 'string', default: '3' },
  threads: { type: 'string', default: '2' },
  srs: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const MOST_SIGNATURES = 64;

const here = fileURLToPath(new URL('.', import.meta.url));

function wholeNumber(name, text, most) {
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (!(value >= 1 && value <= most)) {
    throw new Error(`--${name}: '${text}' is not a number from 1 to ${most}`);
  }
  return value;
}

function options(words) {
  const { values } = parseArgs({ args: words, options: OPTIONS, allowPositionals: false });
  const counts = values.signatures.split(',');
  if (values.srs !== undefined && !statSync(values.srs, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`--srs: '${values.srs}' is not a folder`);
  }
  return {
    ...values,
    counts: counts.map((text) => wholeNumber('signatures', text, MOST_SIGNATURES)),
    runs: wholeNumber('runs', values.runs, 1000),
    threads: wholeNumber('threads', values.threads, 1024),
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function version(name) {
  return JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'))).version;
}

async function compiled(count, folder) {
  const source = join(folder, 'noir');
  mkdirSync(join(source, 'src'), { recursive: true });
  const original = readFileSync(join(here, 'ecdsa', 'src', 'main.nr'), 'utf8');
  const sized = original.replace(/(SIGNATURES: u32 =) \d+;/, `$1 ${count};`);
  writeFileSync(join(source, 'src', 'main.nr'), sized);
  writeFileSync(join(source, 'Nargo.toml'), readFileSync(join(here, 'ecdsa', 'Nargo.toml')));
  // The compiler reports to the console whatever it is told, and stdout is for the result.
  const { log, debug, info } = console;
  const silent = () => {};
  Object.assign(console, { log: silent, debug: silent, info: silent });
  try {
    return (await compile(createFileManager(source), undefined, silent, silent)).program;
  } finally {
    Object.assign(console, { log, debug, info });
  }
}

/** That nothing false gets through: if a circuit accepts anything, its cost says nothing. */
async function refusals(prover, noir, signers, witness, proven) {
  const flipped = (signature) => {
    const other = Buffer.from(signature);
    other[63] ^= 1;
    return other;
  };
  for (const alter of [flipped, negated]) {
    const wrong = signers.with(-1, {
      ...signers.at(-1),
      signature: alter(signers.at(-1).signature),
    });
    const solved = await noir.execute(inputs(wrong)).then(
      () => true,
      () => false,
    );
    if (solved) throw new Error(`a ${alter.name} signature has a witness`);
  }

  // The circuit has to refuse as well, so the same byte is altered past the solver. The inputs are
  // the first witnesses in their order: per signer 96 public bytes and 64 of the signature.
  const map = acvm.decompressWitness(witness);
  const last = 160 * signers.length - 1;
  map.set(last, `0x${(BigInt(map.get(last)) ^ 1n).toString(16).padStart(64, '0')}`);
  const forced = prover.prove(acvm.compressWitness(map));
  if (prover.verify(forced).valid) throw new Error('an altered signature was proven');

  const publicInputs = Buffer.from(proven.publicInputs);
  publicInputs[31] ^= 1;
  if (prover.verify({ ...proven, publicInputs }).valid) {
    throw new Error('a proof verifies with an altered digest');
  }
}

async function measure(count, { runs, threads, srs }) {
  const folder = join(here, 'target', `${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const program = await compiled(count, folder);
    const prover = new Barretenberg({ program, folder, threads, srs });
    const keygen = prover.keygen();
    const noir = new Noir(program);
    await noir.init();
    const signers = Array.from({ length: count }, (_, i) => signer(i));
    const rounds = [];
    let witness;
    let proven;
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      const before = process.cpuUsage();
      ({ witness } = await noir.execute(inputs(signers)));
      const solving = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      proven = prover.prove(witness);
      const checked = prover.verify(proven);
      if (!checked.valid) throw new Error(`${count} signatures: a proof does not verify`);
      rounds.push({
        witness: solving,
        prove: solving + proven.wall,
        cpu: (user + system) / 1e6 + proven.cpu,
        verify: checked.wall,
        peak: proven.peak,
      });
    }
    await refusals(prover, noir, signers, witness, proven);
    const column = (name) => rounds.map((round) => round[name]);
    return {
      peer: 'barretenberg',
      version: version('@aztec/bb.js'),
      statement: `ECDSA secp256k1 x ${count}`,
      count,
      gates: prover.gates,
      keygen_s: keygen,
      witness_s: median(column('witness')),
      prove_s: median(column('prove')),
      prove_cpu_s: median(column('cpu')),
      prove_all_s: column('prove'),
      verify_ms: 1000 * median(column('verify')),
      proof_bytes: proven.proof.length,
      public_input_bytes: proven.publicInputs.length,
      peak_bytes: Math.max(...column('peak')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each case in a process of its own, so that no case's memory counts for the next. */
function measureApart(count, { runs, threads, srs }) {
  const words = ['--json', '--signatures', count, '--runs', runs, '--threads', threads];
  const more = srs ? ['--srs', srs] : [];
  const child = spawnSync(process.execPath, [join(here, 'index.mjs'), ...words, ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.status !== 0) {
    const line = child.stderr.trim().split('\n').at(-1).replace(/^error: /, '');
    throw new Error(line || `${count} signatures: ended by ${child.signal ?? child.status}`);
  }
  return JSON.parse(child.stdout).rows[0];
}

const HEADER = [
  'peer',
  'version',
  'statement',
  'gates',
  'keygen s',
  'witness s',
  'prove s',
  'cpu s',
  'verify ms',
  'proof bytes',
  'peak MiB',
];

function line(row) {
  return [
    row.peer,
    row.version,
    row.statement,
    row.gates,
    row.keygen_s.toFixed(2),
    row.witness_s.toFixed(2),
    row.prove_s.toFixed(2),
    row.prove_cpu_s.toFixed(2),
    row.verify_ms.toFixed(1),
    row.proof_bytes,
    (row.peak_bytes / 2 ** 20).toFixed(0),
  ];
}

function table({ machine, threads, srs, noir, rows }) {
  const cells = (values) => `| ${values.join(' | ')} |`;
  return [
    `${machine.processor}, ${machine.cores} cores, load ${machine.load_at_start} at the start;`,
    `${threads} threads, Noir ${noir}, ${srs} SRS`,
    '',
    cells(HEADER),
    cells(HEADER.map(() => '---')),
    ...rows.map((row) => cells(line(row))),
  ].join('\n');
}

async function main(words) {
  const chosen = options(words);
  if (chosen.help) return HELP;
  const machine = {
    processor: cpus()[0].model,
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    load_at_start: loadavg()[0],
  };
  const [first, ...others] = chosen.counts;
  const rows =
    others.length === 0
      ? [await measure(first, chosen)]
      : chosen.counts.map((count) => measureApart(count, chosen));
  const report = {
    machine,
    threads: chosen.threads,
    srs: chosen.srs ? 'given' : 'insecure',
    noir: version('@noir-lang/noir_wasm'),
    rows,
  };
  return chosen.json ? JSON.stringify(report, null, 2) : table(report);
}

try {
  console.log(await main(process.argv.slice(2)));
} catch (error) {
  console.error(`error: ${String(error.message ?? error).split('\n')[0]}`);
  process.exitCode = 2;
}
