//! Committees and signatures to try things out.

use std::num::NonZeroUsize;

use blake2::Digest;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    Committee, KeyKind, Message, MessageForm, PointHash, Request, Scheme, SchemeVisitor,
    Signatures, Suite,
};
use muster_gadgets::signature::instructions::SignatureInstructions;
use muster_schemes::{
    membership::Seats,
    signature::{SignatureScheme, SignedMessage},
};
use rand::{rngs::OsRng, seq::index, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use serde_json::{json, Value};

use crate::{encoding::to_hex, files::MAX_MEMBERS, keys::Blake2b256, Error};

/// Label for the seed made from a text.
const SEED_LABEL: &[u8] = b"muster.sample.v1";
// Streams of the generator: one for all choices, and one for the nonces and the key of each member.
const CHOICES: u64 = 0;
const NONCES: u64 = 1 << 32;
const MEMBERS: u64 = 1 << 33;

/// What sample to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scheme.
    pub scheme: Scheme,
    /// How the committee names its members.
    pub keys: KeyKind,
    /// Which part of a message is public; `None` for the scheme's default.
    pub form: Option<MessageForm>,
    /// How messages are hashed to points.
    pub hash: PointHash,
    /// Members of the committee.
    pub signers: usize,
    /// How many of them sign.
    pub signing: usize,
    /// What they sign; `None` for a random message.
    pub message: Option<Message>,
    /// Children of a node and levels of the tree: the aggregate key depends on its root.
    pub tree: (usize, usize),
}

/// A committee, signatures by some members, and where the secret keys come from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The scheme.
    pub scheme: Scheme,
    /// How the committee names its members.
    pub keys: KeyKind,
    /// The committee; every weight is one.
    pub committee: Committee,
    /// What was signed.
    pub message: Message,
    /// Signatures by random members; those of ECDSA have a low s, so that either rule accepts them.
    pub signatures: Signatures,
    suite: Suite,
    source: Source,
}

/// Where all randomness of a sample comes from.
#[derive(Clone)]
pub struct Source {
    seed: [u8; 32],
    /// How many different keys there are, if members share them.
    owners: Option<NonZeroUsize>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Source(..)")
    }
}

impl Source {
    /// Randomness from the operating system.
    pub fn random() -> Self {
        let mut seed = [0; 32];
        OsRng.fill_bytes(&mut seed);
        Self { seed, owners: None }
    }

    /// Randomness from a text: the same sample every time, with keys that anyone can compute. For tests.
    pub fn from_text(text: &str) -> Self {
        let seed = Blake2b256::new().chain_update(SEED_LABEL).chain_update(text).finalize().into();
        Self { seed, owners: None }
    }

    /// The same with at most this many different keys, which members hold in turn, from the first key again once all
    /// are given out. Only for schemes whose keys add up.
    pub fn with_owners(self, owners: NonZeroUsize) -> Self {
        Self { owners: Some(owners), ..self }
    }

    /// Randomness for the nonces of a member.
    pub fn nonces(&self, member: usize) -> ChaCha20Rng {
        self.stream(NONCES + member as u64)
    }

    fn seats(&self) -> Seats {
        self.owners.map_or(Seats::One, |_| Seats::Several)
    }

    fn stream(&self, stream: u64) -> ChaCha20Rng {
        let mut rng = ChaCha20Rng::from_seed(self.seed);
        rng.set_stream(stream);
        rng
    }

    /// The secret key of a member.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`] for a scheme whose keys cannot be made from any seed.
    pub fn secret_key<S: SignatureScheme>(&self, member: usize) -> Result<S::SecretKey, Error> {
        let mut seed = [0; 32];
        let owner = self.owners.map_or(member, |owners| member % owners);
        self.stream(MEMBERS + owner as u64).fill_bytes(&mut seed);
        Ok(S::secret_key_from_seed(&seed)?)
    }
}

/// The committee, every weight one.
struct MakeCommittee<'a> {
    source: &'a Source,
    size: usize,
}

impl SchemeVisitor for MakeCommittee<'_> {
    type Output = Result<Committee, Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let key = |member| {
            let secret = self.source.secret_key::<S>(member)?;
            Ok((scheme.member(&S::public_key(&secret)), 1))
        };
        let keys = (0..self.size).into_par_iter().map(key).collect::<Result<Vec<_>, Error>>()?;
        Ok(Committee::with_seats(&keys, self.source.seats())?)
    }
}

/// Signatures of some members, under a root that an aggregate key depends on.
struct Sign<'a> {
    source: &'a Source,
    root: Fr,
    members: Vec<usize>,
    message: &'a Message,
    name: Scheme,
}

