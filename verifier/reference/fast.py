"""A verifier for proofs of the format `fast`, to be read beside ../SPEC.md; compact.py has what `compact` adds.

The sections stand in the order of that page and use its names. Nothing here is fast; everything is
meant to be checked by eye. The curve and its pairing are py_ecc's, the rest is here.
"""

from collections import namedtuple

from py_ecc.optimized_bn128 import (
    FQ, FQ2, G1, G2, Z1, add, b2, double, is_inf, is_on_curve, multiply, normalize, pairing,
)


class BadKey(Exception):
    """The key's bytes are no key. Nothing can be said of a proof under it."""


class Refused(Exception):
    """The proof does not show what it should."""


def must(holds, error):
    if not holds:
        raise error


# ---------------------------------------------------------------- 1. Numbers, points, bytes

q = 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47
r = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001
OMEGA_28 = 0x03DDB9F5166D18B798865EA93DD31F743215CF6DD39329C8D34F1ED960C37C9C
DELTA = 0x09226B6E22C6F0CA64EC26AAD4C86E715B5F898E5E963F25870E56BBE533E9A2


def inverse(a):
    return pow(a, -1, r)


class Reader:
    """Takes bytes from the front; `error` is what it raises, for a key and a proof fail differently."""

    def __init__(self, data, error):
        self.data, self.at, self.error = data, 0, error

    def take(self, count):
        must(len(self.data) - self.at >= count, self.error("the bytes end too early"))
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
        must(number < r, self.error("a scalar is not below r"))
        return number

    def coordinate(self):
        number = int.from_bytes(self.take(32), "big")
        must(number < q, self.error("a coordinate is not below q"))
        return number

    def point_of_key(self):
        x, y = self.coordinate(), self.coordinate()
        if (x, y) == (0, 0):
            return Z1
        must((y * y - x ** 3 - 3) % q == 0, self.error("a point is not on the curve"))
        return FQ(x), FQ(y), FQ(1)

    def point_of_proof(self):
        number = int.from_bytes(self.take(32), "big")
        odd, x = number >> 255, number % 2 ** 255
        must(x < q, self.error("a coordinate is not below q"))
        # q is 3 modulo 4, so this is a root if there is one. It is not 0, for no point has order 2.
        y = pow(x ** 3 + 3, (q + 1) // 4, q)
        must((y * y - x ** 3 - 3) % q == 0, self.error("a point is not on the curve"))
        return FQ(x), FQ(y if y % 2 == odd else q - y), FQ(1)

    def point_of_g2(self):
        x1, x0, y1, y0 = [self.coordinate() for _ in range(4)]
        # The identity has no affine coordinates, and 128 zero bytes are not on the twist.
        point = (FQ2([x0, x1]), FQ2([y0, y1]), FQ2([1, 0]))
        must(is_on_curve(point, b2), self.error("the point of G2 is not on the twist"))
        must(is_inf(multiply(point, r)), self.error("the point of G2 is not in the subgroup of order r"))
        return point

    def end(self):
        must(self.at == len(self.data), self.error("bytes are left over"))


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

KINDS = ("constant", "fixed", "advice", "inputs", "sum", "product")  # of nodes, by their first byte
COLUMNS = KINDS[1:4]

# What stands in a node depends on its kind: `value` for a constant; `column` and `rotation` for a cell
# (column 0 for the column of inputs); `left` and `right` for a sum or a product.
Node = namedtuple("Node", "kind degree value column rotation left right", defaults=(None,) * 5)
Table = namedtuple("Table", "nodes inputs")


class Key:
    """The fields of the table of section 2, as read_key finds them, and what follows from them."""


def read_key(data):
    """The key of the kind `fast` that these bytes are; raises BadKey."""
    reader, key = Reader(data, BadKey), Key()
    read_head(reader, key, 1, "fast", 1)
    key.commitments = {("fixed", i): reader.point_of_key() for i in range(key.fixed)}
    key.commitments.update({("sigma", j): reader.point_of_key() for j in range(len(key.copied))})
    reader.end()
    key.digest = H(data)
    return key


def read_head(reader, key, kind, kind_name, greatest_stride):
    """What keys of both kinds begin with: everything up to the copied columns. Counts that are too large are refused as
    they are read."""
    must(reader.take(16) == b"muster-verifier1", BadKey("it does not begin with muster-verifier1"))
    key.kind = kind
    must(reader.u8() == kind, BadKey(f"its kind is not {kind} ({kind_name})"))
    must(reader.u8() == 1, BadKey("its hash is not 1 (Keccak-256)"))
    key.srs = reader.u8()
    must(key.srs in (0, 1), BadKey("its SRS is neither 0 nor 1"))
    key.tau = reader.point_of_g2()
    must(key.tau != G2, BadKey("tau is 1"))
    key.tau_bytes = reader.data[reader.at - 128:reader.at]
    length = reader.u32()
    must(length <= 65536, BadKey("the description is too long"))
    key.description = reader.take(length)
    key.k = reader.u32()
    must(2 <= key.k <= 26, BadKey("k is not 2 to 26"))
    key.n, key.omega = 2 ** key.k, pow(OMEGA_28, 2 ** (28 - key.k), r)
    key.usable = reader.u32()
    key.stride = reader.u32()
    key.fixed, key.advice, key.inputs = reader.u32(), reader.u32(), reader.u32()
    must(1 <= key.usable <= key.n - 2, BadKey("usable is not 1 to n - 2"))
    rule(8, key.n - key.usable <= 1024, "more than 1,024 rows are random")
    must(key.inputs <= key.usable, BadKey("there are more inputs than usable rows"))
    must(1 <= key.stride <= greatest_stride, BadKey(f"the stride is not 1 to {greatest_stride}"))
    values = key.fixed + key.advice
    check_values(values)

    key.nodes = []
    for _ in range(reader.u32()):
        key.nodes.append(read_node(reader, key.nodes))

    def read_numbers(count):
        numbers = [reader.u32() for _ in range(count)]
        must(all(number < len(key.nodes) for number in numbers), BadKey("rule 2: there is no such node"))
        return numbers

    key.constraints = read_numbers(reader.u32())
    key.tables, inputs = [], 0
    count = reader.u32()
    values += count
    check_values(values)
    for _ in range(count):
        w = reader.u32()
        must(w >= 1, BadKey("a table has no width"))
        nodes, count = read_numbers(w), reader.u32()
        must(count >= 1, BadKey("a table has no inputs"))
        inputs += count
        rule(9, inputs <= 65536, "all tables have more than 65,536 inputs")
        key.tables.append(Table(nodes, [read_numbers(w) for _ in range(count)]))
    key.copied = []
    count = reader.u32()
    rule(6, count <= 4096, "there are more than 4,096 copied columns")
    check_values(values + count)
    for _ in range(count):
        kind, column = reader.u8(), reader.u32()
        must(kind in (1, 2, 3), BadKey("a copied column is of no kind"))
        must(kind != 3 or column == 0, BadKey("the column of inputs is not numbered 0"))
        key.copied.append((KINDS[kind], column))

    check_degrees_and_uses(key)
    key.rotations = rotations(key)
    check_rotations(key)
    key.arrangement = arrange(key)
    check_values(len(opened(key)))


def read_node(reader, before):
    tag = reader.u8()
    must(tag < len(KINDS), BadKey("a node is of no kind"))
    kind = KINDS[tag]
    if kind == "constant":
        return Node(kind, 0, value=reader.scalar())
    if kind in COLUMNS:
        return Node(kind, 1, column=0 if kind == "inputs" else reader.u32(), rotation=reader.i32())
    left, right = reader.u32(), reader.u32()
    must(left < len(before) and right < len(before), BadKey("a node uses one that is not before it"))
    degrees = before[left].degree, before[right].degree
    degree = max(degrees) if kind == "sum" else min(sum(degrees), 6)  # 6 is any degree above 5
    return Node(kind, degree, left=left, right=right)


def rule(number, holds, reason):
    must(holds, BadKey(f"rule {number}: {reason}"))


def check_values(count):
    """Each column, table and copied column has a value at least, so this need not wait for all values to be counted."""
    rule(9, count <= 16384, "a proof has more than 16,384 values")


def rotations(key):
    """The rotations of each column that is in a node or copied: those of its nodes, and 0 if it is copied. Nothing is
    gone on with after the first that is one too many."""
    count = {"fixed": key.fixed, "advice": key.advice, "inputs": 1}
    cells = [(node.kind, node.column, node.rotation) for node in key.nodes if node.kind in COLUMNS]
    found, values = {}, 0
    for kind, column, rotation in cells + [cell + (0,) for cell in key.copied]:
        rule(2, column < count[kind], "there is no such column")
        rule(3, -key.n < rotation < key.n, "a rotation is not between -n and n")
        each = found.setdefault((kind, column), set())
        values += kind != "inputs" and rotation not in each
        each.add(rotation)
        rule(9, len(each) <= 256, "a column has more than 256 rotations")
        check_values(values)
    return {column: sorted(each) for column, each in found.items()}


def check_degrees_and_uses(key):
    def greatest_degree(numbers):
        return max((key.nodes[number].degree for number in numbers), default=0)

    inputs = [nodes for table in key.tables for nodes in table.inputs]
    tables = [table.nodes for table in key.tables]
    rule(1, greatest_degree(key.constraints) <= 5, "a constraint's degree is above 5")
    rule(1, all(greatest_degree(nodes) <= 2 for nodes in inputs), "the degree of an input's node is above 2")
    rule(1, all(greatest_degree(nodes) <= 1 for nodes in tables), "the degree of a table's node is above 1")
    # Rule 2, for nodes, was checked as they were read.
    used = set(key.constraints).union(*inputs, *tables)
    used.update(number for node in key.nodes for number in (node.left, node.right))
    rule(5, used.issuperset(range(len(key.nodes))), "a node is not used")
    rule(7, key.tables or key.copied, "there are neither tables nor copied columns")
    rule(6, len(set(key.copied)) == len(key.copied), "a copied column stands there twice")


def check_rotations(key):
    for each in key.rotations.values():
        different = {rotation % key.n for rotation in each}
        rule(3, len(different) == len(each), "two rotations of a column are equal modulo n")
    # By rule 2 the columns that are used are some of those there are, so counting them is enough.
    for kind, count in ("fixed", key.fixed), ("advice", key.advice):
        used = [column for column in key.rotations if column[0] == kind]
        rule(4, len(used) == count, f"a column of {kind} is not used")


# ---------------------------------------------------------------- 3. What follows from a key

# A term of table number `table`: of an input, or of the table itself, with its nodes.
Term = namedtuple("Term", "table nodes of_input weight")
# `sum` has the terms of the input and of the table, or none; `helpers` are lists of terms, `chunks` lists of
# numbers of copied columns; `polynomials` has the rotations by kind and number, in the order of the table.
Arrangement = namedtuple("Arrangement", "sum helpers chunks polynomials")


def arrange(key):
    inputs = [Term(j, nodes, True, max(1, *(key.nodes[node].degree for node in nodes)))
              for j, table in enumerate(key.tables) for nodes in table.inputs]
    tables = [Term(j, table.nodes, False, 1) for j, table in enumerate(key.tables)]

    sum_terms, helpers = [], []
    if tables:
        first = max(inputs, key=lambda term: term.weight)  # max gives the first of equals
        inputs.remove(first)                               # as remove takes it
        sum_terms = [first, tables.pop(0)]
        inputs.sort(key=lambda term: -term.weight)         # sort keeps the order of equals
        for term in inputs + tables:
            if helpers and sum(other.weight for other in helpers[-1]) + term.weight <= 4:
                helpers[-1].append(term)
            else:
                helpers.append([term])

    copied = range(len(key.copied))
    chunks = [copied[start:start + 4] for start in copied[::4]]

    polynomials = {("advice", i): key.rotations["advice", i] for i in range(key.advice)}
    polynomials.update({("m", j): [0] for j in range(len(key.tables))})
    polynomials.update({("h", i): [0] for i in range(len(helpers))})
    if key.tables:
        polynomials["phi", 0] = [0, 1]
    if chunks:
        polynomials["z", 0] = [0, 1]
    polynomials.update({("d", c): [0] for c in range(1, len(chunks))})
    polynomials.update({("fixed", i): key.rotations["fixed", i] for i in range(key.fixed)})
    polynomials.update({("sigma", j): [0] for j in copied})
    polynomials["quotient", 0] = [0]
    return Arrangement(sum_terms, helpers, chunks, polynomials)


def opened(key):
    """Kind, number and rotation of each value of a proof, in order."""
    return [(kind, number, rotation) for (kind, number), each in key.arrangement.polynomials.items()
            if kind != "quotient" for rotation in each]


# ---------------------------------------------------------------- 4. The proof

# `commitments` by kind and number, `pieces` those of the quotient, `values` by kind, number and rotation,
# and the bytes of the six rows of the table, for the challenges.
Proof = namedtuple("Proof", "commitments pieces values W W_prime rows")


def read_proof(key, data):
    reader, rows = Reader(data, Refused), []

    def row(read, count):
        start = reader.at
        found = [read() for _ in range(count)]
        rows.append(data[start:reader.at])
        return found

    commitments = {}
    for kinds in ("advice", "m"), ("h", "phi", "z", "d"):
        names = [name for name in key.arrangement.polynomials if name[0] in kinds]
        commitments.update(zip(names, row(reader.point_of_proof, len(names))))
    pieces = row(reader.point_of_proof, 4)
    values = dict(zip(opened(key), row(reader.scalar, len(opened(key)))))
    [W] = row(reader.point_of_proof, 1)
    [W_prime] = row(reader.point_of_proof, 1)
    reader.end()
    return Proof(commitments, pieces, values, W, W_prime, rows)


# ---------------------------------------------------------------- 5. Challenges

class Transcript:
    def __init__(self, name=b"muster-fast-keccak256-1"):
        self.s = H(name)

    def absorb(self, item):
        self.s = H(self.s + b"\x00" + item)

    def squeeze(self):
        self.s = H(self.s + b"\x01")
        return int.from_bytes(self.s, "big") % r


def challenges(key, inputs, rows):
    """The challenges by name, and the proof's name."""
    must(len(inputs) == key.inputs, Refused(f"the key takes {key.inputs} inputs, not {len(inputs)}"))
    must(all(0 <= number < r for number in inputs), Refused("an input is not below r"))
    transcript, found = Transcript(), {}
    transcript.absorb(key.digest)
    transcript.absorb(b"".join(number.to_bytes(32, "big") for number in inputs))
    for item, squeezed in zip(rows, [["theta", "beta_l", "beta", "gamma"], ["y"], ["x"], ["alpha"], ["u"], []]):
        transcript.absorb(item)
        for challenge in squeezed:
            found[challenge] = transcript.squeeze()
    return found, transcript.s


# ---------------------------------------------------------------- 6. The equation at x

def L(key, i, X):
    at = pow(key.omega, i, r)
    return at * (pow(X, key.n, r) - 1) * inverse(key.n * (X - at)) % r


def product(factors):
    result = 1
    for factor in factors:
        result = result * factor % r
    return result


def node_values(key, cells):
    """The value of each node at x, from those of the cells."""
    found = []
    for node in key.nodes:
        if node.kind == "constant":
            found.append(node.value)
        elif node.kind == "sum":
            found.append((found[node.left] + found[node.right]) % r)
        elif node.kind == "product":
            found.append(found[node.left] * found[node.right] % r)
        else:
            found.append(cells[node.kind, node.column, node.rotation])
    return found


def constraints_at(key, inputs, values, challenge):
    """c_0, c_1, …: what each constraint is at x."""
    theta, beta_l, beta, gamma, x = (challenge[name] for name in ("theta", "beta_l", "beta", "gamma", "x"))
    cells = dict(values)
    for rotation in key.rotations.get(("inputs", 0), []):
        X = x * pow(key.omega, rotation, r) % r
        cells["inputs", 0, rotation] = sum(number * L(key, j, X) for j, number in enumerate(inputs)) % r
    node_value = node_values(key, cells)
    l_0 = L(key, 0, x)
    l_act = (1 - sum(L(key, i, x) for i in range(key.usable, key.n))) % r

    def D(term):
        f = term.table + sum(pow(theta, i, r) * node_value[node] for i, node in enumerate(term.nodes, start=1))
        return (beta_l + f) % r

    def N(term):
        return 1 if term.of_input else -values["m", term.table, 0]

    sum_terms, helpers, chunks, _ = key.arrangement
    # 1
    c = [node_value[node] for node in key.constraints]
    # 2
    for i, terms in enumerate(helpers):
        Ds = [D(term) for term in terms]
        total = sum(N(term) * product(Ds[:t] + Ds[t + 1:]) for t, term in enumerate(terms))
        c.append(values["h", i, 0] * product(Ds) - total)
    # 3
    if sum_terms:
        D_f, D_t = (D(term) for term in sum_terms)
        sum_h = sum(values["h", i, 0] for i in range(len(helpers)))
        step = values["phi", 0, 1] - values["phi", 0, 0] - l_act * sum_h
        c.append(step * D_f * D_t - l_act * (D_t - values["m", 0, 0] * D_f))
    if chunks:
        # 4
        z, z_next = values["z", 0, 0], values["z", 0, 1]
        c.append(l_0 * (z - 1))
        # 5
        g = [z] + [z + values["d", i, 0] for i in range(1, len(chunks))] + [z_next]
        for i, chunk in enumerate(chunks):
            v = {j: cells[key.copied[j] + (0,)] for j in chunk}
            new = product(v[j] + beta * values["sigma", j, 0] + gamma for j in chunk)
            old = product(v[j] + beta * pow(DELTA, j, r) * x + gamma for j in chunk)
            c.append(g[i + 1] * new - g[i] * old)
    return c


def quotient_value(key, inputs, values, challenge):
    """T, the value that the quotient must have at x."""
    x = challenge["x"]
    must(x != 0 and pow(x, key.n, r) != 1, Refused("x is 0 or a row"))
    c = constraints_at(key, inputs, values, challenge)
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
    """The sum of factor·point, bit by bit from the highest; the doublings are those of all together."""
    total = Z1
    for bit in reversed(range(r.bit_length())):
        total = double(total)
        for factor, point in zip(factors, points):
            if factor % r >> bit & 1:
                total = add(total, point)
    return total


# What a proof comes to: the left point E and W' of the pairings, its name, and what led there.
Openings = namedtuple("Openings", "E W_prime name challenges T")


def openings(key, inputs, data):
    """Everything but the pairing; raises Refused."""
    proof = read_proof(key, data)
    challenge, name = challenges(key, inputs, proof.rows)
    x, alpha, u = challenge["x"], challenge["alpha"], challenge["u"]
    T = quotient_value(key, inputs, proof.values, challenge)
    quotient = linear_combination([pow(x, i * key.n, r) for i in range(4)], proof.pieces)
    commitments = {**key.commitments, **proof.commitments, ("quotient", 0): quotient}
    values = {**proof.values, ("quotient", 0, 0): T}

    factors, points, constant = [], [], 0
    for P, ((kind, number), S_P) in enumerate(key.arrangement.polynomials.items()):
        opened_at = [x * pow(key.omega, rotation, r) % r for rotation in S_P]
        Z_P = product(u - at for at in opened_at)
        must(Z_P != 0, Refused("u is a point at which a polynomial is opened"))
        r_P = interpolated(opened_at, [values[kind, number, rotation] for rotation in S_P], u)
        w_P = pow(alpha, P, r) * inverse(Z_P) % r
        factors.append(w_P)
        points.append(commitments[kind, number])
        constant += w_P * r_P
    E = linear_combination(factors + [-constant, -1, u], points + [G1, proof.W, proof.W_prime])
    return Openings(E, proof.W_prime, name, challenge, T)


def pairings_agree(E, W_prime, tau):
    return pairing(G2, E) == pairing(tau, W_prime)


def verify(key, inputs, data):
    """Returns if the proof is accepted; raises Refused if not."""
    found = openings(key, inputs, data)
    must(pairings_agree(found.E, found.W_prime, key.tau), Refused("the pairings differ"))


# ---------------------------------------------------------------- 8. Batches

def weights(s):
    """a_0, a_1, … for the proofs of the names s_0, s_1, …"""
    found, t = [1] if s else [], b"".join(s[:1])
    for name in s[1:]:
        t = H(t + name)
        found.append(int.from_bytes(t[:16], "big"))
    return found


def hex_point(point):
    """As a key has it."""
    x, y = (0, 0) if is_inf(point) else map(int, normalize(point))
    return f"0x{x:064x}{y:064x}"
