"""Tests of compact.py and decider.py: python3 -m unittest, in this folder."""

import functools
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import compact
import compact_prover
import fast
import verify
from compact_prover import key_bytes, key_parts, prove
from decider import PLACES, Decider, Form, Row, solved, unequal
from test_verify import (
    LARGE, LARGE_INPUTS, large_advice, square_advice, square_circuit, with_number, without_pairings,
)
from toy_prover import TAU, Circuit, prove as prove_fast, scalar, trace, u32
from fast import BadKey, H, Refused, inverse, q, r


def commit_columns(T, columns):
    return compact_prover.commit_columns(T, columns, TAU)


def small_circuit():
    return square_circuit(table=True)


SMALL = small_circuit()
# Two packs of round 1, with rotations that not all of their polynomials have.
SMALL_PACKS = [[("fixed", 0), ("sigma", 0), ("fixed", 1), ("sigma", 1)], [("advice", 0), ("advice", 1)], [("m", 0)],
               [("z", 0), ("phi", 0)]]
SMALL_KEY_BYTES = key_bytes(SMALL, 4, packs=SMALL_PACKS)
SMALL_KEY = compact.read_key(SMALL_KEY_BYTES)
SMALL_PROOF, SMALL_UNMET = prove(SMALL, SMALL_KEY, square_advice(), [2])
SMALL_SHORT, _ = prove(SMALL, SMALL_KEY, square_advice(), [2], long=False)


@functools.cache
def large_proof():
    proof, unmet = prove(LARGE, LARGE_KEY, large_advice(), LARGE_INPUTS)
    assert unmet == []
    return proof


def shortened(key, proof):
    """The short encoding of a long proof."""
    points, scalars, _ = offsets(key)
    found = [(at, proof[at:at + 32]) for at in scalars]
    for at in points:
        odd = proof[at + 63] % 2
        found.append((at, bytes([proof[at] | odd << 7]) + proof[at + 1:at + 32]))
    return b"".join(data for _, data in sorted(found))


LARGE_KEY = compact.read_key(key_bytes(LARGE, 9))


def wide_circuit():
    """No tables and no inputs; rotations from −2 to 2, and products of sums, so that forms do not fit."""
    c = Circuit(3, 6, [[1, 0, 1]], advice=3, inputs=0)
    a = [[c.cell("advice", i, rotation) for rotation in (-2, 0, 2)] for i in range(3)]
    total = c.constant(7)
    for cells in a:
        for cell in cells:
            total = c.sum(total, cell)
    square = c.product(total, total)
    c.constraints = [c.product(c.cell("fixed", 0), c.difference(square, c.product(a[0][0], a[1][1])), c.constant(0)),
                     c.difference(c.product(a[0][0], a[1][0]), c.product(a[1][0], a[0][0])),
                     c.product(c.constant(0), total)]
    c.copied, c.copies = [("advice", 0), ("advice", 2)], [(("advice", 0, 1), ("advice", 2, 4))]
    return c


CIRCUITS = {
    "small": (SMALL_KEY, "tables and copies"),
    "large": (LARGE_KEY, "three tables, nine copied columns"),
    "copies": (compact.read_key(key_bytes(square_circuit(), 3)), "copies alone"),
    "lookups": (compact.read_key(key_bytes(square_circuit(copied=False, table=True), 5)), "lookups alone"),
    "wide": (compact.read_key(key_bytes(wide_circuit(), 1)), "stride 1, no inputs"),
}


def random_publics(key, rng):
    """Inputs and challenges; w and R are not yet those of the values."""
    return {name: rng.randrange(r) for name in key.decider.publics}


def random_values(key, rng):
    return {(P, place, rotation): rng.randrange(r) for P, pack in enumerate(key.packs)
            for place in range(len(pack.polynomials)) for rotation in pack.rotations}


def evaluated(key, publics, values):
    """T, the w and R, without a decider: by section 6 and by interpolation."""
    challenge = {name[0]: number for name, number in publics.items() if len(name) == 1}
    inputs = [publics["input", j] for j in range(key.inputs)]
    by_name = {(*pack.polynomials[place], rotation): values[P, place, rotation] for P, pack in enumerate(key.packs)
               for place in range(len(pack.polynomials)) for rotation in pack.rotations}
    T = fast.quotient_value(key, inputs, by_name, challenge)
    x, u, alpha = challenge["x"], challenge["u"], challenge["alpha"]
    w, R, U = [], 0, pow(u, key.T, r)
    for P, pack in enumerate(key.packs):
        points = [x * pow(key.omega, rotation, r) % r for rotation in pack.rotations]
        w.append(pow(alpha, P, r) * inverse(fast.product(U - point for point in points)) % r)
        for place in range(len(pack.polynomials)):
            there = [values[P, place, rotation] for rotation in pack.rotations]
            R += w[P] * pow(u, place, r) * fast.interpolated(points, there, U)
    return T, w, (R + pow(alpha, len(w), r) * inverse(u - x) * T) % r


def consistent(key, seed=1):
    """Public inputs and values that meet the decider."""
    rng = random.Random(seed)
    publics, values = random_publics(key, rng), random_values(key, rng)
    T, w, R = evaluated(key, publics, values)
    publics.update({("w", P): factor for P, factor in enumerate(w)})
    publics["R",] = R
    return publics, values


def disturbed(decider, publics, values, row_at=None, wire_at=None):
    """What the rows compute if row `row_at` were not enforced and its variable one more, or if the cell
    (row, wire) `wire_at` were not bound and one more than its variable."""
    found = {}
    for i, row in enumerate(decider.rows):
        a, b, c, d = row.wires
        cell = [found.get(variable, 0) for variable in (a, b, c)]
        if wire_at and wire_at[0] == i:
            cell[wire_at[1]] += 1
        if decider.inverses.get(b) == i:
            found[b] = inverse(row.q_m * cell[0] + row.q_b) + (row_at == i)
            # Where the cell b is not bound, the variable is as it was.
            cell[1] = found[b]
            if wire_at == (i, 1):
                found[b] += 1
        total = row.q_m * cell[0] * cell[1] + row.q_a * cell[0] + row.q_b * cell[1] + row.q_c * cell[2] + row.q_0
        total += values[row.value] if row.value is not None else 0
        total += publics[decider.publics[i]] if i < len(decider.publics) else 0
        found[d] = (total + (row_at == i and decider.inverses.get(b) != i)) % r
    return found


# ---------------------------------------------------------------- 9. The key

