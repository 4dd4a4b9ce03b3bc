// A local chain, in anvil.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { FOLDER } from './vectors.js';

const LOCAL = fileURLToPath(new URL('node_modules/.bin/anvil', FOLDER));
const PROGRAM = existsSync(LOCAL) ? LOCAL : 'anvil';

/** How to have it where it is missing. */
export const INSTALL = 'npm ci brings it on Linux (x86-64) and macOS (arm64), Foundry elsewhere';

export const hasAnvil = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0;

/** Starts it on a port that is free. */
export async function startAnvil(): Promise<{ url: string; stop: () => Promise<void> }> {
  const anvil = spawn(PROGRAM, ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(anvil, 'exit');
  const stop = async (): Promise<void> => {
    anvil.kill();
    await ended;
  };
  const lines = createInterface({ input: anvil.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = line.match(/^Listening on (\S+)$/);
      if (found) resolve(`http://${found[1]}`);
    });
    lines.on('close', () => reject(new Error('anvil ended before it listened')));
  });
  return { url, stop };
}