impl SchemeVisitor for Sign<'_> {
    type Output = Result<Signatures, Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let Self { source, root, members, message, name } = self;
        let wrong = muster_circuits::Error::WrongMessage(name);
        let message = S::Message::of(message).ok_or(wrong)?;
        let signer = |&member: &usize| Ok((source.secret_key::<S>(member)?, source.nonces(member)));
        let signers = members.par_iter().map(signer).collect::<Result<Vec<_>, Error>>()?;
        let mut signatures = scheme.sign_all(&root, signers, &message)?;
        if S::AGGREGATE {
            let signature = signatures.pop().ok_or(muster_circuits::Error::WrongKind(name))?;
            return Ok(Signatures::Aggregate { members, signature });
        }
        Ok(Signatures::Independent(members.into_iter().zip(signatures).collect()))
    }
}

/// The secret keys of this many members, in hex.
struct Secrets<'a>(&'a Source, usize);

impl SchemeVisitor for Secrets<'_> {
    type Output = Result<Vec<String>, Error>;

    fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
        let Self(source, members) = self;
        let secret = |member| {
            let key = source.secret_key::<S>(member)?;
            Ok(to_hex(&*S::encode_secret_key(&key)))
        };
        (0..members).into_par_iter().map(secret).collect()
    }
}

struct RandomMessage<'a>(&'a mut ChaCha20Rng);

impl SchemeVisitor for RandomMessage<'_> {
    type Output = Message;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Message {
        scheme.stated(&scheme.random_message(self.0))
    }
}

impl Sample {
    /// Makes a sample.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] unless there is at least one member and no more sign than there are,
    /// [`Error::Circuit`] if the tree does not hold the committee, or if scheme, names, message and owners
    /// do not go together.
    pub fn new(plan: &Plan, source: Source) -> Result<Self, Error> {
        let &Plan { scheme, keys, form, hash, signers, signing, tree: (arity, depth), .. } = plan;
        check_numbers(signers, signing)?;
        let request = Request::new(scheme, signers, signing);
        let suite = Request { keys, message: form, hash, ..request }.suite()?;
        let committee = suite.visit(MakeCommittee { source: &source, size: signers })?;
        let mut rng = source.stream(CHOICES);
        let mut who = index::sample(&mut rng, signers, signing).into_vec();
        who.sort_unstable();
        let message = match &plan.message {
            Some(message) => suite.stated(message)?,
            None => suite.visit(RandomMessage(&mut rng)),
        };
        // Large sets take long to hash, and other signatures do not depend on the root.
        let root =
            if scheme.is_aggregate() { committee.tree(arity, depth)?.root() } else { Fr::zero() };
        let (members, name) = (who, scheme);
        let sign = Sign { source: &source, root, members, message: &message, name };
        let signatures = suite.visit(sign)?;
        Ok(Self { scheme, keys, committee, message, signatures, suite, source })
    }

    /// A signature by each member who signed, of a scheme whose signatures add up.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] if those of the scheme do not.
    pub fn apart(&self) -> Result<Signatures, Error> {
        let Self { source, message, scheme: name, .. } = self;
        let wrong = || Error::from(muster_circuits::Error::WrongKind(*name));
        if !name.adds_keys() {
            return Err(wrong());
        }
        let signed = |member: &usize| {
            let members = vec![*member];
            let sign = Sign { source, root: Fr::zero(), members, message, name: *name };
            match self.suite.visit(sign)? {
                Signatures::Aggregate { signature, .. } => Ok((*member, signature)),
                Signatures::Independent(_) => Err(wrong()),
            }
        };
        let members = self.signatures.members();
        Ok(Signatures::Independent(members.par_iter().map(signed).collect::<Result<_, _>>()?))
    }

    /// The secret keys of all members: 32-byte seeds of EdDSA, secret scalars of the others, in
    /// their scheme's byte order.
    ///
    /// # Errors
    ///
    /// None in practice: the keys were made once already.
    pub fn secrets(&self) -> Result<Value, Error> {
        let members = self.committee.members().len();
        let keys = self.suite.visit(Secrets(&self.source, members))?;
        Ok(json!({ "scheme": self.scheme.name(), "secret_keys": keys }))
    }
}

/// Whether a sample can have this many members, of whom this many sign.
///
/// # Errors
///
/// [`Error::Usage`].
pub fn check_numbers(signers: usize, signing: usize) -> Result<(), Error> {
    if signers > MAX_MEMBERS {
        let reason = format!("{signers} members, but a file holds at most {MAX_MEMBERS}");
        return Err(Error::Usage(reason));
    }
    if signers == 0 || signing == 0 || signing > signers {
        let reason = format!("{signing} of {signers} cannot sign: 1 ≤ signing ≤ signers");
        return Err(Error::Usage(reason));
    }
    Ok(())
}
