"""A verifier for proofs of the format `compact`: sections 9 to 13 of ../SPEC.md, whose names it uses.

It is called by way of verify.py, which looks at the kind of the key.
"""

from collections import namedtuple

from decider import PLACES, RANDOM_ROWS, SELECTORS, Decider
from py_ecc.optimized_bn128 import G1, is_inf
import fast
from fast import (
    DELTA, BadKey, H, Key, Reader, Refused, Transcript, hex_point, interpolated, inverse, linear_combination, must,
    product, r, read_head, rule,
)

# ---------------------------------------------------------------- 9. The key

# `polynomials` are kinds and numbers, by place; `round` is 0 for the key's packs, or 1 or 2.
Pack = namedtuple("Pack", "round polynomials rotations")
ROUND = {"fixed": 0, "sigma": 0, "advice": 1, "m": 1, "h": 2, "phi": 2, "z": 2, "d": 2}


def read_key(data):
    """The key of the kind `compact` that these bytes are; raises BadKey. Whether its decider is the right one
    is for check_decider."""
    reader, key = Reader(data, BadKey), Key()
    read_head(reader, key, 2, "compact", 256)
    key.T = key.stride  # M in the specification, where T is the value of the quotient
    rule(12, max(len(key.nodes), len(key.constraints)) <= 65536, "there are more than 65,536 nodes or constraints")
    rule(12, key.inputs <= 1024, "there are more than 1,024 inputs")
    at = len(key.rotations.get(("inputs", 0), []))
    rule(12, key.inputs * at <= 4096, "there are more than 4,096 inputs, each at all rotations")
    key.packs = read_packs(reader, key)
    check_packs(key)
    key.pack_commitments = [reader.point_of_key() for pack in key.packs if pack.round == 0]
    key.k_2 = reader.u32()
    key.decider_commitment = reader.point_of_key()
    reader.end()
    rule(13, key.k_2 <= 16, "k of the decider is above 16")
    key.decider = Decider(key, 2 ** key.k_2 - RANDOM_ROWS)
    rule(13, key.k_2 == key.decider.k, "the decider has another number of rows")
    key.n_2, key.omega_2 = key.decider.n, key.decider.omega()
    key.bytes, key.digest = data, H(data)
    key.evm = evm_key(key)
    key.name = H(key.evm)
    return key


def read_packs(reader, key):
    names = [name for name in key.arrangement.polynomials if name[0] != "quotient"]
    packs = []
    count = reader.u32()
    rule(10, count <= len(names), "there are more packs than polynomials")
    for _ in range(count):
        count = reader.u32()
        must(1 <= count <= key.T, BadKey("a pack does not have 1 to T polynomials"))
        numbers = [reader.u32() for _ in range(count)]
        must(all(number < len(names) for number in numbers), BadKey("rule 10: there is no such polynomial"))
        polynomials = [names[number] for number in numbers]
        rounds = {ROUND[kind] for kind, _ in polynomials}
        rule(10, len(rounds) == 1, "a pack has polynomials of different rounds")
        rotations = sorted({rotation for name in polynomials for rotation in key.arrangement.polynomials[name]})
        packs.append(Pack(rounds.pop(), polynomials, rotations))
    placed = [name for pack in packs for name in pack.polynomials]
    rule(10, len(set(placed)) == len(placed) == len(names), "not every polynomial stands in one place")
    return packs


def check_packs(key):
    # Rules 10 (in part) and 11.
    rounds = [pack.round for pack in key.packs]
    rule(10, rounds == sorted(rounds), "the packs are not in the order of their rounds")
    for pack in key.packs:
        different = {rotation % key.n for rotation in pack.rotations}
        rule(11, len(different) == len(pack.rotations), "two rotations of a pack are equal modulo n")
        rule(11, len(pack.rotations) <= 256, "a pack has more than 256 rotations")
    values = sum(len(pack.rotations) * len(pack.polynomials) for pack in key.packs)
    rule(11, values <= 16384, "the packs have more than 16,384 values")


def packs_of(key, number):
    return [pack for pack in key.packs if pack.round == number]


def point_bytes(point):
    return bytes.fromhex(hex_point(point)[2:])


def evm_key(key):
    """What a contract needs of the key."""
    numbers = [key.k_2, key.inputs, len(packs_of(key, 1)), len(packs_of(key, 2))]
    points = [key.decider_commitment, *key.pack_commitments]
    return (b"muster-evm-key-1" + b"".join(number.to_bytes(4, "big") for number in numbers) + key.digest
            + key.tau_bytes + b"".join(point_bytes(point) for point in points))


