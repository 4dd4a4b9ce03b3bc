"""Tests of verify.py: python3 -m unittest, in this folder."""

import glob
import io
import json
import os
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from py_ecc.optimized_bn128 import FQ2, G1, G2, Z1, add, b2, eq, multiply, neg

import toy_prover
import fast
import verify
from toy_prover import TAU, Circuit, g2_bytes, i32, point_of_key, point_of_proof, prove, scalar, u32
from fast import BadKey, H, Reader, Refused, q, r

HERE = os.path.dirname(os.path.abspath(__file__))


# ---------------------------------------------------------------- Circuits

USABLE = 11


def large_circuit(tau=TAU):
    """16 rows, 11 of them usable: gates up to degree 5, three tables, nine copied columns, two inputs."""
    rows = range(USABLE)
    fixed = [
        [1 if i < 10 else 0 for i in rows],                  # 0: where a_2 of the next row is a_0·a_1
        list(range(8)) + [0, 0, 7] + [99] * 5,               # 1: table 0; 99 only after the usable rows
        list(range(6)) + [0] * 5,                            # 2 and 3: table 1, numbers and their squares
        [i * i for i in range(6)] + [0] * 5,
        [i % 2 for i in rows],                               # 4: where a lookup is on
        [1 if i == 3 else 0 for i in rows],                  # 5: where a_3 of the row before is an input
    ]
    c = Circuit(4, USABLE, fixed, advice=8, inputs=2, tau=tau)
    a = [c.cell("advice", i) for i in range(8) if i != 5]      # advice column 5 is copied and in no node
    a.insert(5, None)
    f = [c.cell("fixed", i) for i in range(6)]
    square = c.difference(c.product(a[0], a[1]), c.cell("advice", 2, 1))
    c.constraints = [
        c.product(f[0], square),
        c.product(f[0], a[0], a[1], square),                 # degree 5
        c.product(f[5], c.difference(c.cell("advice", 3, -1), c.cell("inputs", 0, -2))),
    ]
    c.tables = [
        ([f[1]], [[a[0]], [c.product(f[4], a[1])], [c.constant(3)], [a[6]]]),
        ([f[2], f[3]], [[a[3], a[4]], [c.product(f[4], a[3]), c.product(f[4], a[4])]]),
        ([a[7]], [[a[2]], [c.sum(a[2], c.constant(0))]]),    # a table of advice
    ]
    c.copied = [("advice", 0), ("advice", 1), ("inputs", 0), ("advice", 2), ("advice", 3), ("fixed", 1),
                ("advice", 5), ("fixed", 2), ("advice", 4)]
    c.copies = [
        (("inputs", 0, 0), ("advice", 2, 5)), (("inputs", 0, 1), ("advice", 3, 2)),
        (("advice", 0, 5), ("fixed", 1, 5)), (("advice", 0, 5), ("advice", 5, 3)), (("advice", 5, 3), ("advice", 5, 4)),
        (("advice", 3, 1), ("fixed", 2, 2)), (("advice", 1, 2), ("advice", 5, 9)), (("advice", 4, 3), ("advice", 4, 9)),
        (("advice", 5, 10), ("advice", 5, 10)),
    ]
    return c


def large_advice():
    a0 = [i % 8 for i in range(USABLE)]
    a1 = [3 * i % 8 for i in range(USABLE)]
    a2 = [5] + [a0[i] * a1[i] for i in range(USABLE - 1)]
    a3 = [2 * i % 6 for i in range(USABLE)]
    a4 = [value * value for value in a3]
    a5 = [100 + i for i in range(USABLE)]
    a5[3] = a5[4] = a0[5]
    a5[9] = a1[2]
    a6 = [7 - i % 8 for i in range(USABLE)]
    return [a0, a1, a2, a3, a4, a5, a6, list(reversed(a2))]


LARGE = large_circuit()
LARGE_KEY_BYTES = LARGE.key()
LARGE_KEY = fast.read_key(LARGE_KEY_BYTES)
LARGE_INPUTS = [large_advice()[2][5], large_advice()[3][2]]
LARGE_PROOF, LARGE_UNMET = prove(LARGE, LARGE_KEY_BYTES, large_advice(), LARGE_INPUTS)
# The number of its constraints: three of the key, three helpers, the sum, ℓ₀, three chunks.
SUM, START, LAST_CHUNK = 6, 7, 10


def square_circuit(copied=True, table=False, k=3, tau=TAU):
    """Few rows: a_1 of the next row is the square of a_0; one copy to the input; a lookup of a_0 in fixed 1."""
    usable = 2 ** k - 2
    ones = [1] * (usable - 1)
    c = Circuit(k, usable, [ones, list(range(usable))] if table else [ones], advice=2, inputs=1, tau=tau)
    a = c.cell("advice", 0)
    c.constraints = [c.product(c.cell("fixed", 0), c.difference(c.product(a, a), c.cell("advice", 1, 1)))]
    if table:
        c.tables = [([c.cell("fixed", 1)], [[a]])]
    if copied:
        c.copied = [("advice", 0), ("inputs", 0)]
        c.copies = [(("advice", 0, 1), ("inputs", 0, 0))]
    return c


def square_advice(k=3):
    a = [(i + 1) % (2 ** k - 2) for i in range(2 ** k - 2)]
    return [a, [9] + [value * value for value in a[:-1]]]


# What the pairings tell, where tau is known. The tests of the command and of vectors take the pairings themselves.
KNOWN = [(tau, multiply(G2, tau)) for tau in (TAU, 77)]


