#!/usr/bin/env python3
"""A verifier for proofs of the format `fast`, to be read beside ../SPEC.md.

The sections stand in the order of that page and use its names. Nothing here is fast; everything is
meant to be checked by eye. The curve and its pairing are py_ecc's, the rest is here.

    python3 verify.py [--challenges] KEY PROOF INPUT...
    python3 verify.py --digest KEY

KEY and PROOF are files, of raw bytes or of hex that begins with 0x. An INPUT is 0x and 64 hex digits,
or a decimal number. Exit 0: accepted. Exit 1: the proof is refused. Exit 2: the key or the call is bad.
"""

import sys
from collections import namedtuple
from dataclasses import dataclass, field

from py_ecc.optimized_bn128 import (
    FQ, FQ2, G1, G2, Z1, add, b, b2, is_inf, is_on_curve, multiply, neg, normalize, pairing,
)


class BadKey(Exception):
    """The key's bytes are no key. Nothing can be said of a proof under it."""


class Refused(Exception):
    """The proof does not show what it should."""


# ---------------------------------------------------------------- 1. Numbers, points, bytes

q = 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47
r = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001
OMEGA_28 = 0x03DDB9F5166D18B798865EA93DD31F743215CF6DD39329C8D34F1ED960C37C9C
DELTA = 0x09226B6E22C6F0CA64EC26AAD4C86E715B5F898E5E963F25870E56BBE533E9A2

IDENTITY = bytes(64)


def inverse(a):
    return pow(a, -1, r)


