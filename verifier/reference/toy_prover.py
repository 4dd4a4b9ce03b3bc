"""A prover for circuits of a few rows, which only the tests use.

It knows tau, so a commitment to f is f(tau)·[1]₁ and it needs no SRS. Polynomials are lists of coefficients,
lowest first, and all arithmetic on them is the naive one. It writes the constraints as polynomials of its
own, and takes from the verifier only the reading of keys, section 3 and the transcript.

A circuit that is not satisfied gets a proof all the same: remainders are dropped where a division does
not come out, as a cheater would have to do.
"""

import functools
import random

import fast
from fast import DELTA, KINDS, inverse, r
from py_ecc.optimized_bn128 import G1, G2, Z1, add, multiply, normalize

TAU = 0x1234567890ABCDEF1234567890ABCDEF1234567890ABCDEF


# Polynomials

def plus(*polynomials):
    total = [0] * max(len(f) for f in polynomials)
    for f in polynomials:
        for i, coefficient in enumerate(f):
            total[i] = (total[i] + coefficient) % r
    return total


def scaled(f, factor):
    return [coefficient * factor % r for coefficient in f]


def minus(f, g):
    return plus(f, scaled(g, -1))


def times(*polynomials):
    total = [1]
    for f in polynomials:
        result = [0] * (len(total) + len(f) - 1)
        for i, a in enumerate(total):
            for j, b in enumerate(f):
                result[i + j] += a * b
        total = [coefficient % r for coefficient in result]
    return total


def at(f, point):
    value = 0
    for coefficient in reversed(f):
        value = (value * point + coefficient) % r
    return value


def divided(f, g):
    """Quotient and remainder."""
    rest, quotient = list(f), [0] * max(1, len(f) - len(g) + 1)
    for i in range(len(f) - len(g), -1, -1):
        quotient[i] = rest[i + len(g) - 1] * inverse(g[-1]) % r
        for j, coefficient in enumerate(g):
            rest[i + j] = (rest[i + j] - quotient[i] * coefficient) % r
    return quotient, rest[:len(g) - 1]


def lagrange(points, values):
    total = [0]
    for i, point in enumerate(points):
        basis = [1]
        for other in points[:i] + points[i + 1:]:
            basis = times(basis, scaled([-other % r, 1], inverse(point - other)))
        total = plus(total, scaled(basis, values[i]))
    return total


# Bytes

def u32(number):
    return number.to_bytes(4, "big")


def i32(number):
    return number.to_bytes(4, "big", signed=True)


def scalar(number):
    return (number % r).to_bytes(32, "big")


@functools.cache
def tau_bytes(tau):
    return g2_bytes(multiply(G2, tau))


def g2_bytes(point):
    x, y = normalize(point)
    return b"".join(int(c).to_bytes(32, "big") for c in (x.coeffs[1], x.coeffs[0], y.coeffs[1], y.coeffs[0]))


# [i·16^w]₁ for each hex digit i, so that a commitment is 64 additions.
DIGITS, power = [], G1
for w in range(64):
    DIGITS.append([Z1])
    for _ in range(16):
        DIGITS[w].append(add(DIGITS[w][-1], power))
    power = DIGITS[w][16]


def committed(f, tau):
    total, number = Z1, at(f, tau)
    for w in range(64):
        total = add(total, DIGITS[w][number >> 4 * w & 15])
    return total


def point_of_key(point):
    return bytes.fromhex(fast.hex_point(point)[2:])


def point_of_proof(point):
    x, y = map(int, normalize(point))
    return (x + (y % 2 << 255)).to_bytes(32, "big")


