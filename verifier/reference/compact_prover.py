"""A prover for compact proofs of circuits of a few rows, which only the tests use.

Like toy_prover.py it knows tau, and it makes a proof whether or not it should: remainders are dropped.
"""

import functools
import random

import compact
import decider as decider_module
import fast
from decider import PLACES, RANDOM_ROWS, WIRES
from toy_prover import (
    at, committed, divided, lagrange, minus, plus, point_of_key, point_of_proof, scalar, scaled, times, trace, u32,
)
from fast import DELTA, OMEGA_28, inverse, r


# Polynomials of the decider, which has more rows

@functools.cache
def powers(root, count):
    found = [1]
    while len(found) < count:
        found.append(found[-1] * root % r)
    return found


def transformed(coefficients, root):
    """The values at 1, root, root², …"""
    n = len(coefficients)
    if n == 1:
        return list(coefficients)
    square = root * root % r
    even, odd = transformed(coefficients[::2], square), transformed(coefficients[1::2], square)
    odd = [b * point % r for b, point in zip(odd, powers(root, n // 2))]
    return [(a + b) % r for a, b in zip(even, odd)] + [(a - b) % r for a, b in zip(even, odd)]


def interpolated(values, root):
    by_n = inverse(len(values))
    return [c * by_n % r for c in transformed(values, inverse(root))]


def root_of_order(n):
    return pow(OMEGA_28, 2 ** 28 // n, r)


# Packs

def spread(f, T, place=0):
    """X^place·f(X^T)."""
    found = [0] * (place + T * (len(f) - 1) + 1)
    found[place::T] = f
    return found


def pack(T, fs):
    return plus([0], *(spread(f, T, place) for place, f in enumerate(fs)))


def commit_columns(T, columns, tau):
    """As a key has it."""
    return committed(pack(T, [interpolated(column, root_of_order(len(column))) for column in columns]), tau)


class Packed:
    """A commitment: its polynomial F, its stride, the points z (for X^T = z), and the values of its places there."""

    def __init__(self, T, fs, points):
        self.F, self.T, self.fs, self.points = pack(T, fs), T, fs, points
        self.Z = times([1], *(spread([-point % r, 1], T) for point in points))
        self.rest = pack(T, [lagrange(points, [at(f, point) for point in points]) for f in fs])


def opening(packs, alpha, u, commit):
    """`commit` takes W and gives u; then it takes W′."""
    W = [0]
    for P, each in enumerate(packs):
        part, _ = divided(minus(each.F, each.rest), each.Z)
        W = plus(W, scaled(part, pow(alpha, P, r)))
    u = u(W)
    left = scaled(W, -1)
    for P, each in enumerate(packs):
        factor = pow(alpha, P, r) * inverse(at(each.Z, u))
        left = plus(left, scaled(minus(each.F, [at(each.rest, u)]), factor))
    commit(divided(left, [-u % r, 1])[0])


# The key

def default_packs(key, T):
    """The polynomials of a round by their rotations, so that a pack has few; T of them a pack."""
    found = []
    for number in range(3):
        names = [name for name in key.arrangement.polynomials if compact.ROUND.get(name[0]) == number]
        names.sort(key=lambda name: len(key.arrangement.polynomials[name]))
        found += [names[start:start + T] for start in range(0, len(names), T)]
    return found


def key_parts(circuit, T, packs=None, decider=None):
    """The key's bytes in named pieces. `packs` are lists of kinds and numbers; `decider` is that of a cheater."""
    parts = circuit.key_parts()
    plain = fast.read_key(b"".join(parts.values()))
    names = [name for name in plain.arrangement.polynomials if name[0] != "quotient"]
    packs = packs or default_packs(plain, T)
    del parts["fixed"], parts["sigma"]
    parts["kind"], parts["stride"] = b"\x02", u32(T)
    parts["packs"] = u32(len(packs)) + b"".join(
        u32(len(each)) + b"".join(u32(names.index(name)) for name in each) for each in packs)
    fixed = {("fixed", i): circuit.rows_to_polynomial(column) for i, column in enumerate(circuit.fixed)}
    fixed.update({("sigma", j): circuit.rows_to_polynomial(s) for j, s in enumerate(circuit.sigma())})
    parts["pack commitments"] = b"".join(
        point_of_key(committed(pack(T, [fixed[name] for name in each]), circuit.tau))
        for each in packs if each[0] in fixed)
    if decider is None:
        plain.T, plain.packs = T, [
            compact.Pack(compact.ROUND[each[0][0]], each,
                         sorted({rotation for name in each for rotation in plain.arrangement.polynomials[name]}))
            for each in packs]
        decider = decider_module.Decider(plain)
    parts["k_2"] = u32(decider.k)
    parts["decider"] = point_of_key(
        commit_columns(PLACES, decider.fixed_columns() + decider.sigma_columns(), circuit.tau))
    return parts


def key_bytes(circuit, T, **how):
    return b"".join(key_parts(circuit, T, **how).values())


# The proof

class Session:
    """The proof so far, and the challenges by name."""

    def __init__(self, key, inputs, tau):
        self.tau, self.items, self.challenge = tau, [], {}
        self.transcript = fast.Transcript(b"muster-compact-keccak256-1")
        self.transcript.absorb(key.name)
        self.transcript.absorb(b"".join(scalar(number) for number in inputs))
        self.row = b""

    def point(self, f):
        found = committed(f, self.tau)
        self.items.append(found)
        self.row += point_of_key(found)

    def scalar(self, number):
        self.items.append(number % r)
        self.row += scalar(number)

    def squeeze(self, *names):
        self.transcript.absorb(self.row)
        self.row = b""
        for name in names:
            self.challenge[name] = self.transcript.squeeze()
        return [self.challenge[name] for name in names]

    def bytes(self, long):
        point = point_of_key if long else point_of_proof
        return b"".join(scalar(item) if isinstance(item, int) else point(item) for item in self.items)


def prove(circuit, key, advice, inputs, seed=1, long=True, change=None, decider=None, **how):
    """A compact proof, and which constraints of the circuit are not met.

    `change` has functions by name, for cheaters: "pack" of a pack's number and its polynomials, "values" of
    the values of E, "publics" of the public inputs of the decider by name, "found" of its variables, "opening" of u
    and the polynomial of W'.
    `decider` is one in place of the key's."""
    rng, change, decider = random.Random(seed), change or {}, decider or key.decider

    def changed(name, *what):
        return change[name](*what) if name in change else what[-1]

    T, session, fs = key.T, Session(key, inputs, circuit.tau), {}

    def commit_round(number, polynomial):
        for P, each in enumerate(key.packs):
            if each.round in (0, number):
                fs[P] = [polynomial[name] for name in each.polynomials]
            if each.round == number:
                fs[P] = changed("pack", P, fs[P])
                session.point(pack(T, fs[P]))

    def first_round(polynomial):
        commit_round(1, polynomial)
        return session.squeeze("theta", "beta_l", "beta", "gamma")

    def second_round(polynomial):
        commit_round(2, polynomial)
        return session.squeeze("y")[0]

    _, quotient, unmet = trace(circuit, key, advice, inputs, first_round, second_round, rng, **how)
    session.point(quotient)
    [x] = session.squeeze("x")

    # The circuit's packs at x
    packs = [Packed(T, fs[P], [x * pow(circuit.omega, rotation, r) % r for rotation in each.rotations])
             for P, each in enumerate(key.packs)]
    packs.append(Packed(1, [quotient], [x]))
    values = {}
    for P, each in enumerate(key.packs):
        for place in range(len(each.polynomials)):
            for rotation in each.rotations:
                values[P, place, rotation] = at(fs[P][place], x * pow(circuit.omega, rotation, r) % r)
    values["Q"] = at(quotient, x)    # which only a cheater's decider takes in
    values = changed("values", values)
    e_rows = [0] * decider.n
    for value, row in decider.layout().items():
        e_rows[row] = values[value]
    e_rows[-RANDOM_ROWS:] = [rng.randrange(r) for _ in range(RANDOM_ROWS)]
    root = root_of_order(decider.n)
    e = interpolated(e_rows, root)
    session.point(spread(e, PLACES))
    [alpha] = session.squeeze("alpha")

    def u_after(name, W):
        session.point(W)
        return session.squeeze(name)[0]

    opening(packs, alpha, lambda W: u_after("u", W),
            lambda f: session.point(changed("opening", session.challenge["u"], f)))
    u = session.challenge["u"]
    w = [pow(alpha, P, r) * inverse(at(each.Z, u)) % r for P, each in enumerate(packs)]
    R = sum(factor * at(each.rest, u) for factor, each in zip(w, packs)) % r
    publics = {("input", j): number for j, number in enumerate(inputs)}
    publics.update({name: session.challenge[name[0]] for name in key.decider.publics
                    if name[0] not in ("input", "w", "R")})
    publics.update({("w", P): factor for P, factor in enumerate(w[:-1])})
    publics["R",] = R
    publics = changed("publics", publics)
    for name in publics:
        if name[0] in ("w", "R"):
            session.scalar(publics[name])
    prove_decider(decider, publics, values, e_rows, e, key, session, rng, changed)
    by_N = scalar(inverse(compact.divisor(key, session.challenge))) if long else b""
    return session.bytes(long) + by_N, unmet


def decider_columns(decider, found, rng):
    """The rows of a, b, c, d."""
    columns = [[] for _ in range(WIRES)]
    for i, row in enumerate(decider.table()):
        wires = [found.get(variable, 0) for variable in row.wires]
        if row.wires[0] is None:
            wires = [rng.randrange(r) for _ in range(3)] + [0]
            wires[3] = wires[2] * row.q_c
        for column, number in zip(columns, wires):
            column.append(number)
    return columns


def prove_decider(decider, publics, values, e_rows, e, key, session, rng, changed):
    n, root = decider.n, root_of_order(decider.n)
    found = changed("found", decider_module.solved(decider, publics, values))
    wire_rows = decider_columns(decider, found, rng)
    wires = [interpolated(column, root) for column in wire_rows]
    session.point(pack(PLACES, wires))
    beta, gamma = session.squeeze("beta_2", "gamma_2")

    points, sigma = powers(root, n), decider.sigma_columns()
    z_rows = [1]
    for i in range(n - 1):
        above = below = 1
        for j in range(WIRES):
            above = above * (wire_rows[j][i] + beta * pow(DELTA, j, r) * points[i] + gamma) % r
            below = below * (wire_rows[j][i] + beta * sigma[j][i] + gamma) % r
        z_rows.append(z_rows[-1] * above * inverse(below) % r)
    vanishing = [-1 % r] + [0] * (n - 1) + [1]
    z = plus(interpolated(z_rows, root), times(vanishing, [rng.randrange(r) for _ in range(4)]))
    session.point(spread(z, PLACES))
    [y] = session.squeeze("y_2")

    fixed = tuple(map(tuple, decider.fixed_columns() + sigma))
    selectors_and_sigma = interpolated_columns(fixed)
    numbers = list(publics.values())
    public = interpolated(numbers + [0] * (n - len(numbers)), root)
    quotient = decider_quotient(n, selectors_and_sigma, [*wires, e, public, z], beta, gamma, y)
    session.point(quotient)
    [x] = session.squeeze("x_2")

    packs = [Packed(PLACES, selectors_and_sigma, [x]), Packed(PLACES, [e], [x]), Packed(PLACES, wires, [x]),
             Packed(PLACES, [z], [x, x * root % r]), Packed(1, [quotient], [x])]
    for f in (*selectors_and_sigma, e, *wires, z):
        session.scalar(at(f, x))
    session.scalar(at(z, x * root % r))
    [alpha] = session.squeeze("alpha_2")

    def u_after(W):
        session.point(W)
        return session.squeeze("u_2")[0]

    opening(packs, alpha, u_after, session.point)
    session.squeeze("rho")


@functools.lru_cache(4)
def interpolated_columns(columns):
    return [interpolated(list(column), root_of_order(len(column))) for column in columns]


SHIFT = 5


@functools.lru_cache(100)
def on_coset(f, size):
    return transformed([c * s % r for c, s in zip(f, powers(SHIFT, size))] + [0] * (size - len(f)), root_of_order(size))


def decider_quotient(n, selectors_and_sigma, columns, beta, gamma, y):
    """From values on a coset of 8n points. What is left of a division that does not come out is dropped."""
    size = 8 * n
    root = root_of_order(size)
    q_m, q_a, q_b, q_c, q_e, q_0, *sigma = (on_coset(tuple(f), size) for f in selectors_and_sigma)
    *wires, e, public, z = (on_coset(tuple(f), size) for f in columns)
    first = on_coset(tuple(interpolated([1] + [0] * (n - 1), root_of_order(n))), size)
    point, total = SHIFT, []
    for i in range(size):
        a, b, c, d = (wire[i] for wire in wires)
        gate = q_m[i] * a * b + q_a[i] * a + q_b[i] * b + q_c[i] * c + q_e[i] * e[i] + q_0[i] + public[i] - d
        new, old = z[(i + 8) % size], z[i]
        for j, wire in enumerate((a, b, c, d)):
            new = new * (wire + beta * sigma[j][i] + gamma) % r
            old = old * (wire + beta * pow(DELTA, j, r) * point + gamma) % r
        total.append((gate + y * first[i] * (z[i] - 1) + y * y * (new - old)) % r)
        point = point * root % r
    coefficients = interpolated(total, root)
    coefficients = [c * s % r for c, s in zip(coefficients, powers(inverse(SHIFT), size))]
    # Divided by X^n − 1, from above.
    quotient = [0] * (size - n)
    for i in range(size - n - 1, -1, -1):
        quotient[i] = (coefficients[i + n] + (quotient[i + n] if i + n < size - n else 0)) % r
    assert not any(quotient[4 * n:])
    return quotient[:4 * n]