class Keys(unittest.TestCase):
    PARTS = key_parts(SMALL, 4, packs=SMALL_PACKS)

    def refused(self, reason, **parts):
        with self.assertRaisesRegex(BadKey, reason):
            compact.read_key(b"".join({**self.PARTS, **parts}.values()))

    def test_fields(self):
        key = SMALL_KEY
        self.assertEqual([(pack.round, pack.polynomials, pack.rotations) for pack in key.packs],
                         [(0, SMALL_PACKS[0], [0]), (1, SMALL_PACKS[1], [0, 1]), (1, SMALL_PACKS[2], [0]),
                          (2, SMALL_PACKS[3], [0, 1])])
        self.assertEqual(key.digest, H(SMALL_KEY_BYTES))
        compact.check_decider(key, commit_columns)

    def test_evm_key(self):
        key, parts = SMALL_KEY, self.PARTS
        by_hand = b"muster-evm-key-1" + u32(7) + u32(1) + u32(2) + u32(1) + H(SMALL_KEY_BYTES)
        by_hand += parts["tau"] + parts["decider"] + parts["pack commitments"]
        self.assertEqual(key.evm, by_hand)
        self.assertEqual(len(by_hand), 256 + 64)
        self.assertEqual(key.name, H(by_hand))

    def test_bytes(self):
        for kind in b"\x01", b"\x00", b"\x03":
            self.refused("kind", kind=kind)
        self.refused("stride", stride=u32(0))
        self.refused("stride", stride=u32(257))
        self.refused("left over", more=b"\0")
        self.refused("too early", k_2=b"", decider=b"")
        self.refused("curve", decider=u32(0) * 15 + u32(1))
        for k_2 in 0, 1, 6:
            self.refused("rule 13: the decider has more rows", k_2=u32(k_2))
        for k_2 in 8, 16:
            self.refused("rule 13: the decider has another number", k_2=u32(k_2))
        for k_2 in 17, 2 ** 32 - 1:
            self.refused("rule 13: k of the decider", k_2=u32(k_2))
        with self.assertRaisesRegex(BadKey, "kind"):
            fast.read_key(SMALL_KEY_BYTES)
        with self.assertRaisesRegex(BadKey, "kind"):
            compact.read_key(SMALL.key())

    def test_packs(self):
        # Numbers of polynomials: a_0 a_1 m φ z f_0 f_1 σ_0 σ_1.
        def packs(*lists):
            return u32(len(lists)) + b"".join(u32(len(each)) + b"".join(map(u32, each)) for each in lists)

        good = [[5, 6, 7, 8], [0, 1, 2], [3, 4]]
        compact.read_key(b"".join({**self.PARTS, "packs": packs(*good)}.values()))
        for reason, *bad in (
            ("1 to T", [5, 6, 7, 8], [0, 1, 2], [3, 4], []), ("1 to T", [5, 6, 7, 8, 5], [0, 1, 2], [3, 4]),
            ("no such", [5, 6, 7, 9], [0, 1, 2], [3, 4]),
            ("different rounds", [5, 6, 7, 0], [8, 1, 2], [3, 4]), ("different rounds", [5, 6, 7, 8], [0, 1, 3], [2, 4]),
            ("one place", [5, 6, 7], [0, 1, 2], [3, 4]), ("one place", [5, 6, 7, 8], [0, 1, 2, 2], [3, 4]),
            ("one place", [5, 6, 7, 8], [0, 1], [2, 0], [3, 4]), ("one place",),
            ("order", [0, 1, 2], [5, 6, 7, 8], [3, 4]), ("order", [5, 6, 7, 8], [3, 4], [0, 1, 2]),
            ("order", [5, 6, 7], [0, 1, 2], [8], [3, 4]), ("more packs", *[[5]] * 10),
        ):
            self.refused(reason, packs=packs(*bad))

    def test_nodes_and_constraints(self):
        nodes, constraints = (self.PARTS[part][4:] for part in ("nodes", "constraints"))
        own, few = len(SMALL.nodes), len(constraints) // 4
        for reason, most in ("rule 12: there are more than 65,536", 65537), ("rule 13: the decider has more rows", 65536):
            self.refused(reason, constraints=u32(most) + constraints + u32(0) * (most - few))
            # Each node more is a constraint, so that all are used.
            more = range(own, most)
            self.refused(reason, nodes=u32(most) + nodes + SMALL.nodes[0] * len(more),
                         constraints=u32(few + len(more)) + constraints + b"".join(map(u32, more)))

    def test_size(self):
        counts = {"counts": u32(2) + u32(2) + u32(1025), "k": u32(11), "usable": u32(2000)}
        self.refused("rule 12", **counts)
        self.refused("rule 13", **{**counts, "counts": u32(2) + u32(2) + u32(1024)})      # k_2 is another
        rows = len(SMALL_KEY.decider.rows)
        with self.assertRaisesRegex(BadKey, "rule 13: the decider has more"):
            Decider(SMALL_KEY, rows - 1)
        self.assertEqual(len(Decider(SMALL_KEY, rows).rows), rows)

    def test_inputs_at_all_rotations(self):
        c = square_circuit()
        c.constraints += [c.cell("inputs", 0, rotation) for rotation in range(1, 5)]      # 0 is copied
        packs = [[("fixed", 0), ("sigma", 0), ("sigma", 1)], [("advice", 0)], [("advice", 1)], [("z", 0)]]
        parts = {**key_parts(c, 3, packs=packs), "k": u32(11), "usable": u32(2000)}
        for reason, inputs in ("rule 12: there are more than 4,096", 820), ("rule 13", 819):
            with self.assertRaisesRegex(BadKey, reason):
                compact.read_key(b"".join({**parts, "counts": u32(1) + u32(2) + u32(inputs)}.values()))

    def test_rotations_equal_modulo_n(self):
        c = square_circuit()
        c.constraints += [c.cell("advice", 0, -7)]           # and advice 1 has the rotation 1
        together = [[("fixed", 0), ("sigma", 0), ("sigma", 1)], [("advice", 0), ("advice", 1)], [("z", 0)]]
        with self.assertRaisesRegex(BadKey, "rule 11"):
            compact.read_key(key_bytes(c, 3, packs=together))
        apart = together[:1] + [[("advice", 0)], [("advice", 1)]] + together[2:]
        compact.read_key(key_bytes(c, 3, packs=apart))

    def test_every_part_is_in_the_name(self):
        parts = self.PARTS
        other = key_parts(SMALL, 4, packs=[list(reversed(SMALL_PACKS[0])), *SMALL_PACKS[1:]])
        names = {SMALL_KEY.name, compact.read_key(b"".join(other.values())).name}
        more = {"srs": b"\1", "description": u32(3) + b"tou", "stride": u32(5), "decider": bytes(64),
                "pack commitments": bytes(64), "usable": u32(5)}
        for name, data in more.items():
            try:
                key = compact.read_key(b"".join({**parts, name: data}.values()))
            except BadKey:
                self.assertEqual(name, "usable")
                continue
            names.add(key.name)
        self.assertGreaterEqual(len(names), 2 + len(more) - 1)