class Circuit:
    """What a key says, and the fixed columns behind its commitments."""

    def __init__(self, k, usable, fixed, advice, inputs, tau=TAU):
        self.tau = tau
        self.k, self.n, self.usable = k, 2 ** k, usable
        self.fixed = [list(column) + [0] * (self.n - len(column)) for column in fixed]
        self.advice, self.inputs = advice, inputs
        self.nodes, self.constraints, self.tables, self.copied, self.copies = [], [], [], [], []
        self.omega = pow(fast.OMEGA_28, 2 ** (28 - k), r)
        self.points = [pow(self.omega, i, r) for i in range(self.n)]

    def node(self, data):
        # Equal nodes are one node, so that circuits may name a cell as often as they like.
        if data not in self.nodes:
            self.nodes.append(data)
        return self.nodes.index(data)

    def constant(self, value):
        return self.node(b"\0" + scalar(value))

    def cell(self, kind, column, rotation=0):
        return self.node(bytes([KINDS.index(kind)]) + (b"" if kind == "inputs" else u32(column)) + i32(rotation))

    def sum(self, left, right):
        return self.node(b"\4" + u32(left) + u32(right))

    def product(self, left, *others):
        for right in others:
            left = self.node(b"\5" + u32(left) + u32(right))
        return left

    def difference(self, left, right):
        return self.sum(left, self.product(self.constant(-1), right))

    def rows_to_polynomial(self, rows):
        # The inverse transform by its definition: coefficient i is the mean of rows[j]·ω^(−ij).
        n = self.n
        return [sum(rows[j] * self.points[-i * j % n] for j in range(n)) * inverse(n) % r for i in range(n)]

    def sigma(self):
        """The names of the cells, permuted so that equal cells stand in a cycle."""
        name = {(j, i): (j, i) for j in range(len(self.copied)) for i in range(self.n)}
        cycle = {cell: cell for cell in name}
        for one, other in self.copies:
            one = (self.copied.index(one[:2]), one[2])
            other = (self.copied.index(other[:2]), other[2])
            if cycle[one] != cycle[other]:
                name[one], name[other] = name[other], name[one]
                old = cycle[other]
                for cell in cycle:
                    if cycle[cell] == old:
                        cycle[cell] = cycle[one]
        return [[pow(DELTA, name[j, i][0], r) * self.points[name[j, i][1]] % r for i in range(self.n)]
                for j in range(len(self.copied))]

    def key_parts(self):
        """The key's bytes in named pieces, so that a test can spoil one."""
        def nodes(numbers):
            return b"".join(u32(number) for number in numbers)

        def commitments(columns):
            return b"".join(point_of_key(committed(self.rows_to_polynomial(rows), self.tau)) for rows in columns)

        return {
            "magic": b"muster-verifier1", "kind": b"\x01", "hash": b"\x01", "srs": b"\x00",
            "tau": tau_bytes(self.tau),
            "description": u32(3) + b"toy",
            "k": u32(self.k), "usable": u32(self.usable), "stride": u32(1),
            "counts": u32(len(self.fixed)) + u32(self.advice) + u32(self.inputs),
            "nodes": u32(len(self.nodes)) + b"".join(self.nodes),
            "constraints": u32(len(self.constraints)) + nodes(self.constraints),
            "tables": u32(len(self.tables)) + b"".join(
                u32(len(table)) + nodes(table) + u32(len(inputs)) + b"".join(nodes(i) for i in inputs)
                for table, inputs in self.tables),
            "copied": u32(len(self.copied)) + b"".join(bytes([KINDS.index(kind)]) + u32(i) for kind, i in self.copied),
            "fixed": commitments(self.fixed),
            "sigma": commitments(self.sigma()),
        }

    def key(self):
        return b"".join(self.key_parts().values())


# The proof

