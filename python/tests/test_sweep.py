import json
import pathlib
import tempfile
import unittest
from typing import Any
from unittest import mock

from muster_zk import BadInput, sweep

from support import SCHEME


class Sweeps(unittest.TestCase):
    def test_bad_input_is_named(self) -> None:
        for arguments, reason in [
            ((SCHEME, ["4"]), "cases: a case is signing/signers"),
            ((SCHEME, [(3, 2)]), "cases: 3 cannot sign out of 2"),
            (("nothing", [(1, 2)]), "scheme: unknown scheme"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(BadInput, reason):
                sweep(*arguments)
        with self.assertRaisesRegex(BadInput, "degrees: a degree is between"):
            sweep(SCHEME, [(1, 2)], degrees=[99])
        with self.assertRaisesRegex(BadInput, 'existing: "ask" is none of'):
            sweep(SCHEME, [(1, 2)], existing="ask")

    def test_a_row_for_each_case_and_degree(self) -> None:
        told: list[tuple[int, int, str]] = []
        with tempfile.TemporaryDirectory() as directory:
            out = pathlib.Path(directory) / "results"

            def run(**choices: Any) -> Any:
                cases, degrees = ["1/2"], [6, "auto"]
                return sweep(
                    SCHEME,
                    cases,
                    degrees=degrees,
                    out=out,
                    progress=lambda *row: told.append(row),
                    **choices,
                )

            small, row = run(frame=False)
            self.assertEqual((small["status"], small["requested_degree"]), ("does-not-fit", "6"))
            self.assertEqual((row["status"], row["reason"]), ("ok", None))
            self.assertEqual((row["signing"], row["signers"], row["srs"]), (1, 2, "insecure"))
            self.assertTrue(0 < row["verify_s"] < row["prove_s"])
            self.assertEqual(told, [(0, 1, f"{SCHEME} 1/2")])
            self.assertEqual(json.loads((out / "results.json").read_text())["rows"], [small, row])
            self.assertTrue((out / "results.csv").exists() and (out / "results.svg").exists())
            with self.assertRaisesRegex(BadInput, "results.json: exists"):
                run()
            # What is there is not measured again.
            frame = run(existing="resume")
            self.assertEqual(list(frame["status"]), ["does-not-fit", "ok"])
            self.assertEqual(frame["prove_s"][1], row["prove_s"])
            self.assertEqual(len(told), 1)

    def test_a_row_that_fails_says_why(self) -> None:
        with mock.patch("muster_zk._sweep.sys.executable", "false"):
            (row,) = sweep(SCHEME, [(1, 2)], frame=False)
        self.assertEqual((row["status"], row["reason"]), ("failed", "exit status 1"))

    def test_without_pandas_it_is_a_list(self) -> None:
        with (
            mock.patch("importlib.util.find_spec", return_value=None),
            mock.patch("muster_zk._sweep.sys.executable", "false"),
        ):
            self.assertIsInstance(sweep(SCHEME, [(1, 2)]), list)


if __name__ == "__main__":
    unittest.main()
