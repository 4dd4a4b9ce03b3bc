#!/usr/bin/env python3
"""Test vectors of FROST(Baby Jubjub, Poseidon), from the documents alone.

Shares no code with the crate: RFC 9591 and ePrint 2020/852 for the protocol, ePrint 2019/458 for Poseidon
with circomlib's parameters, EIP-2494 for the curve, src/frost/README.md for the hashes. Writes both files
into src/frost/tests/vectors; the crate's tests read them.
"""

import hashlib
import json
import pathlib

P = 21888242871839275222246405745257275088548364400416034343698204186575808495617
L = 2736030358979909402780800718157159386076813972158567259200215660948447373041
A, D = 168700, 168696
BASE = (
    5299619240641551281634865583518297030282874472190772894086521144482721001553,
    16950150798460657717958625567821834550301663161624707787222815936182638968203,
)
NAME = b"FROST-BABYJUBJUB-POSEIDON-v1"


def add(p, q):
    (x, y), (u, v) = p, q
    k = D * x * u * y * v % P
    return (
        (x * v + y * u) * pow(1 + k, -1, P) % P,
        (y * v - A * x * u) * pow(1 - k, -1, P) % P,
    )


def mul(n, p=BASE):
    result = (0, 1)
    while n:
        if n & 1:
            result = add(result, p)
        p, n = add(p, p), n >> 1
    return result