class Reader:
    """Takes bytes from the front; `error` is what it raises, for a key and a proof fail differently."""

    def __init__(self, data, error):
        self.data, self.at, self.error = data, 0, error

    def take(self, count):
        if len(self.data) - self.at < count:
            raise self.error("the bytes end too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def u8(self):
        return self.take(1)[0]

    def u32(self):
        return int.from_bytes(self.take(4), "big")

    def i32(self):
        return int.from_bytes(self.take(4), "big", signed=True)

    def scalar(self):
        number = int.from_bytes(self.take(32), "big")
        if number >= r:
            raise self.error("a scalar is not below r")
        return number

    def coordinate(self):
        number = int.from_bytes(self.take(32), "big")
        if number >= q:
            raise self.error("a coordinate is not below q")
        return number

    def point(self, identity_allowed):
        if self.data[self.at:self.at + 64] == IDENTITY:
            self.take(64)
            if not identity_allowed:
                raise self.error("a point is the identity")
            return Z1
        point = (FQ(self.coordinate()), FQ(self.coordinate()), FQ(1))
        if not is_on_curve(point, b):
            raise self.error("a point is not on the curve")
        return point

    def point_of_g2(self):
        x1, x0, y1, y0 = [self.coordinate() for _ in range(4)]
        # The identity has no affine coordinates, and 128 zero bytes are not on the twist.
        point = (FQ2([x0, x1]), FQ2([y0, y1]), FQ2([1, 0]))
        if not is_on_curve(point, b2):
            raise self.error("the point of G2 is not on the twist")
        if not is_inf(multiply(point, r)):
            raise self.error("the point of G2 is not in the subgroup of order r")
        return point

    def end(self):
        if self.at != len(self.data):
            raise self.error("bytes are left over")


KECCAK_ROTATIONS = [  # [x][y]
    [0, 36, 3, 41, 18], [1, 44, 10, 45, 2], [62, 6, 43, 15, 61], [28, 55, 25, 21, 56], [27, 20, 39, 8, 14],
]
KECCAK_ROUNDS = [
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000, 0x000000000000808B,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008A, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000A, 0x000000008000808B, 0x800000000000008B, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]


def keccak_f(a):
    """The permutation Keccak-f[1600] on 5 x 5 lanes of 64 bits, a[x][y]."""
    def rotate(lane, by):
        return (lane << by | lane >> (64 - by)) & (2 ** 64 - 1)

    for constant in KECCAK_ROUNDS:
        column = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        for x in range(5):
            mix = column[(x - 1) % 5] ^ rotate(column[(x + 1) % 5], 1)
            for y in range(5):
                a[x][y] ^= mix
        moved = [[0] * 5 for _ in range(5)]
        for x in range(5):
            for y in range(5):
                moved[y][(2 * x + 3 * y) % 5] = rotate(a[x][y], KECCAK_ROTATIONS[x][y])
        a = [[moved[x][y] ^ (~moved[(x + 1) % 5][y] & moved[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        a[0][0] ^= constant
    return a


def H(message):
    """Keccak-256: blocks of 136 bytes; the padding begins with 0x01, where SHA-3's begins with 0x06."""
    padded = bytearray(message + b"\x01")
    padded += bytes(-len(padded) % 136)
    padded[-1] |= 0x80
    a = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), 136):
        for lane in range(17):
            at = start + 8 * lane
            a[lane % 5][lane // 5] ^= int.from_bytes(padded[at:at + 8], "little")
        a = keccak_f(a)
    return b"".join(a[x][0].to_bytes(8, "little") for x in range(4))


# ---------------------------------------------------------------- 2. The key

CONSTANT, FIXED, ADVICE, INPUTS, SUM, PRODUCT = range(6)

# What stands in a node depends on its tag: `value` for a constant; `column` and `rotation` for a cell
# (column 0 for the column of inputs); `left` and `right` for a sum or a product.
Node = namedtuple("Node", "tag value column rotation left right", defaults=(None,) * 5)
Table = namedtuple("Table", "nodes inputs")


@dataclass
class Key:
    digest: bytes
    ceremony: bool
    tau: tuple
    tau_bytes: bytes
    description: bytes
    k: int
    usable: int
    fixed: int
    advice: int
    inputs: int
    nodes: list
    constraints: list
    tables: list
    copied: list  # pairs of FIXED, ADVICE or INPUTS, and the column
    fixed_commitments: list = field(default_factory=list)
    sigma_commitments: list = field(default_factory=list)

    @property
    def n(self):
        return 2 ** self.k

    @property
    def omega(self):
        return pow(OMEGA_28, 2 ** (28 - self.k), r)

    def rotations(self, tag, column):
        """The rotations at which a column is opened: those of its nodes, and 0 if it is copied."""
        found = {node.rotation for node in self.nodes if node.tag == tag and node.column == column}
        if (tag, column) in self.copied:
            found.add(0)
        return sorted(found)


def read_key(data):
    """The key that these bytes are; raises BadKey."""
    reader = Reader(data, BadKey)
    if reader.take(16) != b"muster-verifier1":
        raise BadKey("it does not begin with muster-verifier1")
    if reader.u8() != 1:
        raise BadKey("its kind is not 1 (fast)")
    if reader.u8() != 1:
        raise BadKey("its hash is not 1 (Keccak-256)")
    ceremony = reader.u8()
    if ceremony > 1:
        raise BadKey("its SRS is neither 0 nor 1")
    tau = reader.point_of_g2()
    tau_bytes = data[reader.at - 128:reader.at]
    if (tau[0], tau[1]) == (G2[0], G2[1]):
        raise BadKey("tau is 1")
    length = reader.u32()
    if length > 65536:
        raise BadKey("the description is too long")
    description = reader.take(length)
    k = reader.u32()
    if not 2 <= k <= 26:
        raise BadKey("k is not 2 to 26")
    usable = reader.u32()
    if not 1 <= usable <= 2 ** k - 2:
        raise BadKey("usable is not 1 to n - 2")
    if reader.u32() != 1:
        raise BadKey("the stride is not 1")
    fixed, advice, inputs = reader.u32(), reader.u32(), reader.u32()
    if inputs > usable:
        raise BadKey("there are more inputs than usable rows")

    nodes = [read_node(reader, number) for number in range(reader.u32())]

    def node_number():
        number = reader.u32()
        if number >= len(nodes):
            raise BadKey("there is no such node")
        return number

    constraints = [node_number() for _ in range(reader.u32())]
    tables = []
    for _ in range(reader.u32()):
        width = reader.u32()
        if width < 1:
            raise BadKey("a table has no width")
        table_nodes = [node_number() for _ in range(width)]
        input_count = reader.u32()
        if input_count < 1:
            raise BadKey("a table has no inputs")
        tables.append(Table(table_nodes, [[node_number() for _ in range(width)] for _ in range(input_count)]))
    copied = []
    for _ in range(reader.u32()):
        tag, column = reader.u8(), reader.u32()
        if tag not in (FIXED, ADVICE, INPUTS):
            raise BadKey("a copied column is of no kind")
        copied.append((tag, column))

    key = Key(H(data), ceremony == 1, tau, tau_bytes, description, k, usable, fixed, advice, inputs,
              nodes, constraints, tables, copied)
    check_rules(key)
    # Rules 4 and 6 bound both numbers by bytes that were read.
    key.fixed_commitments = [reader.point(identity_allowed=True) for _ in range(fixed)]
    key.sigma_commitments = [reader.point(identity_allowed=True) for _ in copied]
    reader.end()
    return key


def read_node(reader, number):
    tag = reader.u8()
    if tag == CONSTANT:
        return Node(tag, value=reader.scalar())
    if tag in (FIXED, ADVICE):
        return Node(tag, column=reader.u32(), rotation=reader.i32())
    if tag == INPUTS:
        return Node(tag, column=0, rotation=reader.i32())
    if tag in (SUM, PRODUCT):
        left, right = reader.u32(), reader.u32()
        if left >= number or right >= number:
            raise BadKey("a node uses one that is not before it")
        return Node(tag, left=left, right=right)
    raise BadKey("a node is of no kind")


def degrees(key):
    """The degree of each node. A degree above 5 is given as 6: products of products would grow without bound."""
    found = []
    for node in key.nodes:
        if node.tag == CONSTANT:
            degree = 0
        elif node.tag == SUM:
            degree = max(found[node.left], found[node.right])
        elif node.tag == PRODUCT:
            degree = found[node.left] + found[node.right]
        else:
            degree = 1
        found.append(min(degree, 6))
    return found


def check_rules(key):
    degree = degrees(key)
    cells = [node for node in key.nodes if node.tag in (FIXED, ADVICE, INPUTS)]
    columns = {(node.tag, node.column) for node in cells} | set(key.copied)
    count = {FIXED: key.fixed, ADVICE: key.advice, INPUTS: 1}

    # 1
    if any(degree[node] > 5 for node in key.constraints):
        raise BadKey("rule 1: a constraint's degree is above 5")
    for table in key.tables:
        if any(degree[node] > 1 for node in table.nodes):
            raise BadKey("rule 1: the degree of a table's node is above 1")
        if any(degree[node] > 2 for nodes in table.inputs for node in nodes):
            raise BadKey("rule 1: the degree of an input's node is above 2")
    # 2
    if any(column >= count[tag] for tag, column in columns):
        raise BadKey("rule 2: there is no such column")
    # 3
    if any(not -key.n < node.rotation < key.n for node in cells):
        raise BadKey("rule 3: a rotation is not between -n and n")
    rotations = {(node.tag, node.column, node.rotation) for node in cells}
    rotations |= {(tag, column, 0) for tag, column in key.copied}
    if len({(tag, column, rotation % key.n) for tag, column, rotation in rotations}) != len(rotations):
        raise BadKey("rule 3: two rotations of one column are equal modulo n")
    # 4; by rule 2 the columns that are used are some of those there are, so counting them is enough
    if len([tag for tag, _ in columns if tag == FIXED]) != key.fixed:
        raise BadKey("rule 4: a fixed column is not used")
    if len([tag for tag, _ in columns if tag == ADVICE]) != key.advice:
        raise BadKey("rule 4: an advice column is not used")
    # 5
    used = set(key.constraints)
    for node in key.nodes:
        used |= {node.left, node.right}
    for table in key.tables:
        used |= set(table.nodes).union(*table.inputs)
    if any(number not in used for number in range(len(key.nodes))):
        raise BadKey("rule 5: a node is not used")
    # 6
    if len(set(key.copied)) != len(key.copied):
        raise BadKey("rule 6: a copied column stands there twice")
    if len(key.copied) > 4096:
        raise BadKey("rule 6: there are more than 4,096 copied columns")
    # 7
    if not key.tables and not key.copied:
        raise BadKey("rule 7: there are neither tables nor copied columns")


# ---------------------------------------------------------------- 3. What follows from a key

# A term of table number `table`: of an input, or of the table itself, with its nodes.
Term = namedtuple("Term", "table nodes of_input weight")
# A polynomial and the rotations at which it is opened; `kind` and `number` say which it is.
Polynomial = namedtuple("Polynomial", "kind number rotations")


@dataclass
class Arrangement:
    sum_input: Term  # None if there are no tables, as is the next
    sum_table: Term
    helpers: list    # of lists of terms
    chunks: list     # of lists of numbers of copied columns
    polynomials: list


def arrange(key):
    degree = degrees(key)
    inputs, tables = [], []
    for j, table in enumerate(key.tables):
        for nodes in table.inputs:
            inputs.append(Term(j, nodes, True, max(1, *(degree[node] for node in nodes))))
        tables.append(Term(j, table.nodes, False, 1))

    sum_input = sum_table = None
    helpers = []
    if tables:
        greatest = max(term.weight for term in inputs)
        first = [term.weight for term in inputs].index(greatest)
        sum_input, sum_table = inputs.pop(first), tables.pop(0)
        heavy = [term for term in inputs if term.weight == 2]
        light = [term for term in inputs if term.weight == 1]
        for term in heavy + light + tables:
            if helpers and sum(other.weight for other in helpers[-1]) + term.weight <= 4:
                helpers[-1].append(term)
            else:
                helpers.append([term])

    copied = list(range(len(key.copied)))
    chunks = [copied[start:start + 4] for start in range(0, len(copied), 4)]

    polynomials = [Polynomial("advice", i, key.rotations(ADVICE, i)) for i in range(key.advice)]
    polynomials += [Polynomial("m", j, [0]) for j in range(len(key.tables))]
    polynomials += [Polynomial("h", i, [0]) for i in range(len(helpers))]
    if key.tables:
        polynomials.append(Polynomial("phi", 0, [0, 1]))
    if chunks:
        polynomials.append(Polynomial("z", 0, [0, 1]))
    polynomials += [Polynomial("d", c, [0]) for c in range(1, len(chunks))]
    polynomials += [Polynomial("fixed", i, key.rotations(FIXED, i)) for i in range(key.fixed)]
    polynomials += [Polynomial("sigma", i, [0]) for i in range(len(key.copied))]
    polynomials.append(Polynomial("quotient", 0, [0]))
    return Arrangement(sum_input, sum_table, helpers, chunks, polynomials)


# ---------------------------------------------------------------- 4. The proof

@dataclass
class Proof:
    commitments: dict  # by kind and number; the quotient's is not in it, but its pieces are in `pieces`
    pieces: list
    values: dict       # by kind, number and rotation
    W: tuple
    W_prime: tuple
    rows: list         # the bytes of the six rows of the table, for the challenges


def read_proof(arrangement, data):
    reader = Reader(data, Refused)
    rows, commitments, values = [], {}, {}

    def row(start):
        rows.append(data[start:reader.at])
        return reader.at

    at = 0
    for kinds in ("advice", "m"), ("h", "phi", "z", "d"):
        for polynomial in arrangement.polynomials:
            if polynomial.kind in kinds:
                commitments[polynomial.kind, polynomial.number] = reader.point(identity_allowed=False)
        at = row(at)
    pieces = [reader.point(identity_allowed=False) for _ in range(4)]
    at = row(at)
    for polynomial in arrangement.polynomials[:-1]:
        for rotation in polynomial.rotations:
            values[polynomial.kind, polynomial.number, rotation] = reader.scalar()
    at = row(at)
    W = reader.point(identity_allowed=False)
    at = row(at)
    W_prime = reader.point(identity_allowed=False)
    row(at)
    reader.end()
    return Proof(commitments, pieces, values, W, W_prime, rows)


# ---------------------------------------------------------------- 5. Challenges

class Transcript:
    def __init__(self):
        self.s = H(b"muster-fast-keccak256-1")

    def absorb(self, item):
        self.s = H(self.s + b"\x00" + item)

    def squeeze(self):
        self.s = H(self.s + b"\x01")
        return int.from_bytes(self.s, "big") % r


def challenges(key, inputs, rows):
    """The challenges by name, and the proof's name."""
    transcript = Transcript()
    found = {}
    transcript.absorb(key.digest)
    transcript.absorb(b"".join(number.to_bytes(32, "big") for number in inputs))
    for item, names_of_challenges in zip(rows, [["theta", "beta_l", "beta", "gamma"], ["y"], ["x"], ["alpha"], ["u"], []]):
        transcript.absorb(item)
        for name in names_of_challenges:
            found[name] = transcript.squeeze()
    return found, transcript.s


# ---------------------------------------------------------------- 6. The equation at x

def L(key, i, X):
    """Of degree below n, 1 at row i and 0 at the other rows. X is no row."""
    at = pow(key.omega, i, r)
    return at * (pow(X, key.n, r) - 1) * inverse(key.n * (X - at)) % r


def node_values(key, inputs, values, x):
    """The value of every node at x, and that of the column of inputs by rotation."""
    rotations = {node.rotation for node in key.nodes if node.tag == INPUTS} | {0}
    column_of_inputs = {}
    for rotation in rotations:
        X = x * pow(key.omega, rotation, r) % r
        column_of_inputs[rotation] = sum(number * L(key, j, X) for j, number in enumerate(inputs)) % r
    found = []
    for node in key.nodes:
        if node.tag == CONSTANT:
            value = node.value
        elif node.tag == FIXED:
            value = values["fixed", node.column, node.rotation]
        elif node.tag == ADVICE:
            value = values["advice", node.column, node.rotation]
        elif node.tag == INPUTS:
            value = column_of_inputs[node.rotation]
        elif node.tag == SUM:
            value = (found[node.left] + found[node.right]) % r
        else:
            value = found[node.left] * found[node.right] % r
        found.append(value)
    return found, column_of_inputs


def product(factors):
    result = 1
    for factor in factors:
        result = result * factor % r
    return result


def constraints_at(key, arrangement, inputs, values, challenge):
    """c_0, c_1, …: what each constraint is at x."""
    theta, beta_l, beta, gamma, x = (challenge[name] for name in ("theta", "beta_l", "beta", "gamma", "x"))
    node_value, column_of_inputs = node_values(key, inputs, values, x)
    l_0 = L(key, 0, x)
    l_act = (1 - sum(L(key, i, x) for i in range(key.usable, key.n))) % r

    def denominator(term):
        f = term.table + sum(pow(theta, i, r) * node_value[node] for i, node in enumerate(term.nodes, start=1))
        return (beta_l + f) % r

    def numerator(term):
        return 1 if term.of_input else -values["m", term.table, 0]

    # 1
    c = [node_value[node] for node in key.constraints]
    # 2
    for number, terms in enumerate(arrangement.helpers):
        N = [numerator(term) for term in terms]
        D = [denominator(term) for term in terms]
        total = sum(N[t] * product(D[:t] + D[t + 1:]) for t in range(len(terms)))
        c.append(values["h", number, 0] * product(D) - total)
    # 3
    if key.tables:
        D_f, D_t = denominator(arrangement.sum_input), denominator(arrangement.sum_table)
        sum_h = sum(values["h", number, 0] for number in range(len(arrangement.helpers)))
        step = values["phi", 0, 1] - values["phi", 0, 0] - l_act * sum_h
        c.append(step * D_f * D_t - l_act * (D_t - values["m", 0, 0] * D_f))
    # 4
    C = len(arrangement.chunks)
    if C:
        c.append(l_0 * (values["z", 0, 0] - 1))
    # 5
    e = [values["z", 0, 0] + values["d", number, 0] for number in range(1, C)]
    e = [values["z", 0, 0]] + e + [values["z", 0, 1]] if C else []
    for number, chunk in enumerate(arrangement.chunks):
        new, old = e[number + 1], e[number]
        for j in chunk:
            tag, column = key.copied[j]
            if tag == INPUTS:
                v = column_of_inputs[0]
            else:
                v = values["fixed" if tag == FIXED else "advice", column, 0]
            new = new * (v + beta * values["sigma", j, 0] + gamma) % r
            old = old * (v + beta * pow(DELTA, j, r) * x + gamma) % r
        c.append(new - old)
    return c


def quotient_value(key, arrangement, inputs, values, challenge):
    """T, the value that the quotient must have at x."""
    x = challenge["x"]
    if x == 0 or pow(x, key.n, r) == 1:
        raise Refused("x is 0 or a row")
    c = constraints_at(key, arrangement, inputs, values, challenge)
    total = sum(pow(challenge["y"], i, r) * c_i for i, c_i in enumerate(c))
    return total * inverse(pow(x, key.n, r) - 1) % r


# ---------------------------------------------------------------- 7. The openings

def interpolated(points, values_there, u):
    """The value at u of the polynomial of degree below len(points) that has these values at these points."""
    total = 0
    for i, at in enumerate(points):
        others = points[:i] + points[i + 1:]
        basis = product(u - other for other in others) * inverse(product(at - other for other in others))
        total += values_there[i] * basis
    return total % r


def linear_combination(factors, points):
    total = Z1
    for factor, point in zip(factors, points):
        total = add(total, multiply(point, factor % r))
    return total


# What a proof comes to: the left point E and W' of the pairings, its name, and what led there.
Openings = namedtuple("Openings", "E W_prime name challenges T")


def openings(key, inputs, data):
    """Everything but the pairing; raises Refused."""
    if len(inputs) != key.inputs:
        raise Refused(f"the key takes {key.inputs} inputs, not {len(inputs)}")
    if any(not 0 <= number < r for number in inputs):
        raise Refused("an input is not below r")
    arrangement = arrange(key)
    proof = read_proof(arrangement, data)
    challenge, name = challenges(key, inputs, proof.rows)
    T = quotient_value(key, arrangement, inputs, proof.values, challenge)
    x, alpha, u = challenge["x"], challenge["alpha"], challenge["u"]

    commitments = dict(proof.commitments)
    commitments.update({("fixed", i): point for i, point in enumerate(key.fixed_commitments)})
    commitments.update({("sigma", i): point for i, point in enumerate(key.sigma_commitments)})
    commitments["quotient", 0] = linear_combination([pow(x, i * key.n, r) for i in range(4)], proof.pieces)
    values = dict(proof.values)
    values["quotient", 0, 0] = T

    factors, points, constant = [], [], 0
    for P, polynomial in enumerate(arrangement.polynomials):
        opened_at = [x * pow(key.omega, rotation, r) % r for rotation in polynomial.rotations]
        Z_P = product(u - at for at in opened_at)
        if Z_P == 0:
            raise Refused("u is a point at which a polynomial is opened")
        r_P = interpolated(opened_at, [values[polynomial.kind, polynomial.number, rotation]
                                       for rotation in polynomial.rotations], u)
        w_P = pow(alpha, P, r) * inverse(Z_P) % r
        factors.append(w_P)
        points.append(commitments[polynomial.kind, polynomial.number])
        constant += w_P * r_P
    E = linear_combination(factors + [-constant, -1, u], points + [G1, proof.W, proof.W_prime])
    return Openings(E, proof.W_prime, name, challenge, T)


def pairings_agree(E, W_prime, tau):
    return pairing(G2, E) == pairing(tau, W_prime)


def verify(key, inputs, data):
    """Returns if the proof is accepted; raises Refused if not."""
    found = openings(key, inputs, data)
    if not pairings_agree(found.E, found.W_prime, key.tau):
        raise Refused("the pairings differ")


# ---------------------------------------------------------------- 8. Batches

def names(proofs):
    """The name of each of these (key, inputs, proof); raises Refused if one has none."""
    return [openings(*proof).name for proof in proofs]


def batch_weights(names_of_proofs):
    total = H(b"".join(names_of_proofs))
    return [int.from_bytes(H(total + j.to_bytes(4, "big"))[:16], "big") for j in range(len(names_of_proofs))]


def verify_batch(proofs):
    """For each (key, inputs, proof) None if it is accepted, and else the Refused that says why.

    Proofs under keys with one tau make one batch. A proof that is refused before the pairing has no
    left point and is not in a batch."""
    results = [None] * len(proofs)
    batches = {}
    for position, (key, inputs, data) in enumerate(proofs):
        try:
            found = openings(key, inputs, data)
            batches.setdefault(key.tau_bytes, (key.tau, []))[1].append((position, found))
        except Refused as reason:
            results[position] = reason
    for tau, members in batches.values():
        weights = batch_weights([found.name for _, found in members])
        E = linear_combination(weights, [found.E for _, found in members])
        W_prime = linear_combination(weights, [found.W_prime for _, found in members])
        if pairings_agree(E, W_prime, tau):
            continue
        for position, found in members:
            if not pairings_agree(found.E, found.W_prime, tau):
                results[position] = Refused("the pairings differ")
    return results


# ---------------------------------------------------------------- The command

class Usage(Exception):
    pass


def read_file(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Usage(f"{path}: {error.strerror}") from error
    # No key begins with the letters 0x, and no proof: no coordinate below q begins with these two bytes.
    if not data.startswith(b"0x"):
        return data
    try:
        return bytes.fromhex(data[2:].decode("ascii"))
    except ValueError as error:
        raise Usage(f"{path}: this is not hex") from error


def read_input(text):
    if text.startswith("0x") and len(text) == 66 and all(digit in "0123456789abcdefABCDEF" for digit in text[2:]):
        return int(text, 16)
    if text.isascii() and text.isdigit():
        return int(text)
    raise Usage(f"{text}: an input is 0x and 64 hex digits, or a decimal number")


def hex_point(point):
    if is_inf(point):
        return "0x" + IDENTITY.hex()
    return "0x" + "".join(f"{int(coordinate):064x}" for coordinate in normalize(point))


def main(arguments):
    flags = [argument for argument in arguments if argument.startswith("--")]
    rest = [argument for argument in arguments if not argument.startswith("--")]
    try:
        if flags == ["--digest"] and len(rest) == 1:
            print("0x" + read_key(read_file(rest[0])).digest.hex())
            return 0
        if flags not in ([], ["--challenges"]) or len(rest) < 2:
            raise Usage("verify.py [--challenges] KEY PROOF INPUT...  or  verify.py --digest KEY")
        key = read_key(read_file(rest[0]))
        data = read_file(rest[1])
        inputs = [read_input(text) for text in rest[2:]]
    except Usage as error:
        print(error, file=sys.stderr)
        return 2
    except BadKey as error:
        print(f"bad key: {error}", file=sys.stderr)
        return 2
    try:
        if flags:
            found = openings(key, inputs, data)
            for name, number in [*found.challenges.items(), ("T", found.T)]:
                print(f"{name} 0x{number:064x}")
            print(f"name 0x{found.name.hex()}")
            print(f"E {hex_point(found.E)}")
            print(f"W' {hex_point(found.W_prime)}")
        verify(key, inputs, data)
    except Refused as reason:
        print(f"refused: {reason}")
        return 1
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
