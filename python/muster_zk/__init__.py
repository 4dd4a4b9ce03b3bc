"""Proves and verifies, in zero knowledge, that enough members of a committee signed a message.

    >>> import muster_zk
    >>> committee, signatures = muster_zk.sample("schnorr-babyjubjub", 4, 2)
    >>> keys = muster_zk.Keys.make(muster_zk.Shape(committee.scheme, 4, 2), insecure=True)
    >>> proof = keys.prove(committee, signatures, 2)

Messages, keys, signatures and roots are bytes. Long work lets other threads go on, and ends at Ctrl-C.
"""

from ._errors import BadInput, Bug, FalseStatement, MusterError
from ._muster import (
    Checked,
    Committee,
    Keys,
    Proof,
    SecretKey,
    Shape,
    Signatures,
    VerifierKey,
    __version__,
    check,
    sample,
    schemes,
    verify_signature,
)
from ._sweep import sweep

__all__ = [
    "BadInput",
    "Bug",
    "Checked",
    "Committee",
    "FalseStatement",
    "Keys",
    "MusterError",
    "Proof",
    "SecretKey",
    "Shape",
    "Signatures",
    "VerifierKey",
    "__version__",
    "check",
    "sample",
    "schemes",
    "sweep",
    "verify_signature",
]