def check_decider(key, commit):
    """Raises BadKey if the key's decider is not the one that follows from the key. `commit` makes a
    commitment of a pack from its stride and its columns, which are lists of n_2 values."""
    columns = key.decider.fixed_columns() + key.decider.sigma_columns()
    there, right = map(point_bytes, (key.decider_commitment, commit(PLACES, columns)))
    must(there == right, BadKey("its decider is another one"))


# ---------------------------------------------------------------- 10. The proof

VALUES = (*SELECTORS, "sigma_a", "sigma_b", "sigma_c", "sigma_d", "e", "a", "b", "c", "d", "z", "z_next")
# `w` is by pack; `values` by name; `rows` the items of the transcript; `inverse` is None in the short encoding.
Proof = namedtuple("Proof", "packs Q E W W_prime w R V Z_2 Q_2 values W_2 W_2_prime rows inverse")


def counts(key):
    """How many points and scalars a proof has in the short encoding."""
    committed = len(packs_of(key, 1)) + len(packs_of(key, 2))
    return committed + 9, len(key.packs) + 1 + len(VALUES)


def read_proof(key, data):
    points, scalars = counts(key)
    short, long = 32 * (points + scalars), 64 * points + 32 * (scalars + 1)
    must(len(data) in (short, long), Refused("the proof has a wrong length"))
    reader, rows, row = Reader(data, Refused), [], b""

    def point():
        nonlocal row
        found = reader.point_of_proof() if len(data) == short else long_point(reader)
        row += point_bytes(found)
        return found

    def scalar():
        nonlocal row
        found = reader.scalar()
        row += found.to_bytes(32, "big")
        return found

    def end_of_row():
        nonlocal row
        rows.append(row)
        row = b""

    first = [point() for _ in packs_of(key, 1)]
    end_of_row()
    second = [point() for _ in packs_of(key, 2)]
    end_of_row()
    found = []
    for _ in range(3):
        found.append(point())
        end_of_row()
    W_prime, w, R = point(), [scalar() for _ in range(len(key.packs))], scalar()
    V = point()
    end_of_row()
    Z_2 = point()
    end_of_row()
    Q_2 = point()
    end_of_row()
    values = {name: scalar() for name in VALUES}
    end_of_row()
    W_2 = point()
    end_of_row()
    W_2_prime = point()
    end_of_row()
    by_N = None if len(data) == short else reader.scalar()
    reader.end()
    return Proof(first + second, *found, W_prime, w, R, V, Z_2, Q_2, values, W_2, W_2_prime, rows, by_N)


def long_point(reader):
    found = reader.point_of_key()
    must(not is_inf(found), Refused("a point is the identity"))
    return found


# ---------------------------------------------------------------- 12. Challenges

SQUEEZED = [["theta", "beta_l", "beta", "gamma"], ["y"], ["x"], ["alpha"], ["u"], ["beta_2", "gamma_2"], ["y_2"],
            ["x_2"], ["alpha_2"], ["u_2"], ["rho"]]


def challenges(key, inputs, rows):
    """The challenges by name, and the proof's name."""
    must(len(inputs) == key.inputs, Refused(f"the key takes {key.inputs} inputs, not {len(inputs)}"))
    must(all(0 <= number < r for number in inputs), Refused("an input is not below r"))
    transcript, found = Transcript(b"muster-compact-keccak256-1"), {}
    transcript.absorb(key.name)
    transcript.absorb(b"".join(number.to_bytes(32, "big") for number in inputs))
    for item, squeezed in zip(rows, SQUEEZED):
        transcript.absorb(item)
        for challenge in squeezed:
            found[challenge] = transcript.squeeze()
    return found, transcript.s


# ---------------------------------------------------------------- 13. The verification

def publics(key, inputs, challenge, w, R):
    """The public inputs of the decider, in order."""
    names = ("theta", "beta_l", "beta", "gamma", "y", "x", "alpha", "u")
    return [*inputs, *(challenge[name] for name in names), *w, R]


def quotient_value(key, numbers, values, challenge):
    """The value that the decider's quotient must have at x_2; `numbers` are the public inputs."""
    x, n = challenge["x_2"], key.n_2
    vanishing = (pow(x, n, r) - 1) % r
    must(x != 0 and vanishing != 0, Refused("x_2 is 0 or a row"))

    def L(i):
        at = pow(key.omega_2, i, r)
        return at * vanishing * inverse(n * (x - at)) % r

    q_m, q_a, q_b, q_c, q_e, q_0 = (values[name] for name in SELECTORS)
    a, b, c, d, e = (values[name] for name in "abcde")
    public = sum(number * L(j) for j, number in enumerate(numbers))
    gate = q_m * a * b + q_a * a + q_b * b + q_c * c + q_e * e + q_0 + public - d
    beta, gamma = challenge["beta_2"], challenge["gamma_2"]
    new = product(values[wire] + beta * values["sigma_" + wire] + gamma for wire in "abcd")
    old = product(values[wire] + beta * pow(DELTA, j, r) * x + gamma for j, wire in enumerate("abcd"))
    y = challenge["y_2"]
    total = gate + y * L(0) * (values["z"] - 1) + y * y * (values["z_next"] * new - values["z"] * old)
    return total * inverse(vanishing) % r


