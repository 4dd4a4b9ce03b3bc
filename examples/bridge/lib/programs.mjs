// Running muster and cast. A program that fails where it should not stops the example with what it said.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A program from npm, or else the one of that name on the PATH. */
export function fromNpm(name) {
  const local = here(`../node_modules/.bin/${name}`);
  return existsSync(local) ? local : name;
}

/** Runs a program to its end. */
function run(program, args, env = {}) {
  const words = args.map(String);
  const result = spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (result.error) throw new Error(`${program}: ${result.error.message}`);
  return result;
}

/** What a program that must succeed prints. */
function output(program, args, env) {
  const { status, stdout, stderr } = run(program, args, env);
  if (status !== 0) {
    throw Object.assign(new Error(`${program} ${args[0]} failed:\n${stderr}${stdout}`), { status });
  }
  return stdout.trim();
}

/** muster with its SRS kept in `srs`; gives the one object that it prints. */
export function musterWith(srs) {
  const program = process.env.MUSTER ?? here('../../../target/release/muster');
  return (...args) =>
    JSON.parse(output(program, [...args, '--json'], { MUSTER_PARAMS: srs }));
}

/** cast; gives what it prints. */
export const cast = (...args) => output(fromNpm('cast'), args);

/** cast, when it is to fail; gives what it says of the reason. */
export function castRefused(...args) {
  const { status, stdout, stderr } = run(fromNpm('cast'), args);
  if (status === 0) throw new Error(`cast ${args[0]} succeeded: ${stdout}`);
  return stderr;
}