def trace(circuit, key, advice, inputs, first_round, second_round, rng, multiplicities=None, z_start=1):
    """All polynomials by kind and number, the quotient's coefficients, and which of c_0, c_1, … are not met,
    whether or not the advice columns meet the constraints.

    `first_round` and `second_round` commit to the polynomials of a round, and give its challenges.
    `multiplicities` are those of a cheater, in place of what is counted, all n rows of each; `z_start` is
    where z starts."""
    sum_terms, helpers, chunks, _ = key.arrangement
    n, usable, omega = circuit.n, circuit.usable, circuit.omega
    vanishing = [-1 % r] + [0] * (n - 1) + [1]
    to_polynomial = circuit.rows_to_polynomial

    def randomised(rows):
        """Random in the rows from usable on."""
        return list(rows)[:usable] + [rng.randrange(r) for _ in range(n - usable)]

    def blinded(rows):
        """The same rows, and 4 random coefficients of X^n − 1."""
        return plus(to_polynomial(rows), times(vanishing, [rng.randrange(r) for _ in range(4)]))

    def rotated(f, rotation):
        factor = pow(omega, rotation, r)
        return [c * pow(factor, i, r) % r for i, c in enumerate(f)]

    # Every node as rows and as a polynomial.
    rows = {("advice", i): randomised(column) for i, column in enumerate(advice)}
    rows.update({("fixed", i): column for i, column in enumerate(circuit.fixed)})
    rows["inputs", 0] = list(inputs) + [0] * (n - len(inputs))
    column = {cell: to_polynomial(values) for cell, values in rows.items()}
    node_rows, node = [], []
    for data in key.nodes:
        if data.kind == "constant":
            node_rows.append([data.value] * n)
            node.append([data.value])
        elif data.kind == "sum":
            node_rows.append([(a + b) % r for a, b in zip(node_rows[data.left], node_rows[data.right])])
            node.append(plus(node[data.left], node[data.right]))
        elif data.kind == "product":
            node_rows.append([a * b % r for a, b in zip(node_rows[data.left], node_rows[data.right])])
            node.append(times(node[data.left], node[data.right]))
        else:
            values = rows[data.kind, data.column]
            node_rows.append([values[(i + data.rotation) % n] for i in range(n)])
            node.append(rotated(column[data.kind, data.column], data.rotation))

    # Multiplicities: all that ask for a tuple ask the first of equal rows.
    def tuple_at(numbers, i):
        return tuple(node_rows[number][i] for number in numbers)

    if multiplicities is None:
        multiplicities = []
        for table in key.tables:
            first = {}
            for i in reversed(range(usable)):
                first[tuple_at(table.nodes, i)] = i
            m = [0] * n
            for asking in table.inputs:
                for i in range(usable):
                    if tuple_at(asking, i) in first:
                        m[first[tuple_at(asking, i)]] += 1
            multiplicities.append(randomised(m))
    m_rows = multiplicities

    polynomial = {("advice", i): column["advice", i] for i in range(circuit.advice)}
    polynomial.update({("m", j): to_polynomial(m) for j, m in enumerate(m_rows)})
    sigma_rows = circuit.sigma()
    polynomial.update({("fixed", i): column["fixed", i] for i in range(len(circuit.fixed))})
    polynomial.update({("sigma", j): to_polynomial(s) for j, s in enumerate(sigma_rows)})

    theta, beta_l, beta, gamma = first_round(polynomial)

    # Lookups
    def denominator_rows(term):
        def f(i):
            return term.table + sum(pow(theta, w, r) * value for w, value in enumerate(tuple_at(term.nodes, i), 1))

        return [(beta_l + f(i)) % r for i in range(n)]

    def denominator(term):
        parts = [scaled(node[number], pow(theta, w, r)) for w, number in enumerate(term.nodes, 1)]
        return plus([(beta_l + term.table) % r], *parts)

    def numerator_rows(term):
        return [1] * n if term.of_input else [-m % r for m in m_rows[term.table]]

    def numerator(term):
        return [1] if term.of_input else scaled(polynomial["m", term.table], -1)

    def fraction_rows(terms):
        total = [0] * n
        for term in terms:
            N, D = numerator_rows(term), denominator_rows(term)
            total = [(total[i] + N[i] * inverse(D[i])) % r for i in range(n)]
        return total

    sum_h_rows = [0] * n
    for number, terms in enumerate(helpers):
        h = fraction_rows(terms)
        sum_h_rows = [(a + b) % r for a, b in zip(sum_h_rows, h)]
        polynomial["h", number] = blinded(h)
    if key.tables:
        steps = fraction_rows(sum_terms)
        phi = [rng.randrange(r)]
        for i in range(n - 1):
            phi.append((phi[i] + (steps[i] + sum_h_rows[i] if i < usable else 0)) % r)
        polynomial["phi", 0] = blinded(phi)

    # Copies. The product goes over the chunks of row 0, then those of row 1, and so on.
    C = len(chunks)
    if C:
        z, d = [z_start], [[0] * n for _ in range(C)]
        for i in range(n):
            running = z[i]
            for c, chunk in enumerate(chunks):
                d[c][i] = (running - z[i]) % r
                for j in chunk:
                    v = rows[key.copied[j]][i]
                    running = running * (v + beta * pow(DELTA, j, r) * circuit.points[i] + gamma) % r
                    running = running * inverse(v + beta * sigma_rows[j][i] + gamma) % r
            z.append(running)
        polynomial["z", 0] = blinded(z[:n])
        for c in range(1, C):
            polynomial["d", c] = blinded(d[c])

    y = second_round(polynomial)

    # The constraints as polynomials
    l_0 = to_polynomial([1] + [0] * (n - 1))
    l_act = to_polynomial([1] * usable + [0] * (n - usable))
    c = [node[number] for number in key.constraints]
    for number, terms in enumerate(helpers):
        f = times(polynomial["h", number], *(denominator(term) for term in terms))
        for t in range(len(terms)):
            f = minus(f, times(numerator(terms[t]), *(denominator(terms[s]) for s in range(len(terms)) if s != t)))
        c.append(f)
    if key.tables:
        phi = polynomial["phi", 0]
        D_f, D_t = (denominator(term) for term in sum_terms)
        sum_h = plus([0], *(polynomial["h", number] for number in range(len(helpers))))
        step = minus(minus(rotated(phi, 1), phi), times(l_act, sum_h))
        c.append(minus(times(step, D_f, D_t), times(l_act, minus(D_t, times(polynomial["m", 0], D_f)))))
    if C:
        z = polynomial["z", 0]
        c.append(times(l_0, minus(z, [1])))
        g = [z] + [plus(z, polynomial["d", number]) for number in range(1, C)] + [rotated(z, 1)]
        for number, chunk in enumerate(chunks):
            new, old = g[number + 1], g[number]
            for j in chunk:
                v = column[key.copied[j]]
                new = times(new, plus(v, scaled(polynomial["sigma", j], beta), [gamma]))
                old = times(old, plus(v, [gamma, beta * pow(DELTA, j, r) % r]))
            c.append(minus(new, old))
    total = plus([0], *(scaled(c_i, pow(y, i, r)) for i, c_i in enumerate(c)))
    unmet = [i for i, c_i in enumerate(c) if any(divided(c_i, vanishing)[1])]
    T, _ = divided(total, vanishing)
    T += [0] * (4 * n - len(T))
    # A circuit's degrees must be such that four pieces are enough, satisfied or not.
    assert not any(T[4 * n:]), "the quotient does not fit"
    return polynomial, T, unmet