def joined(values, X):
    """Σ X^i·(value i)."""
    return sum(pow(X, i, r) * value for i, value in enumerate(values)) % r


def decider_openings(key, proof, T_2, challenge):
    """Factors and commitments of the packs of the decider, and the sum of w_P·r_P."""
    x, alpha, u = challenge["x_2"], challenge["alpha_2"], challenge["u_2"]
    v, U, next_x = proof.values, pow(u, PLACES, r), key.omega_2 * x % r
    packs = [  # commitment, and the values of each place at x and, where it is opened there, at ω_2·x
        (key.decider_commitment, [v[name] for name in VALUES[:PLACES]], None),
        (proof.E, [v["e"]], None),
        (proof.V, [v[wire] for wire in "abcd"], None),
        (proof.Z_2, [v["z"]], [v["z_next"]]),
    ]
    factors, points, total = [], [], 0
    for P, (commitment, at_x, at_next) in enumerate(packs):
        opened_at = [x] if at_next is None else [x, next_x]
        Z_P = product(U - at for at in opened_at)
        must(Z_P != 0, Refused("u_2 is a point at which a pack is opened"))
        r_P = interpolated(opened_at, [joined(values, u) for values in (at_x, at_next) if values], U)
        factors.append(pow(alpha, P, r) * inverse(Z_P) % r)
        points.append(commitment)
        total += factors[-1] * r_P
    must(u != x, Refused("u_2 is a point at which the quotient is opened"))
    factors.append(pow(alpha, len(packs), r) * inverse(u - x) % r)
    points.append(proof.Q_2)
    total += factors[-1] * T_2
    return factors, points, total % r


def divisor(key, challenge):
    """N, the product of all that is divided by."""
    x, u = challenge["x_2"], challenge["u_2"]
    U, next_x, back = pow(u, PLACES, r), key.omega_2 * x, inverse(key.omega_2)
    rows = product(x * pow(back, j, r) - 1 for j in range(key.inputs + 8 + len(key.packs) + 1))
    return product([pow(x, key.n_2, r) - 1, rows, challenge["u"] - challenge["x"], U - x, U - next_x, u - x, x - next_x])


def lengthened(key, inputs, data):
    """The long encoding of a proof that has either."""
    rows = read_proof(key, data).rows
    challenge, _ = challenges(key, inputs, rows)
    return b"".join(rows) + inverse(divisor(key, challenge)).to_bytes(32, "big")


# What a proof comes to: the points of the pairings, the proof's name, and what led there.
Openings = namedtuple("Openings", "E W_prime name challenges T_2")


def openings(key, inputs, data):
    """Everything but the pairing; raises Refused."""
    proof = read_proof(key, data)
    challenge, name = challenges(key, inputs, proof.rows)
    T_2 = quotient_value(key, publics(key, inputs, challenge, proof.w, proof.R), proof.values, challenge)
    # The circuit's packs
    u, x = challenge["u"], challenge["x"]
    must(u != x, Refused("u is the point at which the quotient is opened"))
    w_Q = pow(challenge["alpha"], len(key.packs), r) * inverse(u - x) % r
    packs = [*key.pack_commitments, *proof.packs, proof.Q]
    E_1 = linear_combination([*proof.w, w_Q, -proof.R, -1, u], [*packs, G1, proof.W, proof.W_prime])
    # The decider's
    factors, points, total = decider_openings(key, proof, T_2, challenge)
    E_2 = linear_combination([*factors, -total, -1, challenge["u_2"]], [*points, G1, proof.W_2, proof.W_2_prime])
    right = proof.inverse is None or proof.inverse * divisor(key, challenge) % r == 1
    must(right, Refused("the inverse is not that of N"))
    E, W_prime = (linear_combination([1, challenge["rho"]], pair)
                  for pair in ([E_1, E_2], [proof.W_prime, proof.W_2_prime]))
    return Openings(E, W_prime, name, challenge, T_2)


def verify(key, inputs, data):
    """Returns if the proof is accepted; raises Refused if not."""
    found = openings(key, inputs, data)
    must(fast.pairings_agree(found.E, found.W_prime, key.tau), Refused("the pairings differ"))
