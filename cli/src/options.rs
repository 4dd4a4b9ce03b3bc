//! The choices that schemes leave open.

use std::fmt;

use muster_circuits::{KeyKind, Rule, Scheme, Suite};
use muster_prover::{
    files::{CommitteeFile, DroppedList},
    terminal::warn,
};
use muster_schemes::{
    membership::{Admission, PublishedKeys, Seats},
    signature::{MessageForm, NoSuchChoice, PointHash},
};
use serde_json::Value;

use crate::{
    report::list,
    values::{key_kinds, rules},
    Error,
};

/// How a committee names its members.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct KeysArgs {
    /// How the committee names its members; only ecdsa-secp256k1 has addresses.
    #[arg(long, value_parser = key_kinds(), default_value_t)]
    keys: KeyKind,
}

impl KeysArgs {
    /// The kind that was asked for, if the scheme has it.
    pub(crate) fn of(self, scheme: Scheme) -> Result<KeyKind, Error> {
        let is_known = scheme.names_members_by(self.keys);
        is_known.then_some(self.keys).ok_or_else(|| no_sets_by(scheme, self.keys))
    }
}

/// What else a scheme leaves open.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ChoiceArgs {
    /// Which signatures are accepted. For ECDSA: with which s (default: low-s for secp256k1, any-s
    /// for P-256); for Ed25519: by which equation, with which points (default: zip215); for BLS:
    /// whether keys need proofs of possession (default: proven-keys).
    #[arg(long, value_parser = rules())]
    rule: Option<Rule>,
    #[command(flatten)]
    signing: SigningArgs,
}

/// What is signed, where a scheme leaves that open.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct SigningArgs {
    /// Which part of the message is public: `sha256:N`, the hash of the signed bytes, of which
    /// there are at most N, N up to 16384; `bytes:N`, these bytes themselves, N up to 64; `point`, the point that
    /// the bytes are hashed to; or `cometbft-precommit`, the hash of a precommit's encoding, which
    /// each signer signs with its own time (default: see `muster schemes`).
    #[arg(long, value_name = "FORM")]
    message_form: Option<MessageForm>,
    /// How messages are hashed to points (BLS): `pop`, with the tag for signers who prove
    /// possession of their keys; `nul`, with the tag of the basic scheme; `tag:TAG`, with another
    /// tag of up to 95 characters; or, for bls-bn254-min-sig, `keccak:TAG`, with another tag and Keccak-256 in place of
    /// SHA-256, or `try-and-increment:N`, the search of EigenLayer's contracts, in which the
    /// circuit tries N candidates (default: pop).
    #[arg(long, value_name = "HASH")]
    hash: Option<PointHash>,
    /// Short for `--message-form point`: the circuit does not hash to the curve, so the verifier
    /// has to (BLS).
    #[arg(long, conflicts_with = "message_form")]
    message_point: bool,
}

impl SigningArgs {
    /// What of a message is public; `None` for the scheme's default.
    pub(crate) fn form(self) -> Option<MessageForm> {
        self.message_form.or(self.message_point.then_some(MessageForm::Point))
    }

    /// How messages are hashed to points.
    pub(crate) fn hash(self) -> PointHash {
        self.hash.unwrap_or_default()
    }

    /// The scheme with these choices, under its default rule if there is none.
    pub(crate) fn under(
        self,
        rule: Option<Rule>,
        scheme: Scheme,
        keys: KeyKind,
    ) -> Result<Suite, Error> {
        let no_such = |choice| match choice {
            NoSuchChoice::Keys(keys) => no_sets_by(scheme, keys),
            NoSuchChoice::Rule(rule) => {
                Error::usage(format!("--rule: {scheme} has no rule {}", rule.name()))
            }
            NoSuchChoice::Hash(hash) => {
                let reason = match hash {
                    PointHash::Keccak(_) if scheme != Scheme::BlsBn254MinSig => {
                        format!("{scheme} has no hash with Keccak-256: only bls-bn254-min-sig has")
                    }
                    PointHash::Tagged(tag) if tag.bytes().starts_with(b"BLS_POP_") => {
                        format!("the tag {tag} is for proofs of possession alone")
                    }
                    _ => format!("{scheme} has no hash {hash} for messages of this form"),
                };
                Error::usage(format!("--hash: {reason}"))
            }
            NoSuchChoice::Form(form) => {
                let reason = format!("{scheme} has no messages of the form {form}");
                Error::usage(format!("--message-form: {reason}"))
            }
        };
        let suite = Suite::new(scheme, keys, rule, self.form());
        suite.and_then(|suite| suite.with_hash(self.hash())).map_err(no_such)
    }
}