def point(p):
    return (p[1] | (p[0] > (P - 1) // 2) << 255).to_bytes(32, "little")


def scalar(n):
    return (n % L).to_bytes(32, "little")


def wide(label, data):
    return hashlib.blake2b(NAME + label + data).digest()


def to_scalar(label, data):
    return int.from_bytes(wide(label, data), "little") % L


def grain(width, partial):
    """The 80-bit LFSR, two bits a draw, of which the first says whether the second counts."""
    fields = [(1, 2), (0, 4), (254, 12), (width, 12), (8, 10), (partial, 10), (2**30 - 1, 30)]
    state = [int(bit) for value, bits in fields for bit in format(value, f"0{bits}b")]

    def step():
        bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0]
        state.append(bit)
        state.pop(0)
        return bit

    for _ in range(160):
        step()
    while True:
        keep, bit = step(), step()
        if keep:
            yield bit


def poseidon(domain, inputs):
    width, partial = len(inputs) + 1, [56, 57, 56, 60, 60, 63][len(inputs) - 1]
    bits = grain(width, partial)

    def draw():
        return int("".join(str(next(bits)) for _ in range(254)), 2)

    def element():
        while (value := draw()) >= P:
            pass
        return value

    constants = [[element() for _ in range(width)] for _ in range(8 + partial)]
    xs, ys = [draw() for _ in range(width)], [draw() for _ in range(width)]
    matrix = [[pow(x + y, -1, P) for y in ys] for x in xs]
    state = [domain] + inputs
    for i, row in enumerate(constants):
        state = [s + c for s, c in zip(state, row)]
        full = i < 4 or i >= 4 + partial
        state = [pow(s, 5, P) if full or lane == 0 else s for lane, s in enumerate(state)]
        state = [sum(m * s for m, s in zip(line, state)) % P for line in matrix]
    return state[0]


def challenge(r, key, message):
    domain = int.from_bytes(b"muster.schnorr.v1", "big")
    return poseidon(domain, [*r, *key, int.from_bytes(message, "big")]) % L


def signing():
    def h3(text):
        return to_scalar(b"nonce", text)

    secret, slope = h3(b"test vector: secret"), h3(b"test vector: slope")
    message = (42).to_bytes(32, "big")
    key = mul(secret)
    share = {i: (secret + slope * i) % L for i in (1, 2, 3)}
    drawn = {}
    for i in (1, 3):
        for kind in ("hiding", "binding"):
            seed = wide(b"msg", f"test vector: {kind} {i}".encode())[:32]
            drawn[i, kind] = (seed, h3(seed + scalar(share[i])))
    nonce = {place: value for place, (_, value) in drawn.items()}
    commit = {place: mul(value) for place, value in nonce.items()}
    encoded = b"".join(
        scalar(i) + point(commit[i, "hiding"]) + point(commit[i, "binding"]) for i in (1, 3)
    )
    prefix = point(key) + wide(b"msg", message) + wide(b"com", encoded)
    factor = {i: to_scalar(b"rho", prefix + scalar(i)) for i in (1, 3)}
    r = (0, 1)
    for i in (1, 3):
        r = add(r, add(commit[i, "hiding"], mul(factor[i], commit[i, "binding"])))
    c = challenge(r, key, message)
    lagrange = {1: 3 * pow(2, -1, L), 3: -pow(2, -1, L)}
    z = {
        i: (nonce[i, "hiding"] + nonce[i, "binding"] * factor[i] + lagrange[i] * share[i] * c) % L
        for i in (1, 3)
    }
    total = sum(z.values()) % L
    assert mul(total) == add(r, mul(c, key))
    outputs = []
    for i in (1, 3):
        output = {
            "identifier": i,
            "binding_factor_input": (prefix + scalar(i)).hex(),
            "binding_factor": scalar(factor[i]).hex(),
        }
        for kind in ("hiding", "binding"):
            output[f"{kind}_nonce_randomness"] = drawn[i, kind][0].hex()
            output[f"{kind}_nonce"] = scalar(nonce[i, kind]).hex()
            output[f"{kind}_nonce_commitment"] = point(commit[i, kind]).hex()
        outputs.append(output)
    return {
        "config": {
            "MAX_PARTICIPANTS": "3",
            "NUM_PARTICIPANTS": "2",
            "MIN_PARTICIPANTS": "2",
            "name": "FROST(Baby Jubjub, Poseidon)",
            "group": "Baby Jubjub",
            "hash": "Poseidon, Blake2b-512",
        },
        "inputs": {
            "participant_list": [1, 3],
            "group_secret_key": scalar(secret).hex(),
            "verifying_key_key": point(key).hex(),
            "message": message.hex(),
            "share_polynomial_coefficients": [scalar(slope).hex()],
            "participant_shares": [
                {"identifier": i, "participant_share": scalar(share[i]).hex()} for i in (1, 2, 3)
            ],
        },
        "round_one_outputs": {"outputs": outputs},
        "round_two_outputs": {
            "outputs": [{"identifier": i, "sig_share": scalar(z[i]).hex()} for i in (1, 3)]
        },
        "final_output": {"sig": (point(r) + scalar(total)).hex()},
    }


def generation():
    def draw(what, i):
        return to_scalar(b"nonce", f"test vector: dkg {what} {i}".encode())

    members = (1, 2, 3)
    constant = {i: draw("secret", i) for i in members}
    slope = {i: draw("slope", i) for i in members}
    sent = {(i, to): (constant[i] + slope[i] * to) % L for i in members for to in members}
    share = {to: sum(sent[i, to] for i in members) % L for to in members}
    inputs = {"verifying_key": point(mul(sum(constant.values()) % L)).hex()}
    for i in members:
        first, k = mul(constant[i]), draw("proof", i)
        r = mul(k)
        c = to_scalar(b"dkg", scalar(i) + point(first) + point(r))
        inputs[str(i)] = {
            "identifier": i,
            "signing_key": scalar(constant[i]).hex(),
            "coefficient": scalar(slope[i]).hex(),
            "vss_commitments": [point(first).hex(), point(mul(slope[i])).hex()],
            "proof_of_knowledge": (point(r) + scalar(k + constant[i] * c)).hex(),
            "signing_shares": {str(j): scalar(sent[j, i]).hex() for j in members if j != i},
            "verifying_share": point(mul(share[i])).hex(),
            "signing_share": scalar(share[i]).hex(),
        }
    config = {
        "MAX_PARTICIPANTS": 3,
        "MIN_PARTICIPANTS": 2,
        "name": "FROST(Baby Jubjub, Poseidon)",
        "group": "Baby Jubjub",
        "hash": "Poseidon, Blake2b-512",
    }
    return {"config": config, "inputs": inputs}


if __name__ == "__main__":
    assert poseidon(0, [1, 2]) == int(  # circomlib's own test
        "115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a", 16
    )
    folder = pathlib.Path(__file__).parent.parent / "src/frost/tests/vectors"
    for name, vectors in [("babyjubjub", signing()), ("babyjubjub-dkg", generation())]:
        text = json.dumps(vectors, indent=2, sort_keys=True) + "\n"
        (folder / f"{name}.json").write_text(text)
