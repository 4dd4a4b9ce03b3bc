"""What several tests share."""

import atexit
import functools
import os
import tempfile

import muster_zk

# SRS files go into a directory of this run, whatever the caller's cache has.
_directory = tempfile.TemporaryDirectory()
atexit.register(_directory.cleanup)
os.environ["MUSTER_PARAMS"] = os.path.join(_directory.name, "srs")

SCHEME = "schnorr-babyjubjub"


@functools.cache
def sampled() -> tuple[muster_zk.Committee, muster_zk.Signatures]:
    """Four members, of whom two signed."""
    return muster_zk.sample(SCHEME, 4, 2, seed="python")


@functools.cache
def keys() -> muster_zk.Keys:
    """For committees of up to four members, two of whom sign."""
    return muster_zk.Keys.make(muster_zk.Shape(SCHEME, 4, 2), insecure=True)


@functools.cache
def proof() -> muster_zk.Proof:
    committee, signatures = sampled()
    return keys().prove(committee, signatures, 2)


def secrets(count: int, scheme: str = SCHEME) -> list[muster_zk.SecretKey]:
    """Keys that every run has."""
    return [muster_zk.SecretKey(scheme, bytes([number + 1] * 32)) for number in range(count)]
