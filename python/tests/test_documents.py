"""What documents show runs: the notebook's cells, and the blocks of Python in the pages."""

import contextlib
import io
import json
import os
import pathlib
import re
import tempfile
import unittest

import support  # noqa: F401, which keeps SRS files apart

FOLDER = pathlib.Path(__file__).parents[1]
PAGES = [FOLDER / "README.md", FOLDER.parent / "docs/src/reference/python.md"]


class Documents(unittest.TestCase):
    def setUp(self) -> None:
        folder, here = tempfile.TemporaryDirectory(), os.getcwd()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, here)
        os.chdir(folder.name)
        printed = contextlib.redirect_stdout(io.StringIO())
        self.enterContext(printed)

    def test_notebooks(self) -> None:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        notebooks = sorted(FOLDER.glob("notebooks/*.ipynb"))
        self.assertTrue(notebooks)
        for path in notebooks:
            names: dict[str, object] = {}
            for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
                with self.subTest(f"{path.name}, cell {number}"):
                    if cell["cell_type"] != "code":
                        continue
                    self.assertEqual(cell["outputs"], [], "outputs are not kept in the repository")
                    before = len(pyplot.get_fignums())
                    source = "".join(cell["source"])
                    exec(compile(source, f"{path.name}[{number}]", "exec"), names)
                    if "plt.show()" in source:
                        self.assertGreater(len(pyplot.get_fignums()), before)
            pyplot.close("all")

    def test_pages(self) -> None:
        for path in PAGES:
            blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
            self.assertTrue(blocks, path)
            names: dict[str, object] = {}
            for number, block in enumerate(blocks):
                with self.subTest(f"{path.name}, block {number}"):
                    exec(compile(block, f"{path.name}[{number}]", "exec"), names)


if __name__ == "__main__":
    unittest.main()