# ---------------------------------------------------------------- 11. The decider

class Forms(unittest.TestCase):
    def test_by_hand(self):
        class Bare(Decider):
            def __init__(self):
                self.rows, self.equal, self.inverses, self.variables = [], [], {}, 0
                self.zero = 0
                self.row(Form())
                self.one = self.row(Form(1))

        to = Bare()
        v = [Form(0, {to.row(Form(i)): 1}) for i in range(2, 7)]          # variables 2 to 6
        first = len(to.rows)
        three = to.sum(v[:3])
        self.assertEqual(len(to.rows), first)
        four = to.add(three, v[3].scaled(5))
        self.assertEqual(to.rows[first:], [Row(0, 1, 1, 1, 0, 0, (2, 3, 4, 7), None)])
        self.assertEqual(four.linear, {7: 1, 5: 5})
        both = to.mul(v[1].plus(Form(9)), v[0].scaled(2).plus(Form(3)))
        self.assertEqual((both.constant, both.linear, both.products), (27, {3: 3, 2: 18}, {(2, 3): 2}))
        to.let(to.add(both, v[4]))
        self.assertEqual(to.rows[-1], Row(2, 18, 3, 1, 0, 27, (2, 3, 6, 8), None))
        to.let(to.mul(v[0], v[0]))
        self.assertEqual(to.rows[-1], Row(1, 0, 0, 0, 0, 0, (2, 2, 0, 9), None))
        # A second product does not fit: the left one becomes a row; the right one where it has no room.
        rows = len(to.rows)
        total = to.add(to.mul(v[2], v[3]), both)
        self.assertEqual(to.rows[rows:], [Row(1, 0, 0, 0, 0, 0, (4, 5, 0, 10), None)])
        self.assertEqual(total.linear, {3: 3, 2: 18, 10: 1})
        total = to.add(to.mul(v[2], v[2]), total)
        self.assertEqual(to.rows[rows + 1:], [Row(2, 18, 3, 1, 0, 27, (2, 3, 10, 11), None)])
        self.assertEqual((total.linear, total.products), ({11: 1}, {(4, 4): 1}))
        # Where neither has room both become rows.
        total = to.add(to.add(to.mul(v[3], v[4]), v[0]), total)
        self.assertEqual(to.rows[rows + 2:], [Row(1, 0, 0, 1, 0, 0, (5, 6, 2, 12), None),
                                              Row(1, 0, 0, 1, 0, 0, (4, 4, 11, 13), None)])
        self.assertEqual((total.linear, total.products), ({12: 1, 13: 1}, {}))
        self.assertEqual(to.let(Form(1)).linear, {1: 1})
        self.assertEqual(to.let(Form(0)).linear, {0: 1})
        self.assertEqual(to.sub(v[0], v[0]).linear, {})
        self.assertEqual(len(to.rows), rows + 4)
        g = to.inverse(v[0].plus(Form(-4)))
        self.assertEqual(g.linear, {14: 1})
        self.assertEqual(to.rows[-1], Row(1, 0, r - 4, 0, 0, 0, (2, 14, 0, 15), None))
        self.assertEqual(to.equal, [(15, 1)])


class TheDecider(unittest.TestCase):
    def test_it_computes_what_the_evaluator_does(self):
        for name, (key, _) in CIRCUITS.items():
            with self.subTest(name):
                for seed in range(3):
                    publics, values = consistent(key, seed)
                    found = solved(key.decider, publics, values)
                    self.assertEqual(unequal(key.decider, found), [])

    def test_each_value_and_public_input_counts(self):
        for name, (key, _) in CIRCUITS.items():
            publics, values = consistent(key)
            for value in values:
                found = solved(key.decider, publics, {**values, value: values[value] + 1})
                self.assertNotEqual(unequal(key.decider, found), [], (name, value))
            idle = []
            for public in publics:
                found = solved(key.decider, {**publics, public: publics[public] + 1}, values)
                if not unequal(key.decider, found):
                    idle.append(public[0])
            expected = {"lookups": ["input", "beta", "gamma"], "copies": ["theta", "beta_l"],
                        "wide": ["theta", "beta_l"]}.get(name, [])
            self.assertEqual(idle, expected, name)
            self.assertEqual(sorted(key.decider.layout()), sorted(values))

    def test_degenerate_challenges_have_no_witness(self):
        for name, (key, _) in CIRCUITS.items():
            publics, values = consistent(key)
            x, u = publics["x",], publics["u",]
            bad = [("x", 0), ("x", 1), ("x", key.omega), ("x", pow(key.omega, key.n - 1, r)), ("u", x), ("x", u)]
            for pack in key.packs:
                # u^M = x·ω^λ
                bad += [("x", pow(u, key.T, r) * pow(key.omega, -rotation, r) % r) for rotation in pack.rotations]
            for challenge, number in bad:
                with self.assertRaises(ZeroDivisionError):
                    solved(key.decider, {**publics, (challenge,): number}, values)

    def test_no_cell_is_free(self):
        """Every variable follows from public inputs and values, by one row."""
        for name, (key, _) in CIRCUITS.items():
            decider, known, free = key.decider, set(), 0
            cells = {(i, j) for cycle in decider.cycles() for i, j in cycle}
            for i, row in enumerate(decider.table()):
                a, b, c, d = row.wires
                if a is None:
                    self.assertGreaterEqual(i, decider.n - 4)
                    continue
                self.assertTrue({(i, j) for j in range(4)} <= cells)
                if decider.inverses.get(b) == i:
                    self.assertEqual((row.q_a, row.q_c, row.q_0), (0, 0, 0))
                    self.assertNotEqual(row.q_m, 0)
                    known.add(b)
                for variable, factors in ((a, row.q_m or row.q_a), (b, row.q_m or row.q_b), (c, row.q_c)):
                    free += variable not in known and (factors != 0 or variable != decider.zero)
                self.assertNotIn(d, known)
                known.add(d)
            self.assertEqual(free, 0, name)

    def test_each_gate_and_copy_dropped_is_noticed(self):
        for name in "small", "large", "copies", "lookups":
            key = CIRCUITS[name][0]
            decider = key.decider
            publics, values = consistent(key)
            idle_rows, idle_cells = [], 0
            for i, row in enumerate(decider.rows):
                if not unequal(decider, disturbed(decider, publics, values, row_at=i)):
                    idle_rows.append(i)
                needed = row.q_m or row.q_a, row.q_m or row.q_b, row.q_c
                for j in range(3):
                    noticed = unequal(decider, disturbed(decider, publics, values, wire_at=(i, j)))
                    if not noticed:
                        idle_cells += 1
                        # A cell with the factor 0, which is zero.
                        self.assertEqual((needed[j], row.wires[j]), (0, decider.zero))
            # `zero` is read with the factor 0 alone, and a circuit without tables or copies leaves challenges idle.
            names = {decider.publics[i][0] if i < len(decider.publics) else i for i in idle_rows}
            expected = {"lookups": {"input", "beta", "gamma"}, "copies": {"theta", "beta_l"}}.get(name, set())
            self.assertEqual(names, expected | {decider.zero}, name)

    def test_copies_that_assert(self):
        """Without any one of the equalities something wrong passes."""
        for name in "small", "large":
            key = CIRCUITS[name][0]
            publics, values = consistent(key)
            for public in [("w", P) for P in range(len(key.packs))] + [("R",)]:
                found = solved(key.decider, {**publics, public: 5}, values)
                [pair] = unequal(key.decider, found)
                self.assertIn(key.decider.publics.index(public), pair)

    def test_columns(self):
        decider = SMALL_KEY.decider
        columns = decider.fixed_columns() + decider.sigma_columns()
        self.assertEqual((len(columns), {len(column) for column in columns}), (PLACES, {decider.n}))
        # σ is a permutation of the cells' names, and the identity on the random rows.
        names = [pow(fast.DELTA, j, r) * pow(decider.omega(), i, r) % r for j in range(4) for i in range(decider.n)]
        self.assertEqual(sorted(sum(columns[6:], [])), sorted(names))
        for j in range(4):
            self.assertEqual(columns[6 + j][-4:], names[j * decider.n:][:decider.n][-4:])
        none = [0] * 4
        self.assertEqual([column[-4:] for column in columns[:6]], [none, none, none, [1, 1, 0, 0], none, none])


