import json
import pathlib
import tempfile
import unittest

import muster_zk
from muster_zk import BadInput, Committee, FalseStatement, SecretKey, Shape, Signatures, check

from support import SCHEME, sampled, secrets

FIXTURES = pathlib.Path(__file__).parents[2] / "verifier/js/test/fixtures"
MESSAGE = bytes(31) + b"\x05"


class Committees(unittest.TestCase):
    def test_bad_members_are_named(self) -> None:
        keys = [secret.public_key for secret in secrets(2)]
        for arguments, reason in [
            (([],), "members"),
            ((keys, [1]), "weights: 1 of them for 2 members"),
            ((keys, [1, 0]), r"committee: members\[1\].weight: "),
            ((keys, [1, 2**60]), r"committee: members\[1\].weight: "),
            (([keys[0], keys[0]],), r"committee: members\[1\].public_key: "),
            (([keys[0], bytes([255] * 32)],), r"committee: members\[1\].public_key: "),
            (([keys[0], b""],), r"committee: members\[1\].public_key: "),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(BadInput, reason):
                Committee(SCHEME, *arguments)
        with self.assertRaisesRegex(BadInput, "seats"):
            Committee(SCHEME, keys, seats=True)
        with self.assertRaisesRegex(BadInput, "keys: "):
            Committee(SCHEME, [bytes(range(20))], keys="address")
        with self.assertRaisesRegex(BadInput, "no-such-file.json"):
            Committee.read("no-such-file.json")
        with self.assertRaises(TypeError):
            Committee(SCHEME, ["0x00"])

    def test_the_root_is_that_of_the_command_line(self) -> None:
        """The fixtures were made by `muster`, from a sample with this seed."""
        expected = json.loads((FIXTURES / "schnorr/statement.json").read_text())
        committee, signatures = muster_zk.sample(SCHEME, 16, 8, seed="javascript")
        shape = Shape(SCHEME, 16, 8)
        self.assertEqual("0x" + committee.root(shape=shape).hex(), expected["root"])
        self.assertEqual("0x" + signatures.message.hex(), expected["message"])
        self.assertNotEqual(committee.root(arity=2), committee.root(shape=shape))
        with self.assertRaisesRegex(BadInput, "shape: it says"):
            committee.root(shape=shape, arity=2)
        with self.assertRaisesRegex(BadInput, "committee: members: 4 members, but the shape has room for 2"):
            sampled()[0].root(shape=Shape(SCHEME, 2, 1))

    def test_weights_and_quorums(self) -> None:
        committee = Committee(SCHEME, [secret.public_key for secret in secrets(3)], [1, 2, 2**59])
        self.assertEqual((len(committee), committee.total_weight), (3, 3 + 2**59))
        self.assertEqual(committee.weights, [1, 2, 2**59])
        self.assertEqual(committee.threshold(">1/2"), (3 + 2**59) // 2 + 1)
        for quorum in ["2/3", ">3/2", "most"]:
            with self.subTest(quorum), self.assertRaisesRegex(BadInput, "threshold: "):
                committee.threshold(quorum)

    def test_files_are_whole_and_are_not_replaced_unasked(self) -> None:
        committee, signatures = sampled()
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "committee.json"
            committee.write(path)
            with self.assertRaisesRegex(BadInput, "committee.json: already exists"):
                committee.write(path)
            committee.write(path, force=True)
            read = Committee.read(path)
            self.assertEqual(read.public_keys, committee.public_keys)
            self.assertEqual(read.root(), committee.root())
            self.assertEqual(Committee.from_json(committee.to_json()).root(), committee.root())
            signed = pathlib.Path(directory) / "signatures.json"
            signatures.write(signed)
            self.assertEqual(Signatures.read(signed, read).to_json(), signatures.to_json())
            signed.write_text("{}")
            with self.assertRaisesRegex(BadInput, "signatures.json: missing field `message`"):
                Signatures.read(signed, committee)

    def test_addresses(self) -> None:
        committee, signatures = muster_zk.sample("ecdsa-secp256k1", 3, 2, keys="address", seed="python")
        again = Committee(committee.scheme, committee.public_keys, keys="address")
        self.assertEqual([len(key) for key in again.public_keys], [20, 20, 20])
        self.assertEqual(again.root(), committee.root())
        self.assertEqual(len(signatures), 2)


class Checks(unittest.TestCase):
    def test_what_is_false_is_refused(self) -> None:
        committee, signatures = sampled()
        with self.assertRaisesRegex(FalseStatement, "the signers weigh 2, below the threshold 3"):
            check(committee, signatures, 3)
        with self.assertRaises(FalseStatement):
            check(committee, signatures, ">1/2")
        with self.assertRaises(FalseStatement):
            check(committee, signatures, 0)
        with self.assertRaises(OverflowError):
            check(committee, signatures, -1)
        other = Committee(SCHEME, [secret.public_key for secret in secrets(4)])
        with self.assertRaises(FalseStatement):
            check(other, signatures, 1)

    def test_a_bad_signature_stops_no_other(self) -> None:
        owners = secrets(3)
        committee = Committee(SCHEME, [secret.public_key for secret in owners])
        signed = {member: owners[member].sign(MESSAGE) for member in (0, 2)}
        signatures = Signatures(committee, MESSAGE, signed | {1: owners[2].sign(MESSAGE)})
        checked = check(committee, signatures, 2)
        self.assertEqual((checked.taken, checked.left_out, checked.threshold), ([0, 2], [], 2))
        self.assertEqual((checked.root, checked.message), (committee.root(), MESSAGE))
        self.assertEqual([one["member"] for one in checked.dropped], [1])
        with self.assertRaisesRegex(FalseStatement, "not all signatures count"):
            check(committee, signatures, 2, strict=True)
        with self.assertRaisesRegex(FalseStatement, r"dropped: signatures: signatures\[1\]"):
            check(committee, signatures, 3)

    def test_members_who_sign_together(self) -> None:
        owners = secrets(3, "musig-babyjubjub")
        committee = Committee("musig-babyjubjub", [secret.public_key for secret in owners])
        signatures = committee.sign(MESSAGE, {0: owners[0], 2: owners[2]})
        self.assertEqual(check(committee, signatures, 2).taken, [0, 2])
        aggregate = json.loads(signatures.to_json())["aggregate"]
        joint = bytes.fromhex(aggregate["signature"][2:])
        again = Signatures(committee, MESSAGE, joint=(aggregate["members"], joint))
        self.assertEqual(again.to_json(), signatures.to_json())
        with self.assertRaises(FalseStatement):
            check(committee, Signatures(committee, MESSAGE, joint=([0, 1], joint)), 2)
        with self.assertRaisesRegex(BadInput, "give either these or joint"):
            Signatures(committee, MESSAGE)
        with self.assertRaisesRegex(BadInput, r"secrets: \[3\]: there are only 3 members"):
            committee.sign(MESSAGE, {3: owners[0]})
        with self.assertRaisesRegex(BadInput, r"secrets: \[0\]: not of musig-babyjubjub"):
            committee.sign(MESSAGE, {0: SecretKey(SCHEME)})
        with self.assertRaises((BadInput, FalseStatement)):
            committee.sign(MESSAGE, {})


class Shapes(unittest.TestCase):
    def test_what_has_no_circuit_is_refused(self) -> None:
        for arguments, reason in [
            ({"signers": 0}, "signers: 0 is not from 1"),
            ({"signers": 4, "slots": 0}, "slots: 0 is not from 1"),
            ({"signers": 4, "slots": 2**14 + 1}, "slots: 16385 is not from 1 to 16384"),
            ({"signers": 2**33, "slots": 1}, "signers: 8589934592 is not from 1"),
            ({"signers": 4, "mode": "all"}, 'mode: "all" is none of whole-set, path, complement'),
            ({"signers": 4, "absent": 1}, "absent: keys of schnorr-babyjubjub do not add up"),
            ({"signers": 4, "message_form": "hex"}, "message_form: "),
            ({"signers": 4, "hash": "md5"}, "hash: "),
            ({"signers": 4, "arity": 3}, "tree: "),
            ({"signers": 4, "degree": 6}, "does not fit 2.6 rows; the smallest degree that fits is"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(BadInput, reason):
                Shape(SCHEME, **arguments)

    def test_it_says_what_it_is(self) -> None:
        shape = Shape(SCHEME, 16, 8, mask=True)
        self.assertEqual((shape.scheme, shape.signers, shape.slots, shape.mask), (SCHEME, 16, 8, True))
        self.assertEqual((shape.mode, shape.arity), ("whole-set", 5))
        self.assertEqual(shape, Shape(SCHEME, 16, 8, mask=True))
        self.assertNotEqual(shape, Shape(SCHEME, 16, 8))
        self.assertEqual(shape.to_dict()["capacity"], 16)
        fast, compact = shape.estimate(), shape.estimate("compact")
        self.assertEqual(fast["srs_degree"], shape.degree)
        self.assertGreater(compact["srs_degree"], shape.degree)
        self.assertGreater(compact["seconds"], fast["seconds"])
        self.assertGreater(shape.columns["advice"], 0)
        with self.assertRaisesRegex(BadInput, 'kind: "quick" is none of fast, compact'):
            shape.estimate("quick")


if __name__ == "__main__":
    unittest.main()
