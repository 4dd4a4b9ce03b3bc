"""What the decider of a circuit costs: python3 measure.py KEY..., with keys of the kind `fast`.

For each stride that some number of packs comes down to, with the polynomials of a round packed by how many
rotations they have.
"""

import math
import sys

import compact
import verify
from decider import PLACES, Decider


def packed(key, T):
    """The packs of a compact key of the same circuit."""
    packs = []
    for number in range(3):
        names = [name for name in key.arrangement.polynomials if compact.ROUND.get(name[0]) == number]
        names.sort(key=lambda name: len(key.arrangement.polynomials[name]))
        for start in range(0, len(names), T):
            each = names[start:start + T]
            rotations = {rotation for name in each for rotation in key.arrangement.polynomials[name]}
            if len({rotation % key.n for rotation in rotations}) < len(rotations):
                return None
            packs.append(compact.Pack(number, each, sorted(rotations)))
    return packs


def main(paths):
    print("packs stride rotations values needed nodes rows public k_2 bytes powers gas")
    for path in paths:
        key = verify.read_key(verify.read_file(path))
        print(f"{path}: 2^{key.k} rows, {key.advice} + {key.fixed} columns, {len(key.copied)} copied, "
              f"{key.n - key.usable} random rows")
        before = None
        for T in range(4, 257):
            key.T, key.packs = T, packed(key, T)
            if key.packs is None or len(key.packs) > 8 or len(key.packs) == before:
                continue
            before = len(key.packs)
            decider = Decider(key)
            rotations = {rotation for pack in key.packs for rotation in pack.rotations}
            values = decider.layout()
            points, scalars = compact.counts(key)
            powers = max(T * (key.n + 4), 4 * key.n, PLACES * (decider.n + 4))
            # The packs, five of the decider, [1], and u·W′, ρ·W₂, ρ·u₂·W₂′, ρ·W₂′; a word and an inversion about 300 each.
            gas = 113_000 + 6_250 * (before + 1 + 5 + 1 + 4) + 22_000
            print(f"{before} {T} {len(rotations)} {len(values)} {len(verify.opened(key))} {len(key.nodes)} "
                  f"{len(decider.rows)} {len(decider.publics)} {decider.k} {64 * points + 32 * scalars} "
                  f"2^{math.log2(powers):.1f} {gas // 1000}k")


if __name__ == "__main__":
    main(sys.argv[1:])