# ---------------------------------------------------------------- 10., 12. and 13.

def offsets(key):
    """Where the points and the scalars of a long proof begin, and where its inverse does."""
    committed_to = len(compact.packs_of(key, 1)) + len(compact.packs_of(key, 2))
    kinds = "p" * (committed_to + 4) + "s" * (len(key.packs) + 1) + "ppp" + "s" * 17 + "pp"
    at, points, scalars = 0, [], []
    for kind in kinds:
        (points if kind == "p" else scalars).append(at)
        at += 64 if kind == "p" else 32
    return points, scalars, at


@without_pairings
class Proofs(unittest.TestCase):
    def refused(self, proof, reason="pairings", key=SMALL_KEY, inputs=(2,)):
        """What is refused by the pairings has the right inverse, which else would be noticed before."""
        if reason == "pairings":
            proof = compact.lengthened(key, list(inputs), proof)
        with self.assertRaisesRegex(Refused, reason):
            compact.verify(key, list(inputs), proof)

    def changed(self, reason="pairings", advice=None, key=SMALL_KEY, circuit=SMALL, **how):
        proof, _ = prove(circuit, key, advice or square_advice(), [2], **how)
        self.refused(proof, reason, key)
        return proof

    def test_honest(self):
        self.assertEqual(SMALL_UNMET, [])
        compact.verify(SMALL_KEY, [2], SMALL_PROOF)
        self.assertEqual(len(SMALL_PROOF), 1376 + 64 + 32 + 32)
        self.assertEqual(len(SMALL_SHORT), 1024 + 64)
        self.assertEqual(SMALL_SHORT, shortened(SMALL_KEY, SMALL_PROOF))
        self.assertEqual(compact.openings(SMALL_KEY, [2], SMALL_SHORT), compact.openings(SMALL_KEY, [2], SMALL_PROOF))

    def test_large(self):
        proof = large_proof()
        compact.verify(LARGE_KEY, LARGE_INPUTS, proof)
        self.refused(proof, key=LARGE_KEY, inputs=LARGE_INPUTS[::-1])

    def test_other_shapes(self):
        for name, circuit, T in (("copies", square_circuit(), 3), ("lookups", square_circuit(copied=False, table=True), 5)):
            proof, unmet = prove(circuit, CIRCUITS[name][0], square_advice(), [2])
            self.assertEqual(unmet, [])
            compact.verify(CIRCUITS[name][0], [2], proof)
        # A stride that is no divisor of anything, and more places than polynomials.
        key = compact.read_key(key_bytes(SMALL, 7))
        proof, _ = prove(SMALL, key, square_advice(), [2])
        self.assertEqual(len(proof), 1376 + 32)
        compact.verify(key, [2], proof)
        self.refused(SMALL_PROOF, "length", key)

    def test_one_rotation_set_and_no_first_round(self):
        c = Circuit(3, 6, [[4, 5, 6]], advice=0, inputs=1)
        c.copied, c.copies = [("fixed", 0), ("inputs", 0)], [(("fixed", 0, 1), ("inputs", 0, 0))]
        key = compact.read_key(key_bytes(c, 4))
        for number, accepted in ((5, True), (6, False)):
            proof, unmet = prove(c, key, [], [number])
            self.assertEqual(unmet == [], accepted)
            if accepted:
                compact.verify(key, [number], proof)
            else:
                self.refused(proof, key=key, inputs=[number])

    def test_false_statements(self):
        advice = square_advice()
        advice[1][2] += 1
        self.changed(advice=advice)
        advice = square_advice()
        advice[0][1] = 99                # no row of the table has it
        self.changed(advice=advice)
        self.refused(SMALL_PROOF, inputs=[3])
        self.refused(SMALL_PROOF, "takes 1 inputs", inputs=[])
        self.refused(SMALL_PROOF, "below r", inputs=[2 + r])

    def test_packs(self):
        # Columns of a pack, packs, columns of two packs.
        self.changed(change={"pack": lambda P, fs: fs[::-1] if P == 1 else fs})
        kept = {}

        def exchanged(P, fs):
            kept[P] = fs
            return {1: fs[:1] + [[5]], 2: kept[1][1:]}.get(P, fs)

        self.changed(change={"pack": exchanged})
        # Polynomials in unused places: one that is not 0, and one that is 0 in every row.
        for extra in [7], [r - 1] + [0] * 7 + [1]:
            self.changed(change={"pack": lambda P, fs: fs + [extra] if P == 1 else fs})
        # The same, where the values of the place are taken for those of another.
        points, _, _ = offsets(SMALL_KEY)
        swapped = SMALL_PROOF[64:128] + SMALL_PROOF[:64] + SMALL_PROOF[128:]
        self.refused(swapped)

    def test_another_key(self):
        keys = {
            "stride": key_bytes(SMALL, 5, packs=SMALL_PACKS),
            "places": key_bytes(SMALL, 4, packs=[SMALL_PACKS[0][::-1], *SMALL_PACKS[1:]]),
            "order": key_bytes(SMALL, 4, packs=[SMALL_PACKS[0], SMALL_PACKS[2], SMALL_PACKS[1], SMALL_PACKS[3]]),
            "description": b"".join({**key_parts(SMALL, 4, packs=SMALL_PACKS), "description": u32(3) + b"tou"}.values()),
        }
        for data in keys.values():
            self.refused(SMALL_PROOF, key=compact.read_key(data))
        # Proofs that are made for another key, with this one's transcript.
        for name in "stride", "places":
            other = compact.read_key(keys[name])
            other.name = SMALL_KEY.name
            proof, _ = prove(SMALL, other, square_advice(), [2])
            self.refused(proof)

    def test_values(self):
        for value in (0, 3, 0), (1, 0, 1), (3, 1, 1):
            wrong = {}

            def changed(values):
                wrong.update({**values, value: values[value] + 1})
                return wrong

            def R_of_E(publics):
                _, w, R = evaluated(SMALL_KEY, publics, wrong)
                self.assertEqual(w, [publics["w", P] for P in range(4)])
                self.assertEqual(unequal(SMALL_KEY.decider, solved(SMALL_KEY.decider, {**publics, ("R",): R}, wrong)), [])
                return {**publics, ("R",): R}

            # With the R of the packs the decider is not met; with that of E it is, and the packs are not opened.
            self.changed(change={"values": changed})
            self.changed(change={"values": changed, "publics": R_of_E})

    def test_values_exchanged(self):
        # A column's value at another rotation; those of two columns; of two packs.
        for one, other in ((1, 0, 0), (1, 0, 1)), ((1, 0, 1), (1, 1, 1)), ((0, 0, 0), (2, 0, 0)):
            self.changed(change={"values": lambda values: {**values, one: values[other], other: values[one]}})

    def test_R_and_w(self):
        for name in [("w", P) for P in range(4)] + [("R",)]:
            self.changed(change={"publics": lambda publics: {**publics, name: (publics[name] + 1) % r}})

        # With R computed for other w the pairing of the circuit's packs would hold; the decider is against it.
        def scaled_openings(publics):
            return {name: number * 2 % r if name[0] in ("w", "R") else number for name, number in publics.items()}

        self.changed(change={"publics": scaled_openings})

    def test_public_inputs_reordered(self):
        def reordered(publics):
            publics = dict(publics)
            publics["w", 1], publics["w", 2] = publics["w", 2], publics["w", 1]
            return publics

        self.changed(change={"publics": reordered})
        with patch.object(SMALL_KEY.decider, "publics", SMALL_KEY.decider.publics[::-1]):
            self.changed()

    def test_wires(self):
        """A variable of the decider that is not what its row computes."""
        decider = SMALL_KEY.decider
        for variable in (decider.zero, decider.one, decider.zero + 2, next(iter(decider.inverses)),
                         decider.rows[40].wires[3], decider.rows[-1].wires[3]):
            self.changed(change={"found": lambda found: {**found, variable: found[variable] + 1}})

    def test_every_scalar(self):
        points, scalars, length = offsets(SMALL_KEY)
        self.assertEqual((length, len(points), len(scalars)), (len(SMALL_PROOF) - 32, 12, 22))
        for at in [*scalars, length]:
            self.refused(with_number(SMALL_PROOF, at, lambda number: number + r), "below r")
        for at in scalars[:5] + scalars[5::3] + scalars[-1:]:
            self.refused(with_number(SMALL_PROOF, at, lambda number: (number + 1) % r))

    def test_every_point(self):
        points, _, _ = offsets(SMALL_KEY)
        for at in points:
            def put(x, y):
                return SMALL_PROOF[:at] + x.to_bytes(32, "big") + y.to_bytes(32, "big") + SMALL_PROOF[at + 64:]

            x, y = (int.from_bytes(SMALL_PROOF[start:start + 32], "big") for start in (at, at + 32))
            for bad, reason in ((put(0, 0), "identity"), (put(x, y + 1), "curve"), (put(x + q, y), "below q"),
                                (put(x, y + q), "below q"), (put(q, 0), "below q"), (put(0, q), "below q")):
                self.refused(bad, reason)
            self.refused(put(x, q - y))

    def test_lengths_and_encodings(self):
        for bad in (SMALL_PROOF + b"\0", SMALL_PROOF[:-1], b"", SMALL_PROOF[:-32], SMALL_PROOF + bytes(32),
                    SMALL_SHORT + SMALL_PROOF[-32:]):
            self.refused(bad, "length")
        self.refused(bytes(32) + SMALL_SHORT[32:], "curve")
        # Fast bytes as compact, and back.
        fast_proof, _ = prove_fast(SMALL, SMALL.key(), square_advice(), [2])
        self.refused(fast_proof, "length")
        for proof in SMALL_SHORT, SMALL_PROOF:
            with self.assertRaises(Refused):
                fast.verify(fast.read_key(SMALL.key()), [2], proof)

    def test_the_inverse(self):
        for key, inputs, proof in (SMALL_KEY, [2], SMALL_PROOF), (LARGE_KEY, LARGE_INPUTS, large_proof()):
            found, name = compact.challenges(key, inputs, compact.read_proof(key, proof).rows)
            x, omega = found["x_2"], key.omega_2
            by_hand = [pow(x, key.n_2, r) - 1, found["u"] - found["x"], found["u_2"] - x, x - omega * x]
            by_hand += [pow(found["u_2"], 10, r) - at for at in (x, omega * x)]
            by_hand += [inverse(pow(omega, j, r)) * x - 1 for j in range(len(key.decider.publics))]
            for factor in by_hand:
                proof_without = inverse(int.from_bytes(proof[-32:], "big")) * inverse(factor) % r
                self.refused(proof[:-32] + scalar(inverse(proof_without)), "the inverse", key, inputs)
            self.assertEqual(proof[-32:], scalar(inverse(fast.product(by_hand))))
            for wrong in lambda it: 0, lambda it: it + 1, lambda it: r - it, lambda it: inverse(it):
                bad = with_number(proof, len(proof) - 32, wrong)
                self.refused(bad, "the inverse", key, inputs)
            self.assertEqual(compact.lengthened(key, inputs, shortened(key, proof)), proof)
            self.assertEqual(compact.lengthened(key, inputs, bad), proof)
            # Another for each other N, which is in the challenges alone.
            for challenge in "x", "u", "x_2", "u_2":
                with patch("compact.challenges", return_value=({**found, challenge: 5}, name)):
                    self.refused(proof, "the inverse", key, inputs)

    def test_degenerate_challenges(self):
        found, name = compact.challenges(SMALL_KEY, [2], compact.read_proof(SMALL_KEY, SMALL_PROOF).rows)
        omega, n = SMALL_KEY.omega_2, SMALL_KEY.n_2
        x, u = found["x_2"], found["u_2"]
        U = pow(u, PLACES, r)
        for challenge, number, reason in (("x_2", 0, "x_2"), ("x_2", 1, "x_2"), ("x_2", pow(omega, n - 1, r), "x_2"),
                                          ("x_2", U, "a pack"), ("x_2", U * inverse(omega) % r, "a pack"),
                                          ("u_2", x, "the quotient"), ("u", found["x"], "the quotient")):
            with patch("compact.challenges", return_value=({**found, challenge: number}, name)):
                self.refused(SMALL_PROOF, reason)
            self.assertEqual(compact.divisor(SMALL_KEY, {**found, challenge: number}), 0)

    def test_batch(self):
        fast_key = SMALL.key()
        fast_proof, _ = prove_fast(SMALL, fast_key, square_advice(), [2])
        other = fast.read_key(fast_key), [2], fast_proof
        mine = SMALL_KEY, [2], SMALL_PROOF
        self.assertEqual(verify.verify_batch([other, mine, mine]), [None] * 3)
        results = verify.verify_batch([mine, (SMALL_KEY, [3], SMALL_SHORT), other, (SMALL_KEY, [2], b"")])
        self.assertEqual([result and str(result) for result in results],
                         [None, "the pairings differ", None, "the proof has a wrong length"])


