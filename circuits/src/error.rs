//! What can be wrong with a shape or with what is to be proven.

use muster_schemes::{
    curve::weierstrass::Address,
    membership::{commitment::CommitmentError, KeySetError, MaskError, TreeError},
    signature::{
        bls::{BlsError, MessageGroup},
        cometbft::PrecommitError,
        AggregateError, FarPoint, KeyKind, MessageForm, NoSuchChoice, PointHash, SignatureError,
    },
};
use thiserror::Error;

use crate::scheme::{Scheme, Suite};

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A shape needs room for a member and for a signer.
    #[error("a shape needs at least one member and one slot, and has at most 2^14 slots")]
    Slots,
    /// The set cannot be held in a tree of the shape.
    #[error("tree: {0}")]
    Tree(#[from] TreeError),
    /// The members do not form a set.
    #[error("key set: {0}")]
    KeySet(#[from] KeySetError),
    /// The circuit of a translation has room for too few members, or for too many.
    #[error("room for {capacity} members, but a translation has it for 1 to {most}")]
    Places {
        /// The room that was asked for.
        capacity: usize,
        /// The most that there can be.
        most: usize,
    },
    /// There is no committee of so many seats.
    #[error("room for {seats} seats, but there are as many as a power of two, {most} at most")]
    NoCommittee {
        /// The room that was asked for.
        seats: usize,
        /// The most that there can be.
        most: usize,
    },
    /// The circuit of a translation is for another number of seats.
    #[error("{members} members, but the circuit is for exactly {seats} seats")]
    OtherSeats {
        /// Members of the committee.
        members: usize,
        /// Seats of the circuit.
        seats: usize,
    },
    /// A chain's commitment cannot hold the committee as it is.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// A layout that keys are never made for.
    #[error("keys cannot be made for this layout: {0}")]
    Layout(&'static str),
    /// No layout of this degree holds the circuit.
    #[error(
        "the circuit does not fit 2^{degree} rows; the smallest degree that fits is {smallest}"
    )]
    DegreeTooSmall {
        /// log₂ of the rows that were asked for.
        degree: u32,
        /// log₂ of the rows of the smallest layout.
        smallest: u32,
    },
    /// More members than the shape has room for.
    #[error("{members} members, but the shape has room for {capacity}")]
    TooManyMembers {
        /// Members of the committee.
        members: usize,
        /// Room of the shape.
        capacity: usize,
    },
    /// More signers than slots, where none can be left out.
    #[error("{signers} signers, but the shape has only {slots} slots")]
    TooManySigners {
        /// Signers given.
        signers: usize,
        /// Slots of the shape.
        slots: usize,
    },
    /// More members who did not sign than slots for them.
    #[error("{absent} members did not sign, but the shape has only {slots} slots for the absent")]
    TooManyAbsent {
        /// Members without a signature.
        absent: usize,
        /// Slots of the shape.
        slots: usize,
    },
    /// The signers reach the threshold, but those that fit the slots do not.
    #[error(
        "the {slots} heaviest of {signers} signers weigh {weight}, below the threshold {threshold}: \
         the circuit has too few slots"
    )]
    TooFewSlots {
        /// Signers given.
        signers: usize,
        /// Slots of the shape.
        slots: usize,
        /// Sum of the greatest weights.
        weight: u64,
        /// The threshold.
        threshold: u64,
    },
    /// The scheme's members cannot be named in this way.
    #[error("{scheme} does not name members by {keys}")]
    Keys {
        /// The scheme.
        scheme: Scheme,
        /// What was asked for.
        keys: KeyKind,
    },
    /// A rule that the scheme does not have, or no rule although the scheme has a choice.
    #[error("{0} has no such rule")]
    Rule(Scheme),
    /// A mode that the scheme does not have.
    #[error("{0} has no complement mode, since its keys do not add up")]
    Mode(Scheme),
    /// The request does not say how many members may be absent.
    #[error("the complement mode needs to know how many members may be absent")]
    NoAbsent,
    /// An invalid mask of signers, or one of more members than masks have bits for.
    #[error("{0}")]
    Mask(#[from] MaskError),
    /// The statement says who signed but the circuit does not, or the other way round, or the mask is of
    /// another capacity.
    #[error("the statement does not say who signed in the way the circuit requires")]
    OtherMask,
    /// A form of messages that the scheme does not have.
    #[error("{scheme} has no messages of the form {form}")]
    Form {
        /// The scheme.
        scheme: Scheme,
        /// Which part of a message should be public.
        form: MessageForm,
    },
    /// A hash to points that the scheme does not have for messages of the form.
    #[error("{scheme} has no hash {hash} for messages of this form")]
    Hash {
        /// The scheme.
        scheme: Scheme,
        /// How messages should be hashed.
        hash: PointHash,
    },
    /// A message that the circuit has no room for.
    #[error("a message of {bytes} bytes, but the circuit takes at most {most}")]
    LongMessage {
        /// Bytes of the message.
        bytes: usize,
        /// The most bytes.
        most: usize,
    },
    /// A message that is public itself, but does not have 32 bytes.
    #[error("a message of {0} bytes, but messages that are themselves public have 32")]
    OtherLength(usize),
    /// Bytes that are not those of a point where one is signed.
    #[error("the message is not a point of {group}: {fault}")]
    NoPoint {
        /// The group that it should be in.
        group: MessageGroup,
        /// What is wrong with it.
        fault: BlsError,
    },
    /// A message whose point the circuit does not find.
    #[error("{0}")]
    FarPoint(#[from] FarPoint),
    /// The statement has the message in another form than the circuit.
    #[error("the statement's message is not in the form {0}")]
    OtherForm(MessageForm),
    /// The message is not a precommit in its encoding.
    #[error("precommit: {0}")]
    Precommit(#[from] PrecommitError),
    /// The signatures were verified under other terms than those of the shape.
    #[error("the signatures were not verified for this shape's scheme, choices and tree")]
    OtherTerms,
    /// A member whom no set of the scheme can hold under its choices.
    #[error("member {member} cannot be in a set of {suite}: {rule}")]
    WrongKey {
        /// Position of the member.
        member: usize,
        /// The scheme, its choices made.
        suite: Box<Suite>,
        /// The rule that the key breaks.
        rule: SignatureError,
    },
    /// The message is not of the kind that the scheme signs.
    #[error("the message is not of the kind that {0} signs")]
    WrongMessage(Scheme),
    /// The signatures are not of the kind that the shape's scheme has.
    #[error("the signatures do not belong to {0}")]
    WrongKind(Scheme),
    /// A signature of the scheme, but not of the length that signatures on messages of this form
    /// have.
    #[error(
        "member {member}: the signature has {found} bytes, but signatures of {scheme} on messages of this form have {expected}"
    )]
    SignatureLength {
        /// The scheme.
        scheme: Scheme,
        /// Index of the member.
        member: usize,
        /// Bytes of the signatures.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// There is no witness for valid signatures: while they are added up, the sum meets one of
    /// their points. This only happens with keys that were chosen for the message.
    #[error(
        "the signatures of members {} hold, but no proof can cover all of them: as they are \
         added up, the sum meets one of their own points, which happens if some of these members \
         chose their keys for this message; prove without one of them",
        list(.members)
    )]
    NoWitness {
        /// The members whose signatures are in that sum.
        members: Vec<usize>,
    },
    /// A false statement, with the reason.
    #[error("{0}")]
    Rejected(#[from] Rejection),
}

