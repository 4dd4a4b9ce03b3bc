// Keys of one setup: only their proofs share a pairing.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { join } from 'node:path';

import { musterWith } from './programs.mjs';

/** Makes keys by these commands of muster, from an SRS that is made in the empty folder `srs`: whoever makes one alone can forge. */
export function makeKeys(srs, commands) {
  const muster = musterWith(srs);
  const degrees = commands.map((command) => degreeOf(srs, command));
  const largest = Math.max(...degrees);
  const { file } = muster('srs', 'make', '--degree', largest, '--insecure-srs');
  const smaller = [...new Set(degrees)].filter((degree) => degree < largest);
  // Left to itself, muster would make another one for keys that take fewer powers.
  smaller.forEach((degree) => muster('srs', 'import', file, '--degree', degree));
  commands.forEach((command) => muster(...command, '--insecure-srs'));
}

/** How many powers the keys take, as a power of two: muster says so where there is no SRS. */
function degreeOf(srs, command) {
  try {
    musterWith(join(srs, 'none'))(...command);
  } catch ({ message }) {
    const said = message.match(/no SRS for k = (\d+)/);
    if (said) return Number(said[1]);
    throw new Error(message);
  }
  throw new Error(`muster ${command[0]} needs no SRS`);
}