@without_pairings
class Mutants(unittest.TestCase):
    """Deciders that lack something accept what is false; ours does not, and who checks their keys refuses them."""

    def forged(self, mutate, advice, change=None, refused_by_ours=True):
        mutant = Decider(SMALL_KEY)
        mutate(mutant)
        key = compact.read_key(key_bytes(SMALL, 4, packs=SMALL_PACKS, decider=mutant))
        with self.assertRaisesRegex(BadKey, "decider"):
            compact.check_decider(key, commit_columns)
        proof, unmet = prove(SMALL, key, advice, [2], decider=mutant, change=change)
        compact.verify(key, [2], proof)
        proof, _ = prove(SMALL, SMALL_KEY, advice, [2], change=change)
        if refused_by_ours:
            with self.assertRaisesRegex(Refused, "pairings"):
                compact.verify(SMALL_KEY, [2], proof)
        return unmet

    def false_advice(self):
        advice = square_advice()
        advice[1][2] += 1
        return advice

    def quotient_row(self, decider):
        # Where Y ⊗ v⁻¹ is computed: the only product with the first inverse but that of its own row.
        first = min(decider.inverses)
        return [i for i, row in enumerate(decider.rows)
                if first in row.wires[:2] and decider.inverses.get(row.wires[1]) != i]

    def test_control(self):
        # Nothing changed: the honest proof passes.
        proof, unmet = prove(SMALL, SMALL_KEY, square_advice(), [2], decider=Decider(SMALL_KEY))
        self.assertEqual(unmet, [])
        compact.verify(SMALL_KEY, [2], proof)

    def test_quotient_taken_from_E(self):
        def mutate(decider):
            [i] = self.quotient_row(decider)
            row = decider.rows[i]
            decider.rows[i] = Row(0, 0, 0, 0, 1, 0, (decider.zero,) * 3 + row.wires[3:], "Q")

        self.assertNotEqual(self.forged(mutate, self.false_advice()), [])

    def test_R_not_compared(self):
        def mutate(decider):
            R = decider.publics.index(("R",))
            decider.equal = [pair for pair in decider.equal if R not in pair]

        self.assertNotEqual(self.forged(mutate, self.false_advice()), [])

    def test_w_not_compared(self):
        # With w_P free, E₁ can be made 0 from the commitments alone by one who knows their logarithms; here: a wrong w and
        # an R that fits it are shown by the decider's side alone, so it is only shown that ours notices.
        change = {"publics": lambda publics: {**publics, ("w", 1): 5}}
        mutant = Decider(SMALL_KEY)
        w = mutant.publics.index(("w", 1))
        mutant.equal = [pair for pair in mutant.equal if w not in pair]
        publics, values = consistent(SMALL_KEY)
        publics = change["publics"](publics)
        self.assertEqual(unequal(mutant, solved(mutant, publics, values)), [])
        self.assertEqual(len(unequal(SMALL_KEY.decider, solved(SMALL_KEY.decider, publics, values))), 1)

    def test_E_not_absorbed(self):
        """Values that are chosen when α and u are known: one that the equation does not need makes R right again."""
        seen = {}

        def look(publics):
            seen["publics"] = publics
            return publics

        def values_too(values):
            seen["values"] = values
            return values

        def attack():
            prove(SMALL, SMALL_KEY, self.false_advice(), [2], change={"publics": look, "values": values_too})
            publics, values = seen["publics"], seen["values"]
            free = next((1, place, 1) for place, name in enumerate(SMALL_KEY.packs[1].polynomials)
                        if 1 not in SMALL_KEY.arrangement.polynomials[name])
            _, _, R = evaluated(SMALL_KEY, publics, values)
            _, _, R_with_one_more = evaluated(SMALL_KEY, publics, {**values, free: values[free] + 1})
            by = (publics["R",] - R) * inverse(R_with_one_more - R) % r
            self.assertNotEqual(by, 0)
            change = {"values": lambda values: {**values, free: values[free] + by}}
            return prove(SMALL, SMALL_KEY, self.false_advice(), [2], change=change)[0]

        with self.assertRaisesRegex(Refused, "pairings"):
            compact.verify(SMALL_KEY, [2], attack())
        squeeze, challenges = compact_prover.Session.squeeze, compact.challenges

        def without_E(session, *names):
            session.row = b"" if names == ("alpha",) else session.row
            return squeeze(session, *names)

        with patch.object(compact_prover.Session, "squeeze", without_E):
            proof = attack()
        with patch("compact.challenges", lambda key, inputs, rows: challenges(key, inputs, rows[:3] + [b""] + rows[4:])):
            compact.verify(SMALL_KEY, [2], proof)

    def test_decider_of_another_circuit(self):
        other = square_circuit(table=True)
        one = other.constraints.pop()
        other.constraints.append(other.product(one, other.constant(0)))   # says nothing
        other_key = compact.read_key(key_bytes(other, 4, packs=SMALL_PACKS))
        decider = other_key.decider
        self.assertEqual(decider.k, SMALL_KEY.decider.k)

        def mutate(mutant):
            mutant.__dict__.update(decider.__dict__)

        advice = self.false_advice()
        mutant = Decider(SMALL_KEY)
        mutate(mutant)
        key = compact.read_key(key_bytes(SMALL, 4, packs=SMALL_PACKS, decider=mutant))
        with self.assertRaisesRegex(BadKey, "decider"):
            compact.check_decider(key, commit_columns)
        # The quotient is that of the other circuit.
        with patch("compact_prover.trace", lambda circuit, _, *rest, **how: trace(other, other_key, *rest, **how)):
            proof, _ = prove(SMALL, key, advice, [2], decider=mutant)
            compact.verify(key, [2], proof)
            proof, _ = prove(SMALL, SMALL_KEY, advice, [2])
            with self.assertRaisesRegex(Refused, "pairings"):
                compact.verify(SMALL_KEY, [2], proof)


