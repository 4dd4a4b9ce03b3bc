import unittest

import muster_zk
from muster_zk import BadInput, FalseStatement, MusterError, SecretKey, verify_signature

MESSAGE = bytes(31) + b"\x05"


class Errors(unittest.TestCase):
    def test_have_an_order(self) -> None:
        self.assertTrue(issubclass(BadInput, MusterError) and issubclass(BadInput, ValueError))
        self.assertTrue(issubclass(FalseStatement, MusterError))
        self.assertFalse(issubclass(FalseStatement, ValueError))
        self.assertTrue(issubclass(muster_zk.Bug, MusterError))


class Schemes(unittest.TestCase):
    def test_bad_input_is_named(self) -> None:
        with self.assertRaisesRegex(BadInput, 'scheme: unknown scheme "nothing"'):
            SecretKey("nothing")
        with self.assertRaisesRegex(BadInput, "seed: expected 32 bytes, found 3"):
            SecretKey("ed25519", b"abc")
        with self.assertRaisesRegex(BadInput, "scheme: signers of musig-babyjubjub only sign together"):
            SecretKey("musig-babyjubjub").sign(MESSAGE)
        with self.assertRaisesRegex(BadInput, "message: expected 32 bytes, found 1"):
            SecretKey("ecdsa-secp256k1").sign(b"x")
        with self.assertRaisesRegex(BadInput, "message: the integer is not below the modulus"):
            SecretKey("schnorr-babyjubjub").sign(b"\xff" * 32)
        secret = SecretKey("ecdsa-secp256k1")
        with self.assertRaisesRegex(BadInput, "public_key: "):
            verify_signature(secret.scheme, bytes(33), MESSAGE, secret.sign(MESSAGE))
        with self.assertRaisesRegex(BadInput, 'rule: "none" is none of low-s, '):
            verify_signature(secret.scheme, secret.public_key, MESSAGE, secret.sign(MESSAGE), rule="none")
        with self.assertRaisesRegex(BadInput, "rule: not one of ecdsa-secp256k1"):
            verify_signature(secret.scheme, secret.public_key, MESSAGE, secret.sign(MESSAGE), rule="zip215")

    def test_signatures_hold_for_their_message_alone(self) -> None:
        names = [scheme["name"] for scheme in muster_zk.schemes()]
        self.assertIn("ed25519", names)
        # Members of MuSig sign together, and those of bls-bn254 a point.
        for name in sorted(set(names) - {"musig-babyjubjub", "bls-bn254"}):
            with self.subTest(name):
                secret = SecretKey(name, bytes(range(32)))
                signature = secret.sign(MESSAGE)
                verify_signature(name, secret.public_key, MESSAGE, signature)
                with self.assertRaises(FalseStatement):
                    verify_signature(name, secret.public_key, bytes(32), signature)
                with self.assertRaises(FalseStatement):
                    verify_signature(name, SecretKey(name).public_key, MESSAGE, signature)
                with self.assertRaises(FalseStatement):
                    verify_signature(name, secret.public_key, MESSAGE, signature + b"\x00")

    def test_a_vector_of_rfc_8032(self) -> None:
        """Section 7.1, test 2."""
        secret = SecretKey(
            "ed25519",
            bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
        )
        self.assertEqual(
            secret.public_key.hex(),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        )
        self.assertEqual(
            secret.sign(b"\x72").hex(),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        )

    def test_a_secret_does_not_show(self) -> None:
        secret = SecretKey("ed25519", bytes([0xAB] * 32))
        self.assertEqual(repr(secret), "<SecretKey of ed25519>")
        self.assertNotEqual(SecretKey("ed25519").public_key, SecretKey("ed25519").public_key)


if __name__ == "__main__":
    unittest.main()