impl Error {
    /// A choice that `scheme` does not have.
    pub(crate) fn no_such_choice(scheme: Scheme, choice: NoSuchChoice) -> Self {
        match choice {
            NoSuchChoice::Keys(keys) => Self::Keys { scheme, keys },
            NoSuchChoice::Rule(_) => Self::Rule(scheme),
            NoSuchChoice::Form(form) => Self::Form { scheme, form },
            NoSuchChoice::Hash(hash) => Self::Hash { scheme, hash },
        }
    }
}

fn list(members: &[usize]) -> String {
    members.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Why a statement is false.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// A signer is not a member.
    #[error("signer {member} is not in the set of {members} members")]
    NotAMember {
        /// Index that was given.
        member: usize,
        /// Members of the set.
        members: usize,
    },
    /// A signer who is named by a key or an address is not a member.
    #[error("signer {signer} is not in the set of {members} members")]
    Stranger {
        /// The key or the address.
        signer: String,
        /// Members of the set.
        members: usize,
    },
    /// A signer who is named by a key has several seats.
    #[error("signer {0} has several seats: the number has to say which")]
    Seats(String),
    /// A signature names nobody, and does not tell whose it is.
    #[error("it cannot be told whose signature it is: {0}")]
    Unrecovered(SignatureError),
    /// A member signs twice.
    #[error("member {0} signs twice")]
    DuplicateSigner(usize),
    /// A signature does not verify.
    #[error("member {member}: {rule}")]
    Signature {
        /// Index of the member.
        member: usize,
        /// The rule that is broken.
        rule: SignatureError,
    },
    /// A signature is by another address.
    #[error("member {member}: the signature is by {found}, not by {expected}")]
    Address {
        /// Index of the member.
        member: usize,
        /// The member's address.
        expected: Address,
        /// The address of the key recovered from the signature.
        found: Address,
    },
    /// The aggregate signature does not verify.
    #[error("aggregate signature of members {signers}: {rule}", signers = list(.members))]
    Aggregate {
        /// Indices of the signers, in increasing order.
        members: Vec<usize>,
        /// The rule that is broken.
        rule: SignatureError,
    },
    /// There is no signature to add up.
    #[error("there are no signatures to add up")]
    NoSignatures,
    /// The aggregate key cannot be made.
    #[error("aggregate key: {0}")]
    AggregateKey(AggregateError),
    /// The threshold is zero, or larger than any set can reach.
    #[error("the threshold {0} is not between 1 and 2^60 - 1")]
    Threshold(u64),
    /// The signers have too little weight.
    #[error("the signers weigh {weight}, below the threshold {threshold}")]
    Weight {
        /// Sum of the signers' weights.
        weight: u64,
        /// The threshold.
        threshold: u64,
    },
    /// The statement names a member of whom there is no signature.
    #[error("the statement says that member {0} signed, but there is no signature by this member")]
    NoSignature(usize),
    /// An aggregate includes a member whom the statement does not name.
    #[error("member {0} signed, but the statement does not say so")]
    Unnamed(usize),
    /// The root is not that of the set.
    #[error("the key-set root does not belong to the members")]
    Root,
}