class Challenges(unittest.TestCase):
    def test_by_hand(self):
        rows = [bytes([i]) * i for i in range(11)]
        found, name = compact.challenges(SMALL_KEY, [2], rows)
        s = H(b"muster-compact-keccak256-1")
        for item in SMALL_KEY.name, bytes(31) + b"\2":
            s = H(s + b"\0" + item)
        names = [["theta", "beta_l", "beta", "gamma"], ["y"], ["x"], ["alpha"], ["u"], ["beta_2", "gamma_2"], ["y_2"],
                 ["x_2"], ["alpha_2"], ["u_2"], ["rho"]]
        for item, squeezed in zip(rows, names):
            s = H(s + b"\0" + item)
            for challenge in squeezed:
                s = H(s + b"\1")
                self.assertEqual(found.pop(challenge), int(s.hex(), 16) % r)
        self.assertEqual((found, name), ({}, s))

    def test_rows(self):
        rows = compact.read_proof(SMALL_KEY, SMALL_PROOF).rows
        self.assertEqual(b"".join(rows), SMALL_PROOF[:-32])
        self.assertEqual([len(row) for row in rows], [128, 64, 64, 64, 64, 64 + 5 * 32 + 64, 64, 64, 17 * 32, 64, 64])

    def test_each_item_changes_every_later_challenge(self):
        rows = [bytes([i]) for i in range(11)]
        honest, name = compact.challenges(SMALL_KEY, [2], rows)
        self.assertEqual(len(set(honest.values())), 15)
        order = [challenge for squeezed in compact.SQUEEZED for challenge in squeezed]
        first = {i: order.index(squeezed[0]) for i, squeezed in enumerate(compact.SQUEEZED)}

        def check(begin, key=SMALL_KEY, inputs=(2,), rows=rows):
            found, other_name = compact.challenges(key, list(inputs), rows)
            self.assertEqual([found[c] == honest[c] for c in order], [i < begin for i in range(len(order))])
            self.assertNotEqual(other_name, name)

        for i in range(11):
            check(first[i], rows=rows[:i] + [b"other"] + rows[i + 1:])
        check(0, inputs=[3])
        check(0, key=CIRCUITS["copies"][0])


