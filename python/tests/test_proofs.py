import pathlib
import tempfile
import unittest
import warnings

import muster_zk
from muster_zk import BadInput, Committee, FalseStatement, Keys, Proof, Shape, Signatures, VerifierKey

from support import SCHEME, keys, proof, sampled, secrets

FIXTURES = pathlib.Path(__file__).parents[2] / "verifier/js/test/fixtures"


class Proving(unittest.TestCase):
    def test_what_is_false_is_not_proven(self) -> None:
        committee, signatures = sampled()
        with self.assertRaisesRegex(FalseStatement, "threshold 3"):
            keys().prove(committee, signatures, 3)
        with self.assertRaisesRegex(BadInput, "members, but the shape has room for 4"):
            keys().prove(*muster_zk.sample(SCHEME, 5, 2), 2)
        with self.assertRaisesRegex(BadInput, "scheme: ecdsa-p256, but the keys are for schnorr"):
            keys().prove(*muster_zk.sample("ecdsa-p256", 2, 1), 1)

    def test_dropped_signatures_are_warned_of(self) -> None:
        owners = secrets(3)
        committee = Committee(SCHEME, [secret.public_key for secret in owners])
        message = bytes(32)
        signed = {member: owners[member].sign(message) for member in (0, 1)}
        signatures = Signatures(committee, message, signed | {2: bytes(64)})
        with self.assertWarnsRegex(UserWarning, r"dropped: signatures: signatures\[2\]") as warned:
            proof = keys().prove(committee, signatures, 2)
        self.assertEqual(pathlib.Path(warned.filename).name, "test_proofs.py")
        self.assertEqual(proof.claims["threshold"], 2)
        with self.assertRaises(FalseStatement):
            keys().prove(committee, signatures, 2, strict=True)
        with warnings.catch_warnings(), self.assertRaises(UserWarning):
            warnings.simplefilter("error")
            keys().prove(committee, signatures, 2)

    def test_an_insecure_srs_is_asked_for(self) -> None:
        keys()
        with self.assertRaisesRegex(BadInput, "srs: .*not by a ceremony"):
            Keys.make(Shape(SCHEME, 4, 2))
        with self.assertRaisesRegex(BadInput, "no-such-file"):
            Keys.make(Shape(SCHEME, 4, 2), srs="no-such-file")


class Verifying(unittest.TestCase):
    def test_only_what_was_proven_is_accepted(self) -> None:
        committee, signatures = sampled()
        key = keys().verifier
        expected = {
            "root": committee.root(shape=key.shape),
            "threshold": 2,
            "message": signatures.message,
            "allow_insecure": True,
        }
        key.verify(proof(), **expected)
        for change, reason in [
            ({"threshold": 1}, "its file says that it is about another threshold"),
            ({"root": bytes(32)}, "its file says that it is about another root"),
            ({"message": bytes(32)}, "its file says that it is about another message"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(FalseStatement, reason):
                key.verify(proof(), **(expected | change))
        for change, reason in [
            ({"allow_insecure": False}, "key: no ceremony made its SRS"),
            ({"root": bytes(31)}, "root: expected 32 bytes, found 31"),
            ({"root": b"\xff" * 32}, "root: the integer is not below the modulus"),
            ({"message": b"x"}, "message: expected 32 bytes, found 1"),
            ({"message": None}, "message: give either this or digest"),
            ({"message": None, "digest": bytes(32)}, "digest: schnorr-babyjubjub has none"),
            ({"signers": [0, 1]}, "does not say who signed"),
            ({"signers": [4]}, "signers: "),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(BadInput, reason):
                key.verify(proof(), **(expected | change))
        with self.assertRaises(TypeError):
            key.verify(proof())

    def test_another_proof_is_refused(self) -> None:
        committee, signatures = sampled()
        key = keys().verifier
        text = proof().to_json()
        digits = bytes(proof()).hex()
        forged = Proof.from_json(text.replace(digits, digits[:-2] + f"{int(digits[-2:], 16) ^ 1:02x}"))
        statement = {"root": committee.root(shape=key.shape), "threshold": 2, "message": signatures.message}
        with self.assertRaisesRegex(FalseStatement, "^the proof"):
            key.verify(forged, **statement, allow_insecure=True)
        with self.assertRaisesRegex(FalseStatement, "its file names another verifying key"):
            other = Proof.read(FIXTURES / "schnorr/proof.json")
            key.verify(other, **statement, allow_insecure=True)
        with self.assertRaisesRegex(BadInput, "^proof: the file is empty"):
            Proof.from_json("")

    def test_who_signed(self) -> None:
        other = Proof.read(FIXTURES / "mask/proof.json")
        signers = other.claims["signers"]
        assert signers is not None
        self.assertEqual((len(signers), other.claims["threshold"], other.shape.mask), (2, 2, True))


class Files(unittest.TestCase):
    def test_keys_and_proofs_are_kept(self) -> None:
        committee, signatures = sampled()
        with tempfile.TemporaryDirectory() as directory:
            folder, path = pathlib.Path(directory) / "keys", pathlib.Path(directory) / "proof.json"
            keys().save(folder)
            with self.assertRaisesRegex(BadInput, "already exists"):
                keys().save(folder)
            proof().write(path)
            with self.assertRaisesRegex(BadInput, "proof.json: already exists"):
                proof().write(path)
            read, key = Proof.read(path), VerifierKey.load(folder)
            self.assertEqual((bytes(read), len(read)), (bytes(proof()), len(bytes(proof()))))
            self.assertEqual((key.digest, key.is_insecure), (read.key_digest, True))
            self.assertEqual((key.kind, read.kind, key.shape), ("fast", "fast", read.shape))
            root = committee.root(shape=key.shape)
            self.assertEqual(
                read.claims,
                {"root": root, "threshold": 2, "message": signatures.message, "signers": None},
            )
            loaded = Keys.load(folder)
            self.assertEqual(loaded.verifier.digest, key.digest)
            (folder / "verifying.key").write_bytes(b"")
            with self.assertRaisesRegex(BadInput, "verifying.key"):
                VerifierKey.load(folder)


if __name__ == "__main__":
    unittest.main()