impl ChoiceArgs {
    /// This rule, and all else as the scheme has it.
    pub(crate) fn of_rule(rule: Option<Rule>) -> Self {
        Self { rule, signing: SigningArgs::default() }
    }

    /// The scheme with these choices, for sets that name their members in this way.
    pub(crate) fn suite(self, scheme: Scheme, keys: KeyKind) -> Result<Suite, Error> {
        self.signing.under(self.rule, scheme, keys)
    }
}

/// Warns of what a set takes on trust by the rule of its scheme.
pub(crate) fn warn_of_trust(suite: Suite) {
    if suite.rule() == Some(Rule::TrustedKeys) {
        warn(
            "keys are accepted without proofs of possession: anyone whose key was made up from those of \
             other members can sign for all of them",
        );
    }
}

/// Which keys the members of a committee may have.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct AdmissionArgs {
    #[command(flatten)]
    seats: SeatsArg,
    /// Accept keys whose secrets are public knowledge, such as 1 or the seeds of RFC 8032: anyone can
    /// sign with them. For tests and published vectors only; each command that reads such a
    /// committee has to be told.
    #[arg(long)]
    insecure_keys: bool,
}

impl AdmissionArgs {
    /// Which keys.
    pub(crate) fn admission(self) -> Admission {
        let published =
            if self.insecure_keys { PublishedKeys::Accepted } else { PublishedKeys::Refused };
        Admission { seats: self.seats.seats(), published }
    }
}

/// The members of a committee for whom anyone can sign, since `--insecure-keys` lets them in.
#[derive(Clone, Debug, Default)]
pub(crate) struct InsecureKeys(Vec<usize>);

/// The most of them that are listed.
const LISTED: usize = 8;

impl InsecureKeys {
    /// Those of a committee.
    pub(crate) fn of(file: &CommitteeFile) -> Self {
        Self(file.committee.insecure().to_vec())
    }

    /// Their places, for programs.
    pub(crate) fn to_json(&self) -> Value {
        self.0.clone().into()
    }
}

/// A line, or nothing.
impl fmt::Display for InsecureKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(members) = self;
        let list = list(members.iter().take(LISTED));
        let more = members.len().saturating_sub(LISTED);
        match (members.len(), more) {
            (0, _) => Ok(()),
            (_, 0) => writeln!(f, "INSECURE keys: anyone can sign for members {list}"),
            _ => writeln!(f, "INSECURE keys: anyone can sign for members {list} and {more} more"),
        }
    }
}

/// How many members of a committee may have the same key.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct SeatsArg {
    /// Accept committees in which members share a key, where keys add up (BLS). Each place is a
    /// seat with its own weight, and signs for itself: an aggregate has the signature once for each
    /// seat that signs.
    #[arg(long)]
    seats: bool,
}

impl SeatsArg {
    /// How many.
    pub(crate) fn seats(self) -> Seats {
        if self.seats {
            Seats::Several
        } else {
            Seats::One
        }
    }
}

/// Whether all signatures have to count.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct StrictArg {
    /// Refuse if any signature does not count, instead of dropping it.
    #[arg(long)]
    strict: bool,
}

impl StrictArg {
    /// Refuses what was dropped, if nothing may be.
    pub(crate) fn allows(self, dropped: &DroppedList) -> Result<(), Error> {
        if self.strict {
            dropped.refuse()?;
        }
        Ok(())
    }
}

fn no_sets_by(scheme: Scheme, keys: KeyKind) -> Error {
    Error::usage(format!("--keys: {scheme} has no sets that name members by {keys}"))
}