# ---------------------------------------------------------------- 14. What is hidden

def rank(rows):
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[found:] if row[column] % r), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(found, pivot)
        by = inverse(pivot[column])
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] * by % r
            rows[i] = [(a - factor * b) % r for a, b in zip(rows[i], pivot)]
        found += 1
    return found


class Coins:
    """Random numbers, one of which may be one more."""

    def __init__(self, more=None):
        self.rng, self.more, self.drawn = random.Random(5), more, 0

    def randrange(self, below):
        self.drawn += 1
        return (self.rng.randrange(below) + (self.drawn - 1 == self.more)) % below


class Hiding(unittest.TestCase):
    CHALLENGES = {name: random.Random(name).randrange(r) for name in
                  ("theta", "beta_l", "beta", "gamma", "y", "x", "alpha", "u", "x_2", "y_2")}

    def shown(self, circuit, key, advice, inputs, coins):
        """What a compact proof shows of the circuit's packs: the commitments of round 2, the quotient's, R and W.

        W′ follows."""
        c, T = self.CHALLENGES, key.T
        self.before = None

        def first_round(polynomial):
            self.before = coins.drawn
            return [c[name] for name in ("theta", "beta_l", "beta", "gamma")]

        polynomial, quotient, unmet = trace(circuit, key, advice, inputs, first_round, lambda _: c["y"], coins)
        self.assertEqual(unmet, [])
        commitments, R, W = [], 0, 0
        for P, each in enumerate([*key.packs, None]):
            fs = [polynomial[name] for name in each.polynomials] if each else [quotient]
            points = [c["x"] * pow(key.omega, rotation, r) % r for rotation in (each.rotations if each else [0])]
            packed = compact_prover.Packed(T if each else 1, fs, points)
            at = compact_prover.at
            if each is None or each.round == 2:
                commitments.append(at(packed.F, TAU))
            factor = pow(c["alpha"], P, r)
            R += factor * inverse(at(packed.Z, c["u"])) * at(packed.rest, c["u"])
            W += factor * inverse(at(packed.Z, TAU)) * (at(packed.F, TAU) - at(packed.rest, TAU))
        return [*commitments, R % r, W % r]

    def test_packs(self):
        for circuit, key, advice, inputs in ((SMALL, SMALL_KEY, square_advice(), [2]),
                                             (square_circuit(), CIRCUITS["copies"][0], square_advice(), [2])):
            honest, coins = None, Coins()
            honest = self.shown(circuit, key, advice, inputs, coins)
            rows = []
            for i in range(self.before, coins.drawn):
                shown = self.shown(circuit, key, advice, inputs, Coins(i))
                rows.append([(a - b) % r for a, b in zip(shown, honest)])
            self.assertEqual(rank(rows), len(honest))
            # Four numbers for four things with copies alone, so one fewer is too few.
            if key is CIRCUITS["copies"][0]:
                self.assertEqual((len(rows), len(honest)), (4, 4))
                self.assertEqual(rank(rows[:3]), 3)

    def test_packs_of_the_first_round(self):
        # Each has a random row, and X^i·L_j(X^T) is not 0 at tau.
        for key, _ in CIRCUITS.values():
            for pack in compact.packs_of(key, 1):
                self.assertLess(key.usable, key.n)
                self.assertNotEqual(fast.L(key, key.n - 1, pow(TAU, key.T, r)), 0)

    def test_decider(self):
        key, c = SMALL_KEY, self.CHALLENGES
        n, omega, x, t = key.n_2, key.omega_2, c["x_2"], pow(TAU, PLACES, r)

        def L(i, X):
            at = pow(omega, i, r)
            return at * (pow(X, n, r) - 1) * inverse(n * (X - at)) % r

        def shown_of_wires(i, wire):
            """By one in cell (i, wire), and what follows from it in d: a, b, c, d at x, and V."""
            cells = [0] * 4
            cells[wire] = 1
            cells[3] = cells[2] if i in (n - 4, n - 3) else 0
            at_x = [cell * L(i, x) % r for cell in cells]
            return at_x + [sum(cell * pow(TAU, place, r) * L(i, t) for place, cell in enumerate(cells)) % r]

        rows = [shown_of_wires(i, wire) for i in range(n - 4, n) for wire in range(3)]
        self.assertEqual(rank(rows), 5)
        # If all four rows had d = c, or none, d would not be hidden, or not from c.
        self.assertEqual(rank([row for row in rows if row[3] or not row[2]]), 4)
        self.assertEqual(rank([row for row in rows if not row[3]]), 4)
        self.assertEqual(rank([[L(i, x), L(i, t)] for i in range(n - 4, n)]), 2)           # e, E
        rng = random.Random(1)
        new, old = rng.randrange(r), rng.randrange(r)                                         # any products of wires at tau

        def shown_of_z(power):
            def b(X):
                return pow(X, power, r) * (pow(X, n, r) - 1) % r

            quotient = c["y_2"] * L(0, TAU) * b(TAU) + c["y_2"] ** 2 * (b(omega * TAU % r) * new - b(TAU) * old)
            return [b(x), b(omega * x % r), b(t), quotient * inverse(pow(TAU, n, r) - 1) % r]

        rows = [shown_of_z(power) for power in range(4)]
        self.assertEqual((rank(rows), rank(rows[:3])), (4, 3))