def agree_in_g1(E, W_prime, tau):
    [number] = [number for number, point in KNOWN if eq(point, tau)]
    return eq(E, multiply(W_prime, number))


without_pairings = patch("fast.pairings_agree", agree_in_g1)


def proof_offsets(key):
    """Where the points and the values of a proof begin."""
    committed = len([kind for kind, _ in key.arrangement.polynomials if kind not in ("fixed", "sigma", "quotient")]) + 4
    end = 32 * (committed + len(fast.opened(key)))
    return [*range(0, 32 * committed, 32), end, end + 32], [*range(32 * committed, end, 32)]


def with_byte_changed(data, at, by=1):
    return data[:at] + bytes([data[at] ^ by]) + data[at + 1:]


def with_number(data, at, change):
    number = change(int.from_bytes(data[at:at + 32], "big"))
    return data[:at] + number.to_bytes(32, "big") + data[at + 32:]


# ---------------------------------------------------------------- 1. Numbers, points, bytes

def twist_point_outside_the_subgroup():
    # A square root in F_q² by way of the norm; q is 3 modulo 4. Nearly no point of the twist is in the subgroup.
    def root(a):
        found = pow(a, (q + 1) // 4, q)
        return found if found * found % q == a % q else None

    for x in range(1, 1000):
        square = FQ2([x, 1]) ** 3 + b2
        c0, c1 = (int(c) for c in square.coeffs)
        norm = root(c0 * c0 + c1 * c1)
        if norm is None:
            continue
        for sign in 1, -1:
            y0 = root((c0 + sign * norm) * pow(2, -1, q))
            if y0:
                y = FQ2([y0, c1 * pow(2 * y0, -1, q)])
                assert y * y == square
                return (FQ2([x, 1]), y, FQ2([1, 0]))


class Encoding(unittest.TestCase):
    def test_keccak(self):
        # The first two are the widely published ones; the others were computed with pycryptodome 4.4.0
        # (Crypto.Hash.keccak, digest_bits=256). 135, 136 and 137 bytes are the edge of a block.
        for message, digest in (
            (b"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            (b"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
            (b"a" * 135, "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446"),
            (b"a" * 136, "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e"),
            (b"a" * 137, "d869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39"),
            (bytes(range(256)) * 3, "00e77ce2c4f77212a0d5df106b08157b77058479357a98a6039b457c469723e4"),
        ):
            self.assertEqual(H(message).hex(), digest)

    def test_constants(self):
        self.assertEqual(pow(7, 2 ** 28, r), fast.DELTA)
        self.assertEqual(pow(fast.OMEGA_28, 2 ** 27, r), r - 1)

    def test_scalars(self):
        self.assertEqual(Reader(scalar(r - 1), Refused).scalar(), r - 1)
        for number in r, r + 1, 2 ** 256 - 1:
            with self.assertRaisesRegex(Refused, "below r"):
                Reader(number.to_bytes(32, "big"), Refused).scalar()
        with self.assertRaisesRegex(Refused, "too early"):
            Reader(bytes(31), Refused).scalar()

    def test_points_of_a_key(self):
        def read(x, y):
            return Reader(x.to_bytes(32, "big") + y.to_bytes(32, "big"), BadKey).point_of_key()

        for point in G1, neg(G1), Z1, multiply(G1, 12345):
            self.assertTrue(eq(Reader(point_of_key(point), BadKey).point_of_key(), point))
        self.assertEqual((read(1, 2), read(0, 0)), (G1, Z1))
        for x, y, reason in ((1, 3, "curve"), (0, 1, "curve"), (2, 1, "curve"), (1 + q, 2, "below q"),
                             (1, 2 + q, "below q"), (q, q, "below q"), (q, 0, "below q"), (1 + 2 ** 255, 2, "below q")):
            with self.assertRaisesRegex(BadKey, reason):
                read(x, y)

    def test_points_of_a_proof(self):
        def read(number):
            return Reader(number.to_bytes(32, "big"), Refused).point_of_proof()

        odd = 2 ** 255
        for i in range(1, 20):
            self.assertTrue(eq(Reader(point_of_proof(multiply(G1, i)), Refused).point_of_proof(), multiply(G1, i)))
        self.assertEqual((read(1), read(1 + odd)), (G1, neg(G1)))  # y is 2 and q − 2
        # 3 and 4³ + 3 are no squares: 0 is no point, neither the identity nor another.
        for x, reason in ((0, "curve"), (4, "curve"), (q, "below q"), (q + 1, "below q"),
                          (2 ** 254 + 1, "below q"), (odd - 1, "below q")):
            for number in x, x + odd:
                with self.assertRaisesRegex(Refused, reason):
                    read(number)

    def test_points_of_g2(self):
        def read(data):
            return Reader(data, BadKey).point_of_g2()

        good = g2_bytes(G2)
        self.assertEqual(good[:32].hex(), "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2")
        self.assertEqual(read(good), G2)
        x1, x0, rest = good[:32], good[32:64], good[64:]
        large = (int.from_bytes(x1, "big") + q).to_bytes(32, "big")
        for data, reason in ((bytes(128), "twist"), (x0 + x1 + rest, "twist"), (large + x0 + rest, "below q"),
                             (g2_bytes(twist_point_outside_the_subgroup()), "subgroup")):
            with self.assertRaisesRegex(BadKey, reason):
                read(data)


# ---------------------------------------------------------------- 2. The key

class KeyRules(unittest.TestCase):
    def refused(self, reason, circuit=None, **parts):
        circuit = circuit or square_circuit()
        with self.assertRaisesRegex(BadKey, reason):
            fast.read_key(b"".join({**circuit.key_parts(), **parts}.values()))

    def test_fields(self):
        key = LARGE_KEY
        self.assertEqual((key.k, key.n, key.usable, key.fixed, key.advice, key.inputs), (4, 16, 11, 6, 8, 2))
        self.assertEqual((key.description, key.srs), (b"toy", 0))
        self.assertEqual(key.digest, H(LARGE_KEY_BYTES))

    def test_head(self):
        self.refused("muster", magic=b"muster-verifier2")
        self.refused("kind", kind=b"\x02")
        self.refused("hash", hash=b"\x00")
        self.refused("SRS", srs=b"\x02")
        self.refused("tau is 1", tau=g2_bytes(G2))
        self.refused("description", description=u32(65537) + bytes(65537))
        self.refused("k is", k=u32(1))
        self.refused("k is", k=u32(27))
        self.refused("usable", usable=u32(0))
        self.refused("usable", usable=u32(7))
        self.refused("stride", stride=u32(2))
        self.refused("more inputs", counts=u32(1) + u32(2) + u32(7))
        fast.read_key(b"".join({**square_circuit().key_parts(), "srs": b"\x01", "description": u32(0)}.values()))

    def test_ends(self):
        good = square_circuit().key()
        for bad, reason in ((good[:-1], "too early"), (good + b"\0", "left over"), (b"", "too early")):
            with self.assertRaisesRegex(BadKey, reason):
                fast.read_key(bad)
        self.refused("curve", fixed=u32(0) * 15 + u32(1))

    def test_identity_commitments(self):
        parts = square_circuit().key_parts()
        fast.read_key(b"".join({**parts, "fixed": bytes(64), "sigma": bytes(128)}.values()))

    def test_lists(self):
        c = square_circuit(table=True)
        self.refused("rule 2: there is no such node", c, constraints=u32(1) + u32(len(c.nodes)))
        self.refused("no width", c, tables=u32(1) + u32(0) + u32(1))
        self.refused("no inputs", c, tables=u32(1) + u32(1) + u32(0) + u32(0))
        self.refused("no such node", c, tables=u32(1) + u32(1) + u32(99) + u32(1) + u32(0))
        self.refused("no such node", c, tables=u32(1) + u32(1) + u32(0) + u32(1) + u32(99))
        self.refused("copied column is of no kind", c, copied=u32(1) + b"\x00" + u32(0))
        self.refused("copied column is of no kind", c, copied=u32(1) + b"\x04" + u32(0))
        self.refused("numbered 0", c, copied=u32(1) + b"\x03" + u32(1))
        self.refused("node is of no kind", c, nodes=u32(1) + b"\x06" + u32(0))
        self.refused("not before it", c, nodes=u32(1) + b"\x04" + u32(0) + u32(0))
        self.refused("below r", c, nodes=u32(1) + b"\x00" + r.to_bytes(32, "big"))

    def test_rule_1(self):
        c = square_circuit()
        a = c.cell("advice", 0)
        c.constraints.append(c.product(a, a, a, a, a))
        fast.read_key(c.key())
        c.constraints[-1] = c.product(a, a, a, a, a, a)
        self.refused("rule 1: a constraint", c)
        for _ in range(200):
            c.constraints[-1] = c.product(c.constraints[-1], c.constraints[-1])
        self.refused("rule 1: a constraint", c)
        c = square_circuit(table=True)
        c.tables[0][1].append([c.product(a, a, a)])
        self.refused("rule 1: the degree of an input", c)
        c = square_circuit(table=True)
        c.tables.append(([c.product(a, a)], [[a]]))
        self.refused("rule 1: the degree of a table", c)

    def test_rule_2(self):
        for kind, column in (("fixed", 1), ("advice", 2)):
            c = square_circuit()
            c.constraints.append(c.cell(kind, column))
            self.refused("rule 2", c)
        for kind, column in (("fixed", 1), ("advice", 2)):
            c = square_circuit()
            self.refused("rule 2", c, copied=u32(1) + bytes([fast.KINDS.index(kind)]) + u32(column))

    def test_rule_3(self):
        for kind in "fixed", "advice", "inputs":
            for rotation in 8, -8, 2 ** 31 - 1, -2 ** 31:
                c = square_circuit()
                c.constraints.append(c.cell(kind, 0, rotation))
                self.refused("rule 3: a rotation", c)
            c = square_circuit()
            c.constraints += [c.cell(kind, 0, 3), c.cell(kind, 0, -5)]
            self.refused("rule 3: two rotations", c)
            c.constraints = c.constraints[:1] + [c.cell(kind, 0, 3), c.cell(kind, 0, -4)]
            c.nodes = [node for node in c.nodes if node[-4:] != i32(-5)]
            c.constraints[-1] = c.cell(kind, 0, -4)
            fast.read_key(c.key())

    def test_two_equal_nodes_are_one_rotation(self):
        c = square_circuit()
        c.nodes.append(c.nodes[c.cell("advice", 1, 1)])
        c.constraints.append(len(c.nodes) - 1)
        self.assertEqual(fast.read_key(c.key()).rotations["advice", 1], [1])

    def test_rule_4(self):
        c = square_circuit()
        self.refused("rule 4: a column of advice", c, counts=u32(1) + u32(3) + u32(1))
        self.refused("rule 4: a column of fixed", c, counts=u32(2) + u32(2) + u32(1))

    def test_rule_5(self):
        c = square_circuit()
        c.constant(77)
        self.refused("rule 5", c)

    def test_rule_6(self):
        c = square_circuit()
        c.copied.append(("inputs", 0))
        self.refused("rule 6: a copied column stands", c, sigma=bytes(192))
        many = b"".join(b"\x02" + u32(i) for i in range(4097))
        self.refused("rule 6: there are more", c, counts=u32(1) + u32(4097) + u32(1), copied=u32(4097) + many)

    def test_rule_7(self):
        self.refused("rule 7", square_circuit(copied=False))

    def test_rule_8(self):
        self.refused("rule 8", k=u32(11), usable=u32(1023))
        fast.read_key(b"".join({**square_circuit().key_parts(), "k": u32(11), "usable": u32(1024)}.values()))

    def test_rule_9_rotations(self):
        for kind in "fixed", "advice", "inputs":
            c = square_circuit(k=2)
            c.k = 9                      # the key's rows alone, for the commitments may be any
            c.usable = 510
            # Copied or not, these columns have rotations 0 or 1 already.
            have = {"fixed": [0], "advice": [0], "inputs": [0]}[kind]
            c.constraints += [c.cell(kind, 0, rotation) for rotation in range(-128, 128) if rotation not in have]
            if kind != "inputs":
                c.constraints.append(c.cell(kind, 0, 0))
            self.assertEqual(len(fast.read_key(c.key()).rotations[kind, 0]), 256)
            c.constraints.append(c.cell(kind, 0, 128))
            self.refused("rule 9: a column", c)
            # What comes after it is not looked at. The 0 of the column of inputs comes last, as it is copied.
            c.constraints.append(c.cell("fixed", 9))
            self.refused("rule 2" if kind == "inputs" else "rule 9: a column", c)

    def test_counts_that_rules_6_and_9_forbid(self):
        # Nothing follows the count. There are two columns of each kind.
        parts = square_circuit(table=True).key_parts()

        def refused(reason, name, *numbers):
            before = list(parts.values())[:list(parts).index(name)]
            with self.assertRaisesRegex(BadKey, reason):
                fast.read_key(b"".join([*before, *map(u32, numbers)]))

        for reason, most in ("too early", 16384), ("rule 9: a proof", 16385):
            refused(reason, "counts", most - 2, 2, 0)
            refused(reason, "counts", 2, most - 2, 0)
            refused(reason, "tables", most - 4)
        for reason, most in ("too early", 65536), ("rule 9: all tables", 65537):
            refused(reason, "tables", 1, 1, 0, most)
            refused(reason, "tables", 2, 1, 0, 1, 0, 1, 0, most - 1)
        refused("too early", "copied", 4096)
        refused("rule 6: there are more", "copied", 4097)

    def test_rule_9_cells(self):
        # 128 columns at 128 rotations, one cell more, and one of no column, which is not looked at.
        cells = [(i, rotation) for i in range(128) for rotation in range(128)] + [(0, 128), (128, 0)]
        for reason, cells in ("rule 9: a proof", cells), ("rule 2", cells[1:]):
            self.refused(reason, k=u32(9), usable=u32(510), counts=u32(0) + u32(128) + u32(0),
                         nodes=u32(len(cells)) + b"".join(b"\x02" + u32(i) + i32(rotation) for i, rotation in cells),
                         constraints=u32(len(cells)) + b"".join(u32(i) for i in range(len(cells))),
                         copied=u32(1) + b"\x02" + u32(0))

    def test_rule_9_values(self):
        # 64 columns at 255 or 256 rotations; one of them is copied, which makes three values more: z twice, and σ.
        def parts(last):
            cells = [(i, rotation) for i in range(64) for rotation in range(last if i == 63 else 256)]
            return {"k": u32(9), "usable": u32(510), "counts": u32(0) + u32(64) + u32(0),
                    "nodes": u32(len(cells)) + b"".join(b"\x02" + u32(i) + i32(rotation) for i, rotation in cells),
                    "constraints": u32(len(cells)) + b"".join(u32(i) for i in range(len(cells))),
                    "copied": u32(1) + b"\x02" + u32(0), "fixed": b"", "sigma": bytes(64)}

        self.refused("rule 9: a proof", **parts(254))
        with patch("fast.H"):          # the digest of so long a key takes seconds
            key = fast.read_key(b"".join({**square_circuit().key_parts(), **parts(253)}.values()))
        self.assertEqual(len(fast.opened(key)), 16384)


# ---------------------------------------------------------------- 3. What follows from a key

class ArrangementOfSection3(unittest.TestCase):
    def test_large(self):
        found = LARGE_KEY.arrangement
        # Weights: table 0 has 1, 2, 1, 1; table 1 has 1, 2; table 2 has 1, 1. The sum takes table 0's second.
        def short(term):
            return ("input" if term.of_input else "table", term.table, term.weight)

        self.assertEqual([short(term) for term in found.sum], [("input", 0, 2), ("table", 0, 1)])
        self.assertEqual(found.sum[0].nodes, LARGE_KEY.tables[0].inputs[1])
        self.assertEqual([[short(term) for term in terms] for terms in found.helpers], [
            [("input", 1, 2), ("input", 0, 1), ("input", 0, 1)],
            [("input", 0, 1), ("input", 1, 1), ("input", 2, 1), ("input", 2, 1)],
            [("table", 1, 1), ("table", 2, 1)],
        ])
        self.assertEqual(found.helpers[0][1].nodes, LARGE_KEY.tables[0].inputs[0])
        self.assertEqual([list(chunk) for chunk in found.chunks], [[0, 1, 2, 3], [4, 5, 6, 7], [8]])
        self.assertEqual([(*name, rotations) for name, rotations in found.polynomials.items()], [
            ("advice", 0, [0]), ("advice", 1, [0]), ("advice", 2, [0, 1]), ("advice", 3, [-1, 0]), ("advice", 4, [0]),
            ("advice", 5, [0]), ("advice", 6, [0]), ("advice", 7, [0]), ("m", 0, [0]), ("m", 1, [0]), ("m", 2, [0]),
            ("h", 0, [0]), ("h", 1, [0]), ("h", 2, [0]), ("phi", 0, [0, 1]), ("z", 0, [0, 1]),
            ("d", 1, [0]), ("d", 2, [0]),
            *(("fixed", i, [0]) for i in range(6)), *(("sigma", i, [0]) for i in range(9)), ("quotient", 0, [0]),
        ])

    def helpers(self, *weights_of_tables):
        c = square_circuit(table=True)
        a = c.cell("advice", 0)
        node = {0: c.constant(1), 1: a, 2: c.product(a, a)}
        c.tables = [([c.cell("fixed", 1)], [[node[weight]] for weight in weights]) for weights in weights_of_tables]
        c.constraints += list(node.values())
        found = fast.read_key(c.key()).arrangement
        return [[(term.of_input, term.table, term.weight) for term in terms] for terms in found.helpers]

    def test_helpers(self):
        self.assertEqual(self.helpers([1]), [])
        self.assertEqual(self.helpers([0]), [])
        self.assertEqual(self.helpers([1, 2]), [[(True, 0, 1)]])
        self.assertEqual(self.helpers([2, 2, 2, 2]), [[(True, 0, 2), (True, 0, 2)], [(True, 0, 2)]])
        self.assertEqual(self.helpers([2, 2, 2, 1, 1], [0]),
                         [[(True, 0, 2), (True, 0, 2)], [(True, 0, 1), (True, 0, 1), (True, 1, 1), (False, 1, 1)]])
        self.assertEqual(self.helpers([1, 1, 1, 1], [1], [2]),
                         [[(True, 0, 1)] * 4, [(True, 1, 1), (False, 1, 1), (False, 2, 1)]])
        # Only the last helper takes more: the first has room for a term of weight 1 and gets none.
        self.assertEqual(self.helpers([2, 2, 1, 1, 1, 1]),
                         [[(True, 0, 2), (True, 0, 1), (True, 0, 1)], [(True, 0, 1), (True, 0, 1)]])

    def test_chunks(self):
        for copied, sizes in ((1, [1]), (2, [2])):
            c = square_circuit()
            c.copied, c.copies = c.copied[:copied], []
            found = fast.read_key(c.key()).arrangement
            self.assertEqual([len(chunk) for chunk in found.chunks], sizes)
            self.assertEqual([kind for kind, _ in found.polynomials if kind in ("phi", "z", "d", "h", "m")], ["z"])

    def test_rotations(self):
        c = square_circuit()
        c.constraints += [c.cell("advice", 0, 7), c.cell("advice", 0, -7 + 1), c.cell("advice", 1, -3)]
        key = fast.read_key(c.key())
        self.assertEqual(key.rotations["advice", 0], [-6, 0, 7])
        self.assertEqual(key.rotations["advice", 1], [-3, 1])


# ---------------------------------------------------------------- 5. Challenges

class Challenges(unittest.TestCase):
    def test_by_hand(self):
        class Key:
            digest, inputs = bytes(range(32)), 2

        def squeezed(state):
            return int.from_bytes(state, "big") % r

        found, name = fast.challenges(Key, [1, r - 1], [b"one", b"", b"three", b"four", b"five", b"six"])
        s = H(b"muster-fast-keccak256-1")
        s = H(s + b"\0" + bytes(range(32)))
        s = H(s + b"\0" + bytes(31) + b"\x01" + (r - 1).to_bytes(32, "big"))
        s = H(s + b"\0one")
        for challenge in "theta", "beta_l", "beta", "gamma":
            s = H(s + b"\x01")
            self.assertEqual(found[challenge], squeezed(s))
        for challenge, item in (("y", b""), ("x", b"three"), ("alpha", b"four"), ("u", b"five")):
            s = H(H(s + b"\0" + item) + b"\x01")
            self.assertEqual(found[challenge], squeezed(s))
        self.assertEqual(name, H(s + b"\0six"))

    def test_rows(self):
        rows = fast.read_proof(LARGE_KEY, LARGE_PROOF).rows
        self.assertEqual(b"".join(rows), LARGE_PROOF)
        self.assertEqual([len(row) for row in rows], [32 * 11, 32 * 7, 32 * 4, 32 * 37, 32, 32])


# ---------------------------------------------------------------- 6. and 7.

class Equation(unittest.TestCase):
    def test_basis(self):
        # L_i is 1 at row i and 0 at the others, found here by interpolation.
        key = LARGE_KEY
        for i in 0, 3, 15:
            f = toy_prover.lagrange(LARGE.points, [1 if row == i else 0 for row in range(16)])
            self.assertEqual(fast.L(key, i, 12345), toy_prover.at(f, 12345))

    def test_exceptional_x(self):
        for x in 0, 1, LARGE_KEY.omega:
            with self.assertRaisesRegex(Refused, "x is"):
                fast.quotient_value(LARGE_KEY, LARGE_INPUTS, {}, {"x": x})

    def test_exceptional_u(self):
        found = fast.openings(LARGE_KEY, LARGE_INPUTS, LARGE_PROOF)
        # At ω·x only a_2, φ and z are opened, at x/ω only a_3.
        for rotation in 0, 1, -1:
            u = found.challenges["x"] * pow(LARGE_KEY.omega, rotation, r) % r
            with patch("fast.challenges", return_value=({**found.challenges, "u": u}, found.name)):
                with self.assertRaisesRegex(Refused, "u is"):
                    fast.openings(LARGE_KEY, LARGE_INPUTS, LARGE_PROOF)


@without_pairings
class Proofs(unittest.TestCase):
    def refused(self, advice, because, inputs=LARGE_INPUTS, circuit=LARGE, key=LARGE_KEY_BYTES, **how):
        """`because` are the constraints that are not met: nothing else may be what is refused."""
        proof, unmet = prove(circuit, key, advice, inputs, **how)
        self.assertEqual(unmet, because)
        with self.assertRaisesRegex(Refused, "pairings"):
            fast.verify(fast.read_key(key), inputs, proof)

    def accepted(self, circuit, advice, inputs, **how):
        key = circuit.key()
        proof, unmet = prove(circuit, key, advice, inputs, **how)
        self.assertEqual(unmet, [])
        fast.verify(fast.read_key(key), inputs, proof)

    def test_honest(self):
        self.assertEqual(LARGE_UNMET, [])
        fast.verify(LARGE_KEY, LARGE_INPUTS, LARGE_PROOF)
        # Other randomness, another proof.
        proof, unmet = prove(LARGE, LARGE_KEY_BYTES, large_advice(), LARGE_INPUTS, seed=2)
        self.assertEqual(unmet, [])
        self.assertNotEqual(proof, LARGE_PROOF)
        fast.verify(LARGE_KEY, LARGE_INPUTS, proof)

    def test_small(self):
        self.accepted(square_circuit(), square_advice(), [2])
        self.accepted(square_circuit(k=2), square_advice(k=2), [0])
        # One table with one input, no copies and no helpers.
        self.accepted(square_circuit(copied=False, table=True), square_advice(), [0])
        self.accepted(square_circuit(table=True), square_advice(), [2])

    def test_copies_only(self):
        # Neither nodes nor fixed columns nor inputs; five columns are two chunks.
        c = Circuit(3, 6, [], advice=5, inputs=0)
        c.copied = [("advice", i) for i in (4, 2, 0, 1, 3)]
        c.copies = [(("advice", 0, 0), ("advice", 3, 5)), (("advice", 3, 5), ("advice", 4, 1))]
        advice = [[10 * i + row for row in range(6)] for i in range(5)]
        advice[3][5] = advice[4][1] = advice[0][0]
        self.accepted(c, advice, [])
        advice[4][1] += 1
        self.refused(advice, [2], [], circuit=c, key=c.key())

    def test_no_advice_and_no_tables(self):
        # The first row of the proof is empty.
        c = Circuit(3, 6, [[4, 5, 6]], advice=0, inputs=1)
        c.copied, c.copies = [("fixed", 0), ("inputs", 0)], [(("fixed", 0, 1), ("inputs", 0, 0))]
        self.accepted(c, [], [5])
        self.refused([], [1], [6], circuit=c, key=c.key())

    def test_only_fixed_columns(self):
        # The first row of the proof has one multiplicity; a fixed column of zeros has the identity as commitment.
        c = Circuit(3, 6, [[0] * 8, [0, 1, 2, 3, 4, 5]], advice=0, inputs=2)
        c.tables = [([c.cell("fixed", 1)], [[c.cell("fixed", 0)], [c.cell("inputs", 0)]])]
        self.accepted(c, [], [5, 1])
        self.refused([], [1], [5, 6], circuit=c, key=c.key())

    def test_wrong_gate(self):
        advice = large_advice()
        advice[2][7] = advice[2][1]      # still in its table, and copied nowhere
        self.refused(advice, [0, 1])

    def test_wrong_gate_of_the_input(self):
        # Without the copy, only the gate ties a_3 to the column of inputs at rotation −2.
        c = large_circuit()
        c.copies.remove((("inputs", 0, 1), ("advice", 3, 2)))
        self.accepted(c, large_advice(), LARGE_INPUTS)
        self.refused(large_advice(), [2], [LARGE_INPUTS[0], LARGE_INPUTS[1] + 1], circuit=c, key=c.key())

    def test_wrong_copy(self):
        advice = large_advice()
        advice[5][4] += 1                # this column is in copies alone
        self.refused(advice, [LAST_CHUNK])
        # z = 0 meets the products whatever the cells are; only ℓ₀·(z − 1) is against it.
        self.refused(advice, [START], z_start=0)
        self.refused(large_advice(), [START], z_start=2)

    def test_wrong_input(self):
        wrong = [LARGE_INPUTS[0] + 1, LARGE_INPUTS[1]]
        self.refused(large_advice(), [LAST_CHUNK], wrong)
        for inputs, reason in ((wrong, "pairings"), (LARGE_INPUTS[::-1], "pairings"),
                               (LARGE_INPUTS[:1], "takes 2 inputs"), (LARGE_INPUTS + [0], "takes 2 inputs"),
                               ([LARGE_INPUTS[0] + r, LARGE_INPUTS[1]], "below r")):
            with self.assertRaisesRegex(Refused, reason):
                fast.verify(LARGE_KEY, inputs, LARGE_PROOF)

    def multiplicities(self):
        """The honest ones, with zeros in the rows after the usable ones."""
        a = large_advice()
        m0, m1, m2 = ([0] * 16 for _ in range(3))
        for i in range(USABLE):
            for value in (a[0][i], a[1][i] * (i % 2), 3, a[6][i]):
                m0[value] += 1
            for value in (a[3][i], a[3][i] * (i % 2)):
                m1[value] += 1
            m2[a[7].index(a[2][i])] += 2
        return m0, m1, m2

    def test_lookup(self):
        m0, m1, m2 = self.multiplicities()
        proof, unmet = prove(LARGE, LARGE_KEY_BYTES, large_advice(), LARGE_INPUTS, multiplicities=[m0, m1, m2])
        self.assertEqual(unmet, [])
        fast.verify(LARGE_KEY, LARGE_INPUTS, proof)

        advice = large_advice()
        advice[6][0] = 9                 # was 7, and is in no row of table 0
        m0[7] -= 1
        self.refused(advice, [SUM], multiplicities=[m0, m1, m2])
        self.refused(advice, [SUM])
        for row in 0, 7, 10, 11, 15:     # the last two are not usable
            with_one_more = m0[:row] + [m0[row] + 1] + m0[row + 1:]
            _, unmet = prove(LARGE, LARGE_KEY_BYTES, advice, LARGE_INPUTS, multiplicities=[with_one_more, m1, m2])
            self.assertEqual(unmet, [SUM])
        # 35 is a number of table 2, and table 0 does not have it for that.
        advice[6][0] = 35
        m2[advice[7].index(35)] += 1
        self.refused(advice, [SUM], multiplicities=[m0, m1, m2])

    def test_lookup_of_what_is_after_the_usable_rows(self):
        m0, m1, m2 = self.multiplicities()
        advice = large_advice()
        advice[6][0] = 99
        m0[7] -= 1
        m0[12] += 1                      # row 12 has 99
        self.refused(advice, [SUM], multiplicities=[m0, m1, m2])

    def test_lookup_of_a_wrong_pair(self):
        advice = large_advice()
        advice[4][7] = 1                 # each of 2 and 1 is in table 1, not as a pair; copied nowhere
        self.assertEqual(advice[3][7], 2)
        self.refused(advice, [SUM])

    def test_multiplicities_must_be_right(self):
        m0, m1, m2 = self.multiplicities()
        m1[0], m1[1] = m1[0] + 1, m1[1] - 1
        self.refused(large_advice(), [SUM], multiplicities=[m0, m1, m2])

    def test_changed_proofs(self):
        def check(reason, bad):
            with self.assertRaisesRegex(Refused, reason):
                fast.verify(LARGE_KEY, LARGE_INPUTS, bad)

        points, values = proof_offsets(LARGE_KEY)
        self.assertEqual(len(LARGE_PROOF), points[-1] + 32)
        for i, at in enumerate(points):
            if i % 4 == 0:
                check("curve|pairings", with_byte_changed(LARGE_PROOF, at + 31))
            check("curve", LARGE_PROOF[:at] + bytes(32) + LARGE_PROOF[at + 32:])
            check("below q", with_number(LARGE_PROOF, at, lambda number: number % 2 ** 255 + q))
        # The negatives of points, of each row.
        for i in 0, 10, 11, 15, 17, 18, 21, -2, -1:
            check("pairings", with_byte_changed(LARGE_PROOF, points[i], 0x80))
        for at in values[::5] + values[-1:]:
            check("pairings", with_byte_changed(LARGE_PROOF, at + 31))
            check("below r", with_number(LARGE_PROOF, at, lambda number: number + r))
        for bad, reason in ((LARGE_PROOF[:-1], "too early"), (LARGE_PROOF + b"\0", "left over"), (b"", "too early")):
            check(reason, bad)

    def test_every_item(self):
        # A bit of each point and each value, in other bytes of each; with MUSTER_EXHAUSTIVE=1, a bit of every byte.
        circuit = square_circuit(table=True)
        key = circuit.key()
        proof, _ = prove(circuit, key, square_advice(), [2])
        read = fast.read_key(key)
        fast.verify(read, [2], proof)
        if os.environ.get("MUSTER_EXHAUSTIVE") == "1":
            places = range(len(proof))
        else:
            places = [at + 11 * at // 32 % 32 for at in range(0, len(proof), 32)]
        for at in places:
            with self.subTest(byte=at), self.assertRaises(Refused):
                fast.verify(read, [2], with_byte_changed(proof, at, 1 << (at + at // 32) % 8))

    def test_another_key(self):
        # The description alone differs.
        other = b"".join({**LARGE.key_parts(), "description": u32(3) + b"tou"}.values())
        with self.assertRaisesRegex(Refused, "pairings"):
            fast.verify(fast.read_key(other), LARGE_INPUTS, LARGE_PROOF)


# ---------------------------------------------------------------- 8. Batches

@without_pairings
class Batches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.proofs = [(LARGE_KEY, LARGE_INPUTS, LARGE_PROOF)]
        for circuit in square_circuit(), square_circuit(table=True), square_circuit(tau=77):
            key = circuit.key()
            proof, unmet = prove(circuit, key, square_advice(), [2])
            assert unmet == []
            cls.proofs.append((fast.read_key(key), [2], proof))

    def test_accepted(self):
        self.assertEqual(verify.verify_batch(self.proofs), [None] * 4)
        self.assertEqual(verify.verify_batch([]), [])

    def test_one_is_bad(self):
        key, inputs, proof = self.proofs[1]
        results = verify.verify_batch([self.proofs[0], (key, [3], proof), (key, inputs, proof[:-1]), self.proofs[3]])
        self.assertEqual([result and str(result) for result in results],
                         [None, "the pairings differ", "the bytes end too early", None])

    def test_two_whose_errors_cancel(self):
        # The left points are off by ±[1]₁, so a plain sum would not see it.
        found = [fast.openings(*proof) for proof in self.proofs[:2]]
        off = [add(found[0].E, G1), add(found[1].E, neg(G1))]
        for a, agree in (([1, 1], True), (fast.weights([each.name for each in found]), False)):
            E, W_prime = (fast.linear_combination(a, points) for points in (off, [each.W_prime for each in found]))
            self.assertEqual(agree_in_g1(E, W_prime, LARGE_KEY.tau), agree)

    def test_weights(self):
        two = H(b"one nameanother")
        three = H(two + b"a third")
        self.assertEqual(fast.weights([b"one name", b"another", b"a third"]),
                         [1, int(two.hex()[:32], 16), int(three.hex()[:32], 16)])
        self.assertEqual((fast.weights([]), fast.weights([b"one name"])), ([], [1]))


# ---------------------------------------------------------------- The command

class Command(unittest.TestCase):
    def run_main(self, *arguments):
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            code = verify.main(list(arguments))
        return code, out.getvalue()

    def test_command(self):
        circuit = square_circuit()
        key = circuit.key()
        proof, _ = prove(circuit, key, square_advice(), [2])
        with tempfile.TemporaryDirectory() as folder:
            def file(name, data):
                path = os.path.join(folder, name)
                with open(path, "wb") as f:
                    f.write(data)
                return path

            K, P = file("key", key), file("proof", proof)
            K_hex = file("key.txt", b"0x" + key.hex().encode() + b"\n")
            P_hex = file("proof.txt", b"0x" + proof.hex().encode())
            two = "0x" + scalar(2).hex()
            self.assertEqual(self.run_main(K_hex, P_hex, two), (0, "accepted\n"))
            self.assertEqual(self.run_main(K, P, "3"), (1, "refused: the pairings differ\n"))
            self.assertEqual(self.run_main(K, P)[0], 1)
            self.assertEqual(self.run_main(K, P, str(r + 2))[0], 1)
            self.assertEqual(self.run_main("--digest", K), (0, "0x" + H(key).hex() + "\n"))
            for bad in ((), (K,), (K, os.path.join(folder, "none"), "2"), (K, P, "0x2"), (K, P, "-2"), (K, P, "two"),
                        (P, P, "2"), ("--digest", P), ("--unknown", K, P, "2"), (file("bad.txt", b"0xzz"), P, "2")):
                self.assertEqual(self.run_main(*bad)[0], 2, bad)
            code, out = self.run_main("--challenges", K, P, "2")
            self.assertEqual(code, 0)
            self.assertEqual(" ".join(line.split()[0] for line in out.splitlines()),
                             "theta beta_l beta gamma y x alpha u T name E W' accepted")
            W_prime = Reader(proof[-32:], Refused).point_of_proof()
            self.assertIn("W' 0x" + point_of_key(W_prime).hex() + "\n", out)


# ---------------------------------------------------------------- Proofs of the real prover

def vectors():
    return sorted(glob.glob(os.path.join(HERE, "..", "vectors", "*.json")))


class Vectors(unittest.TestCase):
    def test_vectors(self):
        self.assertTrue(vectors())
        for path in vectors():
            with self.subTest(os.path.basename(path)), open(path) as file:
                self.check(json.load(file))

    def check(self, vector):
        key_bytes, data = (bytes.fromhex(vector[name][2:]) for name in ("key", "proof"))
        inputs = [int(text, 16) for text in vector["inputs"]]
        key = fast.read_key(key_bytes)
        honest = fast.openings(key, inputs, data)
        self.assertTrue(fast.pairings_agree(honest.E, honest.W_prime, key.tau))
        self.assertEqual({name: int(text, 16) for name, text in vector["challenges"].items()}, honest.challenges)

        def refused(key, inputs, data):
            # Where W′ is as it was, only one left point is accepted: no pairing is needed.
            try:
                found = fast.openings(key, inputs, data)
            except Refused:
                return
            if eq(found.W_prime, honest.W_prime):
                self.assertFalse(eq(found.E, honest.E))
            else:
                self.assertFalse(fast.pairings_agree(found.E, found.W_prime, key.tau))

        points, values = proof_offsets(key)
        self.assertEqual(len(data), points[-1] + 32)
        for at in {*points[::1 + len(points) // 6], *points[-2:]}:
            refused(key, inputs, with_byte_changed(data, at, 0x80))
        for at in {*values[::1 + len(values) // 6], values[-1]}:
            refused(key, inputs, with_byte_changed(data, at + 31))
        for j in {0, len(inputs) - 1} if inputs else ():
            refused(key, inputs[:j] + [(inputs[j] + 1) % r] + inputs[j + 1:], data)
        # The byte that says whether the SRS is a ceremony's, and the description's last, change nothing but the digest.
        for at in [18] + [18 + 128 + 4 + len(key.description)] * bool(key.description):
            other = fast.read_key(with_byte_changed(key_bytes, at))
            self.assertNotEqual(other.digest, key.digest)
            refused(other, inputs, data)
        # The last byte of the key is of a point's y: changed, the key is none.
        with self.assertRaises(BadKey):
            fast.read_key(with_byte_changed(key_bytes, len(key_bytes) - 1))


class VectorsOfTheToyProver(Vectors):
    """The check of vectors, on one that is made here, so that it is run before there are others."""

    def test_vectors(self):
        challenges = fast.openings(LARGE_KEY, LARGE_INPUTS, LARGE_PROOF).challenges
        self.check({"key": "0x" + LARGE_KEY_BYTES.hex(), "proof": "0x" + LARGE_PROOF.hex(),
                    "inputs": ["0x" + scalar(number).hex() for number in LARGE_INPUTS],
                    "challenges": {name: f"0x{number:064x}" for name, number in challenges.items()}})


if __name__ == "__main__":
    unittest.main()
