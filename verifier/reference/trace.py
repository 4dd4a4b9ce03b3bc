"""Proofs with what a verifier of `compact` finds on the way, as files: python3 trace.py FOLDER.

Tests of the contract (contracts/test/Trace.t.sol) and of the verifier in Rust (verifier/src/tests/compact/traces.rs)
compare each of these numbers with their own.

Honest proofs of small circuits, and proofs for keys of many shapes whose points and scalars are random. The latter are
false, but all the same every number must come out right.
"""

import json
import os
import random
import sys
from types import SimpleNamespace

import compact
import fast
from compact_prover import key_bytes, prove
from py_ecc.optimized_bn128 import G1, multiply, neg
from test_verify import LARGE, LARGE_INPUTS, large_advice, square_advice, square_circuit
from toy_prover import TAU, Circuit, plus, point_of_key, point_of_proof, scalar, tau_bytes, u32
from fast import H, r


def honest():
    """Name, circuit, key, advice and inputs of each."""
    def one(name, circuit, T, advice, inputs, packs=None):
        return name, circuit, compact.read_key(key_bytes(circuit, T, packs=packs)), advice, inputs

    small = square_circuit(table=True)
    yield one("small", small, 4, square_advice(), [2])
    yield one("stride-7", small, 7, square_advice(), [2])
    yield one("large", LARGE, 9, large_advice(), LARGE_INPUTS)
    yield one("copies", square_circuit(), 3, square_advice(), [2])
    yield one("lookups", square_circuit(copied=False, table=True), 5, square_advice(), [2])

    # Three inputs and five packs, which is what the figures for gas are for.
    three = square_circuit(table=True)
    three.inputs = 3
    three.copies = [(("advice", 0, i + 1), ("inputs", 0, i)) for i in range(3)]
    packs = [[("fixed", 0), ("sigma", 0)], [("fixed", 1), ("sigma", 1)], [("advice", 0), ("advice", 1)], [("m", 0)],
             [("z", 0), ("phi", 0)]]
    yield one("three-inputs", three, 4, square_advice(), [2, 3, 4], packs)

    # One pack of the key more, as BLS has it.
    packs = [[("fixed", 0), ("sigma", 0)], [("fixed", 1)], [("sigma", 1)], *packs[2:]]
    yield one("six-packs", three, 4, square_advice(), [2, 3, 4], packs)

    no_inputs = square_circuit()
    no_inputs.inputs, no_inputs.copied, no_inputs.copies = 0, [("advice", 0), ("advice", 1)], []
    yield one("no-inputs", no_inputs, 3, square_advice(), [])

    no_advice = Circuit(3, 6, [[4, 5, 6]], advice=0, inputs=1)
    no_advice.copied, no_advice.copies = [("fixed", 0), ("inputs", 0)], [(("fixed", 0, 1), ("inputs", 0, 0))]
    yield one("no-first-round", no_advice, 4, [], [5])


def shaped(rng, inputs, packs, spare):
    """An EVM key with random commitments; a tenth of them are the identity. `packs` are numbers for the three rounds."""
    def commitment():
        return multiply(G1, rng.randrange(1, r) if rng.randrange(10) else 0)

    key = SimpleNamespace(inputs=inputs, digest=rng.randbytes(32), tau_bytes=tau_bytes(TAU))
    key.packs = [compact.Pack(number, [], []) for number, count in enumerate(packs) for _ in range(count)]
    key.k_2 = min(20, (inputs + sum(packs) + 15 - 1).bit_length() + spare)
    key.n_2 = 2 ** key.k_2
    key.omega_2 = pow(fast.OMEGA_28, 2 ** (28 - key.k_2), r)
    key.decider_commitment = commitment()
    key.pack_commitments = [commitment() for _ in range(packs[0])]
    key.evm = compact.evm_key(key)
    key.name = H(key.evm)
    return key


def random_proof(rng, key, inputs):
    committed = sum(pack.round > 0 for pack in key.packs)
    kinds = "p" * (committed + 4) + "s" * (len(key.packs) + 1) + "ppp" + "s" * 17 + "pp"
    short = b"".join(point_of_proof(multiply(G1, rng.randrange(1, r))) if kind == "p" else scalar(rng.randrange(r))
                     for kind in kinds)
    return compact.lengthened(key, inputs, short)


def vector(key, inputs, proof, accepted):
    """In `trace`: the challenges in the order of section 12, the proof's name, T_2, what each commitment is multiplied by
    in the left point (K_2, E, V, Z_2, Q_2, Q, and [1]), the left point, and W' + ρ·W_2' negated."""
    found = compact.openings(key, inputs, proof)
    challenge, read = found.challenges, compact.read_proof(key, proof)
    factors, _, total = compact.decider_openings(key, read, found.T_2, challenge)
    rho = challenge["rho"]
    w_Q = pow(challenge["alpha"], len(key.packs), r) * fast.inverse(challenge["u"] - challenge["x"])
    numbers = [*challenge.values(), int.from_bytes(found.name, "big"), found.T_2, *(rho * factor % r for factor in factors),
               w_Q % r, (-read.R - rho * total) % r]
    points = point_of_key(found.E) + point_of_key(neg(found.W_prime))
    words = [number.to_bytes(32, "big") for number in numbers] + [points[at:at + 32] for at in range(0, 128, 32)]
    return {"evm_key": "0x" + key.evm.hex(), "name": "0x" + key.name.hex(),
            "inputs": ["0x" + scalar(number).hex() for number in inputs], "proof": "0x" + proof.hex(),
            "accepted": accepted, "trace": ["0x" + word.hex() for word in words]}


SHAPES = [(0, (0, 0, 1)), (0, (0, 1, 0)), (0, (1, 0, 0)), (1, (0, 0, 0 + 1)), (3, (2, 1, 1)), (3, (2, 2, 1)), (8, (3, 3, 2)),
          (64, (1, 5, 3)), (257, (4, 1, 1)), (1024, (2, 1, 1))]


def files():
    """What each file is called and holds."""
    for name, circuit, key, advice, inputs in honest():
        proof, unmet = prove(circuit, key, advice, inputs)
        assert unmet == []
        yield "honest-" + name, vector(key, inputs, proof, True)
    # Left and right points are off, of one proof by [1] and of the other by its opposite: a plain sum would hold.
    _, circuit, key, advice, inputs = next(honest())
    for label, error in (("plus", 1), ("minus", -1)):
        def off(u, polynomial, error=error):
            return plus(polynomial, [error * fast.inverse(u - TAU) % r])

        proof, _ = prove(circuit, key, advice, inputs, seed=label, change={"opening": off})
        yield "off-" + label, vector(key, inputs, proof, False)
    circuit.tau = TAU + 1
    key = compact.read_key(key_bytes(circuit, 4))
    yield "other-setup", vector(key, inputs, prove(circuit, key, advice, inputs)[0], True)
    rng = random.Random(1)
    for number in range(32):
        inputs, packs = SHAPES[number] if number < len(SHAPES) else (
            rng.randrange(6), (rng.randrange(4), rng.randrange(4), 1 + rng.randrange(3)))
        key = shaped(rng, inputs, packs, number % 12)
        inputs = [rng.choice((0, 1, r - 1, rng.randrange(r))) for _ in range(inputs)]
        proof = random_proof(rng, key, inputs)
        yield f"random-{number}", vector(key, inputs, proof, False)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, found in files():
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(found, file, separators=(",", ":"))
            file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
