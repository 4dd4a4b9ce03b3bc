// Usage: node packed.mjs FILES THRESHOLD MESSAGE. The example again, from the package as npm would publish it: packed, installed into an empty folder
// without the network, and used there: its client checks the proof, and a contract compiles against its sources.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const contracts = join(here, '../../contracts');
const [files, threshold, message] = process.argv.slice(2);

/** An empty folder with the package alone. */
function install(work) {
  const empty = join(work, 'empty');
  mkdirSync(empty);
  const npm = (...words) => execFileSync('npm', [...words, '--silent'], { cwd: empty, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('pack', '--pack-destination', work, join(contracts, 'package'));
  writeFileSync(join(empty, 'package.json'), '{ "private": true, "type": "module" }\n');
  const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  // viem is the application's to bring, so npm gets nothing else.
  npm('install', '--offline', '--no-audit', '--no-fund', join(work, tarball));
  return empty;
}

/** What an application has besides: viem, and a program for a chain. */
function bring(empty) {
  const from = join(here, 'node_modules');
  for (const name of readdirSync(from)) {
    if (!existsSync(join(empty, 'node_modules', name)) && !name.startsWith('.')) symlinkSync(join(from, name), join(empty, 'node_modules', name));
  }
  mkdirSync(join(empty, 'node_modules/.bin'), { recursive: true });
  if (existsSync(join(from, '.bin/anvil'))) symlinkSync(join(from, '.bin/anvil'), join(empty, 'node_modules/.bin/anvil'));
}

/** Compiles a contract that asks the verifier, with nothing but the package to import from. */
function compile(empty) {
  const solc = createRequire(join(contracts, 'package.json'))('solc');
  const own = `// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;
import {IMusterVerifier} from "@muster-zk/contracts/src/interfaces/IMusterVerifier.sol";
import {MusterStatement} from "@muster-zk/contracts/src/MusterStatement.sol";
contract Own {
    IMusterVerifier public immutable verifier;
    constructor(IMusterVerifier verifier_) { verifier = verifier_; }
    function mustBeSigned(bytes32 key, uint256 root, uint256 threshold, uint256 message, bytes calldata proof) external view {
        require(verifier.verify(key, MusterStatement.ofElement(root, threshold, message), proof), "not signed");
    }
}`;
  const remappings = readFileSync(join(empty, 'node_modules/@muster-zk/contracts/remappings.txt'), 'utf8').trim().split('\n');
  const settings = { remappings, outputSelection: { '*': { Own: ['evm.bytecode.object'] } } };
  const input = { language: 'Solidity', sources: { 'Own.sol': { content: own } }, settings };
  const found = (name) => ({ contents: readFileSync(join(empty, name), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: found }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  return output.contracts['Own.sol'].Own.evm.bytecode.object.length / 2;
}

const work = mkdtempSync(join(tmpdir(), 'muster-packed-'));
try {
  const empty = install(work);
  console.log(`a contract of ${compile(empty)} bytes compiles against the packed sources`);
  bring(empty);
  for (const name of ['chain.mjs', 'check.mjs', 'run.mjs']) copyFileSync(join(here, name), join(empty, name));
  execFileSync(process.execPath, ['run.mjs', resolve(files), threshold, message], { cwd: empty, stdio: 'inherit' });
} finally {
  rmSync(work, { recursive: true, force: true });
}
