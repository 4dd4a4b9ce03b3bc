"""Sweeps over schemes, sizes and degrees."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from ._muster import SweepPlan


def sweep(
    schemes: str | Iterable[str],
    cases: Iterable[tuple[int, int] | str],
    *,
    degrees: int | str | Iterable[int | str] = "auto",
    kind: Literal["fast", "compact"] = "fast",
    mode: Literal["whole-set", "path", "complement"] | None = None,
    arity: int | None = None,
    mask: bool = False,
    repeat: int = 3,
    out: str | os.PathLike[str] | None = None,
    existing: Literal["refuse", "resume", "replace"] = "refuse",
    progress: Callable[[int, int, str], object] | None = None,
    frame: bool | None = None,
) -> Any:
    """Measures keys, proofs and verifications, as ``muster sweep`` does: a row for each scheme, case and degree.

    A case is ``(signing, signers)`` or ``"8/16"``; a degree is log2 of the rows, ``"14..19"``, or ``"auto"`` for the one
    that is estimated to be fastest. Each row runs in a process of its own, so that its peak of memory is its own, and its
    times are medians of ``repeat`` runs. The SRS comes from the cache, and an insecure one is made where there is none.

    ``out`` is a directory for results.csv, results.json and plots, which are replaced after each row; ``existing`` says what
    happens to those that are there. ``progress`` is called before each row with its number, how many there are, and what it
    is in words.

    Returns a pandas frame if pandas is installed, else a list of dictionaries; ``frame`` chooses one of them. A row that
    failed has ``status`` "failed" and a ``reason``.

    Raises BadInput for a row that no circuit exists for.
    """
    wants_frame = importlib.util.find_spec("pandas") is not None if frame is None else frame
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary if out is None else out)
        plan = SweepPlan(
            [schemes] if isinstance(schemes, str) else list(schemes),
            [case if isinstance(case, str) else f"{case[0]}/{case[1]}" for case in cases],
            [str(degree) for degree in ([degrees] if isinstance(degrees, int | str) else degrees)],
            directory,
            existing=existing,
            kind=kind,
            mode=mode,
            arity=arity,
            mask=mask,
            repeat=repeat,
        )
        # Rows that do not fit are known without being run.
        plan.save()
        left = plan.left()
        for place, (words, asked) in enumerate(left):
            if progress is not None:
                progress(place, len(left), words)
            plan.take(place, *_run(asked))
        results = directory / "results.json"
        rows: list[dict[str, Any]] = (
            json.loads(results.read_text(encoding="utf-8"))["rows"] if results.exists() else []
        )
    if not wants_frame:
        return rows
    import pandas

    return pandas.DataFrame(rows)


def _run(asked: str) -> tuple[bytes, str | None]:
    """What the process of a row printed, and why it failed if it did."""
    command = [sys.executable, "-m", "muster_zk._row", asked]
    # A Ctrl-C while it runs kills it, and is raised here.
    row = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if row.returncode == 0:
        return row.stdout, None
    if row.returncode == -signal.SIGKILL:
        return b"", "killed by signal 9; was there enough memory?"
    if row.returncode < 0:
        return b"", f"killed by signal {-row.returncode}"
    said = row.stderr.decode(errors="replace").strip().splitlines()
    return b"", said[-1] if said else f"exit status {row.returncode}"
