import os
from collections.abc import Sequence
from typing import Any, Literal, TypedDict, final

_Path = str | os.PathLike[str]
_Kind = Literal["fast", "compact"]
_Mode = Literal["whole-set", "path", "complement"]
_Keys = Literal["coordinates", "address"]
_Rule = Literal["low-s", "any-s", "zip215", "rfc8032", "strict", "proven-keys", "trusted-keys"]

__all__ = [
    "Checked",
    "Committee",
    "Keys",
    "Proof",
    "SecretKey",
    "Shape",
    "Signatures",
    "SweepPlan",
    "VerifierKey",
    "__version__",
    "check",
    "sample",
    "schemes",
    "sweep_row",
    "verify_signature",
]

__version__: str

class _Scheme(TypedDict):
    name: str
    curve: str
    public_key: str
    message: str
    signature: str
    equation: str
    a_key_is_accepted_if: str
    a_signature_is_accepted_if: str
    signatures_made_elsewhere: str
    aggregate: bool

class _Columns(TypedDict):
    advice: int
    fixed: int
    lookups: int
    permutation: int

class _Estimate(TypedDict):
    seconds: float
    bytes: int
    proving_key_bytes: int
    srs_degree: int

class _Claims(TypedDict):
    root: bytes
    threshold: int
    message: bytes | None
    signers: list[int] | None

class _Dropped(TypedDict):
    file: str
    signature: int
    member: int | None
    reason: str

def schemes() -> list[_Scheme]: ...
@final
class SecretKey:
    def __new__(cls, scheme: str, seed: bytes | None = None) -> SecretKey: ...
    @property
    def scheme(self) -> str: ...
    @property
    def public_key(self) -> bytes: ...
    def sign(self, message: bytes) -> bytes: ...

def verify_signature(
    scheme: str, public_key: bytes, message: bytes, signature: bytes, *, rule: _Rule | None = None
) -> None: ...
@final
class Shape:
    def __new__(
        cls,
        scheme: str,
        signers: int,
        slots: int | None = None,
        *,
        absent: int | None = None,
        keys: _Keys = "coordinates",
        rule: _Rule | None = None,
        message_form: str | None = None,
        hash: str | None = None,
        mode: _Mode | None = None,
        arity: int | None = None,
        depth: int | None = None,
        mask: bool = False,
        degree: int | None = None,
    ) -> Shape: ...
    @property
    def scheme(self) -> str: ...
    @property
    def signers(self) -> int: ...
    @property
    def slots(self) -> int: ...
    @property
    def mode(self) -> _Mode: ...
    @property
    def arity(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def mask(self) -> bool: ...
    @property
    def degree(self) -> int: ...
    @property
    def columns(self) -> _Columns: ...
    def estimate(self, kind: _Kind = "fast") -> _Estimate: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Committee:
    def __new__(
        cls,
        scheme: str,
        public_keys: Sequence[bytes],
        weights: Sequence[int] | None = None,
        *,
        keys: _Keys = "coordinates",
        seats: bool = False,
    ) -> Committee: ...
    @staticmethod
    def read(path: _Path, *, seats: bool = False) -> Committee: ...
    @staticmethod
    def from_json(text: str, *, seats: bool = False) -> Committee: ...
    def to_json(self) -> str: ...
    def write(self, path: _Path, *, force: bool = False) -> None: ...
    @property
    def scheme(self) -> str: ...
    @property
    def public_keys(self) -> list[bytes]: ...
    @property
    def weights(self) -> list[int]: ...
    @property
    def total_weight(self) -> int: ...
    def root(
        self, *, shape: Shape | None = None, arity: int | None = None, depth: int | None = None
    ) -> bytes: ...
    def threshold(self, quorum: str) -> int: ...
    def sign(
        self, message: bytes, secrets: dict[int, SecretKey], *, shape: Shape | None = None
    ) -> Signatures: ...
    def __len__(self) -> int: ...

@final
class Signatures:
    def __new__(
        cls,
        committee: Committee,
        message: bytes,
        signatures: dict[int, bytes] | None = None,
        *,
        joint: tuple[Sequence[int], bytes] | None = None,
    ) -> Signatures: ...
    @staticmethod
    def read(path: _Path, committee: Committee) -> Signatures: ...
    @staticmethod
    def from_json(text: str, committee: Committee) -> Signatures: ...
    def to_json(self) -> str: ...
    def write(self, path: _Path, *, force: bool = False) -> None: ...
    @property
    def message(self) -> bytes: ...
    def __len__(self) -> int: ...

def sample(
    scheme: str,
    signers: int,
    signing: int,
    *,
    seed: str | None = None,
    message: bytes | None = None,
    keys: _Keys = "coordinates",
    message_form: str | None = None,
    hash: str | None = None,
    arity: int | None = None,
    depth: int | None = None,
) -> tuple[Committee, Signatures]: ...
@final
class Checked:
    @property
    def root(self) -> bytes: ...
    @property
    def threshold(self) -> int: ...
    @property
    def message(self) -> bytes: ...
    @property
    def signers(self) -> list[int] | None: ...
    @property
    def taken(self) -> list[int]: ...
    @property
    def left_out(self) -> list[int]: ...
    @property
    def dropped(self) -> list[_Dropped]: ...
    @property
    def shape(self) -> Shape: ...

def check(
    committee: Committee,
    signatures: Signatures,
    threshold: int | str,
    *,
    shape: Shape | None = None,
    strict: bool = False,
) -> Checked: ...
@final
class Proof:
    @staticmethod
    def read(path: _Path) -> Proof: ...
    @staticmethod
    def from_json(text: str) -> Proof: ...
    def to_json(self) -> str: ...
    def write(self, path: _Path, *, force: bool = False) -> None: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def key_digest(self) -> bytes: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def claims(self) -> _Claims: ...
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...

@final
class Keys:
    @staticmethod
    def make(
        shape: Shape,
        *,
        kind: _Kind = "fast",
        srs: _Path | None = None,
        srs_g2: _Path | None = None,
        insecure: bool = False,
    ) -> Keys: ...
    @staticmethod
    def load(directory: _Path, *, srs: _Path | None = None, srs_g2: _Path | None = None) -> Keys: ...
    def save(self, directory: _Path, *, force: bool = False) -> None: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def verifier(self) -> VerifierKey: ...
    def prepare(self, memory: Literal["low", "fast"] = "low") -> None: ...
    def prove(
        self,
        committee: Committee,
        signatures: Signatures,
        threshold: int | str,
        *,
        strict: bool = False,
    ) -> Proof: ...

@final
class VerifierKey:
    @staticmethod
    def load(directory: _Path) -> VerifierKey: ...
    @property
    def digest(self) -> bytes: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def is_insecure(self) -> bool: ...
    def verify(
        self,
        proof: Proof,
        *,
        root: bytes,
        threshold: int,
        message: bytes | None = None,
        digest: bytes | None = None,
        signers: Sequence[int] | None = None,
        allow_insecure: bool = False,
    ) -> None: ...

@final
class SweepPlan:
    def __new__(
        cls,
        schemes: Sequence[str],
        cases: Sequence[str],
        degrees: Sequence[str],
        out: _Path,
        *,
        existing: Literal["refuse", "resume", "replace"],
        kind: _Kind,
        mode: _Mode | None,
        arity: int | None,
        mask: bool,
        repeat: int,
    ) -> SweepPlan: ...
    def left(self) -> list[tuple[str, str]]: ...
    def take(self, place: int, printed: bytes, failed: str | None = None) -> None: ...
    def save(self) -> None: ...

def sweep_row(asked: str) -> None: ...