# ---------------------------------------------------------------- The command, and files for other implementations

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors", "compact")


def columns_digest(decider):
    """SHA-256 of the ten columns of the decider's key, 32 bytes a number."""
    return hashlib.sha256(b"".join(scalar(number) for column in decider.fixed_columns() + decider.sigma_columns()
                                   for number in column)).hexdigest()


def hexed(data):
    return "0x" + data.hex()


def decider_vector(decider):
    return {"rows": len(decider.rows), "k_2": decider.k, "public_inputs": len(decider.publics),
            "layout": [[*value, row] for value, row in decider.layout().items()], "columns_sha256": columns_digest(decider)}


def proof_vector(key, inputs, proof):
    short = shortened(key, proof)
    found = compact.openings(key, inputs, proof)
    return {"key": hexed(key.bytes), "digest": hexed(key.digest), "evm_key": hexed(key.evm), "name": hexed(key.name),
            "inputs": [hexed(scalar(number)) for number in inputs], "proof": hexed(proof), "short_proof": hexed(short),
            "challenges": {name: hexed(scalar(number)) for name, number in found.challenges.items()},
            "T_2": hexed(scalar(found.T_2)), "E": fast.hex_point(found.E), "W_prime": fast.hex_point(found.W_prime),
            "state": hexed(found.name), "decider": decider_vector(key.decider)}


REAL_CIRCUITS = "schnorr-babyjubjub-8-16", "ecdsa-secp256k1-2-3"


def real_circuit(name):
    """What the file says, and its key of the kind `fast` with a stride and packs."""
    with open(os.path.join(VECTORS, name + ".json")) as file:
        stored = json.load(file)
    key = fast.read_key(bytes.fromhex(stored["fast_key"][2:]))
    names = list(key.arrangement.polynomials)
    key.T, key.packs = stored["stride"], []
    for numbers in stored["packs"]:
        each = [names[number] for number in numbers]
        rotations = sorted({rotation for one in each for rotation in key.arrangement.polynomials[one]})
        key.packs.append(compact.Pack(compact.ROUND[each[0][0]], each, rotations))
    return stored, key


class Vectors(unittest.TestCase):
    def check(self, name, vector):
        path = os.path.join(VECTORS, name + ".json")
        if os.environ.get("MUSTER_UPDATE_GOLDEN") == "1":
            os.makedirs(VECTORS, exist_ok=True)
            with open(path, "w") as file:
                json.dump(vector, file, separators=(",", ":"))
                file.write("\n")
        with open(path) as file:
            self.assertEqual(json.load(file), vector, "MUSTER_UPDATE_GOLDEN=1 writes the file anew")

    def test_proofs(self):
        self.check("small", proof_vector(SMALL_KEY, [2], SMALL_PROOF))
        self.check("large", proof_vector(LARGE_KEY, LARGE_INPUTS, large_proof()))

    def test_the_pairing_of_a_stored_proof(self):
        with open(os.path.join(VECTORS, "small.json")) as file:
            stored = json.load(file)
        key = compact.read_key(bytes.fromhex(stored["key"][2:]))
        compact.verify(key, [int(text, 16) for text in stored["inputs"]], bytes.fromhex(stored["short_proof"][2:]))

    def test_real_circuits(self):
        """Deciders of keys of the kind `fast` in these files, with packs that the files name."""
        for name in REAL_CIRCUITS:
            stored, key = real_circuit(name)
            self.check(name, {**stored, "decider": decider_vector(Decider(key))})


class Command(unittest.TestCase):
    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            def file(name, data):
                path = os.path.join(folder, name)
                with open(path, "wb") as f:
                    f.write(data)
                return path

            K, P = file("key", SMALL_KEY_BYTES), file("proof", SMALL_SHORT)
            P_long = file("long", b"0x" + SMALL_PROOF.hex().encode())

            def run(*arguments):
                out = io.StringIO()
                with redirect_stdout(out), redirect_stderr(out):
                    return verify.main(list(arguments)), out.getvalue()

            self.assertEqual(run(K, P, "3"), (1, "refused: the pairings differ\n"))
            self.assertEqual(run(K, P), (1, "refused: the key takes 1 inputs, not 0\n"))
            self.assertEqual(run("--digest", K), (0, f"0x{SMALL_KEY.digest.hex()}\nname 0x{SMALL_KEY.name.hex()}\n"))
            code, out = run("--challenges", K, P_long, "2")
            self.assertEqual((code, " ".join(line.split()[0] for line in out.splitlines())), (
                0, "theta beta_l beta gamma y x alpha u beta_2 gamma_2 y_2 x_2 alpha_2 u_2 rho T_2 name E W' accepted"))
            for bad in ((file("bad", SMALL_KEY_BYTES[:-1]), P, "2"), ("--unknown", K, P, "2"), (P, P, "2")):
                self.assertEqual(run(*bad)[0], 2)
            # As a program, where verify.py is not a module by its name at first.
            program = [sys.executable, verify.__file__, K, P, "3"]
            out = subprocess.run(program, capture_output=True, text=True).stdout
            self.assertEqual(out, "refused: the pairings differ\n")


if __name__ == "__main__":
    unittest.main()