def prove(circuit, key_bytes, advice, inputs, seed=1, **how):
    """A proof of the format `fast`, and which constraints are not met."""
    rng = random.Random(seed)
    key = fast.read_key(key_bytes)
    n, omega, polynomials = circuit.n, circuit.omega, key.arrangement.polynomials
    transcript = fast.Transcript()
    transcript.absorb(key.digest)
    transcript.absorb(b"".join(scalar(number) for number in inputs))
    proof = b""

    def send(item):
        nonlocal proof
        proof += item
        transcript.absorb(item)

    def commit(*fs):
        send(b"".join(point_of_proof(committed(f, circuit.tau)) for f in fs))

    def first_round(polynomial):
        commit(*(polynomial[name] for name in polynomials if name[0] in ("advice", "m")))
        return [transcript.squeeze() for _ in range(4)]

    def second_round(polynomial):
        commit(*(polynomial[name] for name in polynomials if name[0] in ("h", "phi", "z", "d")))
        return transcript.squeeze()

    polynomial, T, unmet = trace(circuit, key, advice, inputs, first_round, second_round, rng, **how)
    b = [rng.randrange(r) for _ in range(3)] + [0]
    pieces = []
    for i in range(4):
        piece = T[i * n:(i + 1) * n] + [b[i]]
        piece[0] -= b[i - 1]
        pieces.append(piece)
    commit(*pieces)
    x = transcript.squeeze()
    polynomial["quotient", 0] = plus(*(scaled(piece, pow(x, i * n, r)) for i, piece in enumerate(pieces)))

    # Openings
    send(b"".join(scalar(at(polynomial[kind, number], x * pow(omega, rotation, r) % r))
                  for kind, number, rotation in fast.opened(key)))
    alpha = transcript.squeeze()
    W, parts = [0], []
    for P, (name, rotations) in enumerate(polynomials.items()):
        f = polynomial[name]
        points = [x * pow(omega, rotation, r) % r for rotation in rotations]
        Z = times(*([-point % r, 1] for point in points))
        rest = lagrange(points, [at(f, point) for point in points])
        part, nothing = divided(minus(f, rest), Z)
        assert not any(nothing)
        W = plus(W, scaled(part, pow(alpha, P, r)))
        parts.append((pow(alpha, P, r), f, rest, Z))
    commit(W)
    u = transcript.squeeze()
    left = scaled(W, -1)
    for factor, f, rest, Z in parts:
        left = plus(left, scaled(minus(f, [at(rest, u)]), factor * inverse(at(Z, u))))
    W_prime, nothing = divided(left, [-u % r, 1])
    assert not any(nothing)
    commit(W_prime)
    return proof, unmet
