#!/usr/bin/env python3
"""A verifier for proofs of both formats, to be read beside ../SPEC.md: fast.py and compact.py have the formats.

    python3 verify.py [--challenges] KEY PROOF INPUT...
    python3 verify.py --digest KEY

KEY and PROOF are files, of raw bytes or of hex that begins with 0x. An INPUT is 0x and 64 hex digits,
or a decimal number. Exit 0: accepted. Exit 1: the proof is refused. Exit 2: the key or the call is bad.
"""

import re
import sys

import compact
import fast
from fast import BadKey, Refused

# What verifies proofs under a key of each kind.
FORMATS = {1: fast, 2: compact}


def read_key(data):
    return FORMATS[2 if data[:17] == b"muster-verifier1\x02" else 1].read_key(data)


# ---------------------------------------------------------------- 8. Batches

def verify_batch(proofs):
    """For each (key, inputs, proof) None if it is accepted, and else the Refused that says why."""
    results = [None] * len(proofs)
    batches = {}
    for position, (key, inputs, data) in enumerate(proofs):
        try:
            found = FORMATS[key.kind].openings(key, inputs, data)
            batches.setdefault(key.tau_bytes, (key.tau, []))[1].append((position, found))
        except Refused as reason:
            results[position] = reason
    for tau, members in batches.values():
        a = fast.weights([found.name for _, found in members])
        E = fast.linear_combination(a, [found.E for _, found in members])
        W_prime = fast.linear_combination(a, [found.W_prime for _, found in members])
        if not fast.pairings_agree(E, W_prime, tau):
            for position, found in members:
                if not fast.pairings_agree(found.E, found.W_prime, tau):
                    results[position] = Refused("the pairings differ")
    return results


# ---------------------------------------------------------------- The command

def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    # No key begins with the letters 0x, and no proof: no coordinate below q begins with these two bytes.
    return bytes.fromhex(data[2:].decode("ascii")) if data.startswith(b"0x") else data


def read_input(text):
    if re.fullmatch("0x[0-9a-fA-F]{64}", text):
        return int(text, 16)
    fast.must(re.fullmatch("[0-9]+", text), ValueError(f"{text}: an input is 0x and 64 hex digits, or a decimal number"))
    return int(text)


def main(arguments):
    flag = arguments.pop(0) if arguments and arguments[0] in ("--challenges", "--digest") else None
    try:
        fast.must(len(arguments) == 1 if flag == "--digest" else len(arguments) >= 2,
             ValueError("verify.py [--challenges] KEY PROOF INPUT...  or  verify.py --digest KEY"))
        key = read_key(read_file(arguments[0]))
        if flag == "--digest":
            print("0x" + key.digest.hex())
            if key.kind == 2:
                print("name 0x" + key.name.hex())
            return 0
        data = read_file(arguments[1])
        inputs = [read_input(text) for text in arguments[2:]]
    except BadKey as error:
        print(f"bad key: {error}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        if flag:
            found = FORMATS[key.kind].openings(key, inputs, data)
            quotient = ("T", found.T) if key.kind == 1 else ("T_2", found.T_2)
            for name, number in [*found.challenges.items(), quotient]:
                print(f"{name} 0x{number:064x}")
            print(f"name 0x{found.name.hex()}\nE {fast.hex_point(found.E)}\nW' {fast.hex_point(found.W_prime)}")
        FORMATS[key.kind].verify(key, inputs, data)
    except Refused as reason:
        print(f"refused: {reason}")
        return 1
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
