"""What the decider of a circuit costs: python3 measure.py KEY..., with keys of the kind `fast`.

For some numbers of packs of the three rounds, each with the least stride that a greedy choice finds.
"""

import math
import sys

import compact
import fast
import verify
from decider import PLACES, Decider


def packed(key, T, counts):
    """The packs of a compact key of the same circuit, so many of each round and with few values, or None.

    Groups are merged where that adds the fewest values. It is a greedy choice; a key's maker may find a better one."""
    packs = []
    for number, most in enumerate(counts):
        names = [name for name in key.arrangement.polynomials if compact.ROUND.get(name[0]) == number]
        groups = [([name], frozenset(key.arrangement.polynomials[name])) for name in names]
        while len(groups) > most:
            best = None
            for i, (one, rotations) in enumerate(groups):
                for other, more in groups[i + 1:]:
                    if len(one) + len(other) <= T:
                        union = rotations | more
                        added = (len(one) + len(other)) * len(union) - len(one) * len(rotations) - len(other) * len(more)
                        if best is None or added < best[0]:
                            best = added, (one, rotations), (other, more), (one + other, union)
            if best is None:
                return None
            _, one, other, both = best
            groups.remove(one)
            groups.remove(other)
            groups.append(both)
        for names, rotations in groups:
            if len({rotation % key.n for rotation in rotations}) < len(rotations):
                return None
            packs.append(compact.Pack(number, names, sorted(rotations)))
    return packs


def main(paths):
    print("packs stride rotations values needed nodes rows public k_2 bytes powers gas")
    for path in paths:
        key = fast.read_key(verify.read_file(path))
        print(f"{path}: 2^{key.k} rows, {key.advice} + {key.fixed} columns, {len(key.copied)} copied, "
              f"{key.n - key.usable} random rows")
        for counts in (1, 1, 1), (2, 1, 1), (2, 2, 1), (3, 2, 1), (2, 3, 1), (3, 3, 2):
            # The least stride for which these counts can be had.
            key.T, key.packs = 3, None
            while key.packs is None and key.T < 256:
                key.T += 1
                key.packs = packed(key, key.T, counts)
            if key.packs is None:
                continue
            decider = Decider(key)
            rotations = {rotation for pack in key.packs for rotation in pack.rotations}
            values = decider.layout()
            points, scalars = compact.counts(key)
            powers = max(key.T * (key.n + 4), 4 * key.n, PLACES * (decider.n + 4))
            # The packs, five of the decider, [1], and u·W′, ρ·W₂, ρ·u₂·W₂′, ρ·W₂′; a word and an inversion about 300 each.
            gas = 113_000 + 6_250 * (len(key.packs) + 1 + 5 + 1 + 4) + 22_000
            print(f"{len(key.packs)} {key.T} {len(rotations)} {len(values)} {len(fast.opened(key))} {len(key.nodes)} "
                  f"{len(decider.rows)} {len(decider.publics)} {decider.k} {64 * points + 32 * scalars} "
                  f"2^{math.log2(powers):.1f} {gas // 1000}k")


if __name__ == "__main__":
    main(sys.argv[1:])
