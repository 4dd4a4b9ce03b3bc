//! A true statement, with everything that fills a circuit to prove it.

use std::{collections::HashSet, fmt, sync::Arc};

use muster_gadgets::signature::{
    foreign::ExceptionalCase,
    instructions::{
        AddsKeys, NativeInstructions, Padding, Refusal, SignatureInstructions, Verified,
    },
};
use muster_gates::{GateCircuit, Gates};
use muster_schemes::{
    membership::{KeySetTree, Member, SignerMask, TOTAL_WEIGHT_BITS},
    signature::{
        cometbft::Precommit, Message, MessageForm, SignatureError, SignedBytes, SignedMessage,
    },
};

use crate::{
    committee::Committee,
    error::{Error, Rejection},
    scheme::{Scheme, SchemeVisitor, Suite},
    selection::{check_mask, distinct, named_weight, Selection, Signatures, Weighted},
    shape::Shape,
    statement::Statement,
    terms::Terms,
    threshold::{record, Inputs, InputsOf, Slot},
};

/// How many inputs are tried. Keys can be chosen for the digits of one transcript only, so the
/// chance that the sums of all of these meet their points falls with each.
const VARIANTS: u8 = 64;
/// How many signatures are tried in both forms: `2^6` choices in all.
const TURNED: usize = 6;

/// Evidence that a statement holds, with everything that fills a circuit to prove it. Only
/// [`Terms::verify`] makes one.
#[derive(Clone, Debug)]
pub struct Witness {
    terms: Terms,
    statement: Statement,
    committee: Committee,
    tree: Arc<KeySetTree>,
    /// By increasing index.
    signers: Vec<Weighted>,
    fill: Fill,
}

/// Fills circuits with the keys and signatures that were verified, whatever their scheme.
#[derive(Clone)]
struct Fill(Arc<FillCircuit>);

type FillCircuit = dyn Fn(&Filling<'_>) -> Result<GateCircuit, Error> + Send + Sync;

impl fmt::Debug for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fill(..)")
    }
}

/// A circuit to be filled.
struct Filling<'a> {
    witness: &'a Witness,
    shape: &'a Shape,
    /// Which of the witness's signers have their signatures taken.
    places: &'a [usize],
    witness_gen_only: bool,
}

/// Verified keys and signatures of the scheme `S`.
struct Signed<S: SignatureInstructions> {
    scheme: S,
    message: S::Message,
    verified: Verified<S>,
}

impl Terms {
    /// Checks natively that a statement holds. Each rule has a [`Rejection`] of its own, and what helps a user most is
    /// checked first.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for a false statement; another error for input that does not fit the
    /// terms.
    pub fn verify(
        &self,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Witness, Error> {
        self.suite().visit(Verify { terms: self, statement, committee, signatures })
    }
}

struct Verify<'a> {
    terms: &'a Terms,
    statement: &'a Statement,
    committee: &'a Committee,
    signatures: &'a Signatures,
}

impl SchemeVisitor for Verify<'_> {
    type Output = Result<Witness, Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Result<Witness, Error> {
        verify(&scheme, self)
    }
}

/// [`Terms::verify`] for the scheme `S`, which is that of the terms.
fn verify<S: SignatureInstructions>(scheme: &S, input: Verify) -> Result<Witness, Error> {
    let Verify { terms, statement, committee, signatures } = input;
    let name = terms.suite().scheme();
    let message = S::Message::of(&statement.message).ok_or(Error::WrongMessage(name))?;
    check_form(terms.suite(), &statement.message)?;
    scheme.check_message(&message)?;
    check_mask(terms, statement)?;
    let mut members = signatures.members();
    let mut signers = distinct(committee.members(), &members)?;
    if statement.threshold == 0 || statement.threshold >> TOTAL_WEIGHT_BITS != 0 {
        return Err(Rejection::Threshold(statement.threshold).into());
    }
    let tree = terms.tree(committee)?;
    if tree.root() != statement.key_set_root {
        return Err(Rejection::Root.into());
    }
    let list: Vec<_> = match (signatures, S::AGGREGATE) {
        (Signatures::Independent(list), false) => {
            list.iter().map(|(_, signature)| signature.clone()).collect()
        }
        (Signatures::Aggregate { signature, .. }, true) => {
            members.sort_unstable();
            vec![signature.clone()]
        }
        (Signatures::Independent(_), true) | (Signatures::Aggregate { .. }, false) => {
            return Err(Error::WrongKind(name))
        }
    };
    let member = |member: &usize| &committee.members()[*member];
    let keys: Vec<_> = members.iter().map(|index| member(index).public_key.clone()).collect();
    if S::AGGREGATE && members.is_empty() {
        return Err(Rejection::Weight { weight: 0, threshold: statement.threshold }.into());
    }
    let verified = scheme.verify_all(&statement.key_set_root, &keys, &message, &list);
    let verified = verified.map_err(|refusal| rejected(name, &members, refusal))?;
    let weight = named_weight(statement, &signers, S::AGGREGATE)?;
    if weight < statement.threshold {
        return Err(Rejection::Weight { weight, threshold: statement.threshold }.into());
    }
    let verified = in_order(&members, verified);
    signers.sort_unstable();
    let signed = Signed { scheme: *scheme, message, verified };
    Ok(Witness {
        terms: terms.clone(),
        statement: statement.clone(),
        committee: committee.clone(),
        tree,
        signers,
        fill: Fill(Arc::new(move |filling| signed.circuit(filling))),
    })
}

/// Checks that the message is public in the way the form says, that the circuit has room for its bytes, and that they
/// are what the form says.
pub(crate) fn check_form(suite: Suite, message: &Message) -> Result<(), Error> {
    let form = suite.form();
    let is_public = message.kind() == suite.public_message();
    if !is_public || message.in_form(form).as_ref() != Some(message) {
        return Err(Error::OtherForm(form));
    }
    let signed = message.signed_bytes().map_or(&[][..], SignedBytes::bytes);
    match form {
        MessageForm::Sha256 { most } | MessageForm::Bytes { most } if signed.len() > most => {
            Err(Error::LongMessage { bytes: signed.len(), most })
        }
        MessageForm::Public
        | MessageForm::Sha256 { .. }
        | MessageForm::Bytes { .. }
        | MessageForm::Point => Ok(()),
        MessageForm::CometbftPrecommit => Precommit::decode(signed).map(drop).map_err(Error::from),
    }
}

/// A scheme's refusal, which names signers by place, as an error that names members.
pub(crate) fn rejected(scheme: Scheme, members: &[usize], refusal: Refusal) -> Error {
    let rejection = match refusal {
        Refusal::WrongKind => return Error::WrongKind(scheme),
        Refusal::Signature { signer, rule: SignatureError::WrongLength { expected, found } } => {
            return Error::SignatureLength { scheme, member: members[signer], expected, found };
        }
        Refusal::Signature { signer, rule } => {
            Rejection::Signature { member: members[signer], rule }
        }
        Refusal::Address { signer, expected, found } => {
            Rejection::Address { member: members[signer], expected, found }
        }
        Refusal::Aggregate(rule) => Rejection::Aggregate { members: members.to_vec(), rule },
        Refusal::AggregateKey(error) => Rejection::AggregateKey(error),
    };
    rejection.into()
}

/// Keys and signatures in the order of their members' indices.
fn in_order<S: NativeInstructions>(members: &[usize], verified: Verified<S>) -> Verified<S> {
    let mut places: Vec<_> = (0..members.len()).collect();
    places.sort_unstable_by_key(|place| members[*place]);
    verified.of(&places)
}

impl Witness {
    /// What was checked.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The signers for whom a circuit of this shape is filled: those that the statement names; if it names nobody, all
    /// or, if there are more than slots, the heaviest, as few as reach the threshold. If the slots are for the absent,
    /// all.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewSlots`], or [`Error::TooManySigners`] for an aggregate, or [`Error::TooManyAbsent`].
    pub fn select(&self, shape: &Shape) -> Result<Selection, Error> {
        let (slots, absent) = (shape.slots, self.absent().len());
        let holds_absent = shape.mode.holds_absent();
        if holds_absent && absent > slots {
            return Err(Error::TooManyAbsent { absent, slots });
        }
        let slots = if holds_absent { self.signers.len() } else { slots };
        if let Some(mask) = &self.statement.signers {
            return Selection::named(slots, mask, &self.signers);
        }
        let is_aggregate = self.terms.suite().scheme().is_aggregate();
        Selection::new(slots, self.statement.threshold, &self.signers, is_aggregate)
    }

    /// The members who did not sign, by increasing index.
    fn absent(&self) -> Vec<Weighted> {
        let signers: HashSet<_> = self.signers.iter().map(|signer| signer.member).collect();
        let members = self.committee.members().iter().enumerate();
        let absent = members.filter(|(index, _)| !signers.contains(index));
        absent.map(|(member, Member { weight, .. })| Weighted { member, weight: *weight }).collect()
    }

    /// The circuit of `shape`, filled. If there are more signers than slots, [`Self::select`] says which are taken.
    ///
    /// # Errors
    ///
    /// Those of [`Self::select`], [`Error::OtherTerms`], and [`Error::NoWitness`].
    pub(crate) fn circuit(
        &self,
        shape: &Shape,
        witness_gen_only: bool,
    ) -> Result<GateCircuit, Error> {
        if shape.terms()? != self.terms {
            return Err(Error::OtherTerms);
        }
        let selection = self.select(shape)?;
        let place =
            |member: &usize| self.signers.binary_search_by_key(member, |signer| signer.member);
        let places: Result<Vec<_>, _> = selection.taken().iter().map(place).collect();
        let places = &places.expect("all that are taken are signers")[..];
        (self.fill.0)(&Filling { witness: self, shape, places, witness_gen_only })
    }
}

impl Filling<'_> {
    /// The error for signatures without a witness. It names those that met or, if signatures are in no slots, all.
    fn no_witness(&self, met: &ExceptionalCase) -> Error {
        let has_met = |(slot, _): &(usize, &usize)| {
            self.shape.mode.holds_absent() || met.signatures.contains(slot)
        };
        let members = self.places.iter().enumerate().filter(has_met);
        let members = members.map(|(_, place)| self.witness.signers[*place].member).collect();
        Error::NoWitness { members }
    }
}

/// A set split into signers and absent members.
struct Split<K> {
    /// The members who did not sign.
    absent: Vec<Weighted>,
    /// Keys of the absent.
    keys: Vec<K>,
    /// The key of all others, less that of padding in each unused slot.
    rest: K,
}

impl<S: SignatureInstructions> Signed<S> {
    /// The circuit, filled with the first inputs for which there is a witness.
    fn circuit(&self, filling: &Filling<'_>) -> Result<GateCircuit, Error> {
        let inputs = self.inputs(filling)?;
        let fill = |inputs: &InputsOf<S>| {
            let gates = Gates::new(&filling.shape.layout, filling.witness_gen_only);
            record(filling.shape, &self.scheme, inputs, gates)
        };
        let met = match fill(&inputs) {
            (circuit, Ok(())) => return Ok(circuit),
            (_, Err(met)) => met,
        };
        let variants = (1..VARIANTS).map_while(|number| self.variant(filling, &inputs, number));
        let mut filled = variants.map(|inputs| fill(&inputs));
        let found = filled.find_map(|(circuit, verdict)| verdict.is_ok().then_some(circuit));
        found.ok_or_else(|| filling.no_witness(&met))
    }

    fn inputs(&self, filling: &Filling<'_>) -> Result<InputsOf<S>, Error> {
        let &Filling { witness, shape, places, .. } = filling;
        let set = witness.committee.set();
        let Verified { keys, signatures } = self.verified.of(places);
        let (members, keys, rest) = match self.scheme.adds_keys() {
            Some(adds_keys) if shape.mode.holds_absent() => {
                let Split { absent, keys, rest } = split(witness, shape.slots, adds_keys)?;
                (absent, keys, Some(rest))
            }
            _ => (places.iter().map(|place| witness.signers[*place]).collect(), keys, None),
        };
        let slot = |(Weighted { member, weight }, public_key): (Weighted, S::RawKey)| {
            let path = || set.path(&witness.tree, member);
            let path = shape.mode.is_by_path().then(path).transpose()?;
            Ok(Slot { index: member as u64, public_key, weight, path })
        };
        let slots = members.into_iter().zip(keys).map(slot).collect::<Result<_, Error>>()?;
        let mut leaves = set.leaves();
        leaves.retain(|_| !shape.mode.is_by_path());
        let inputs = Inputs {
            key_set_root: witness.statement.key_set_root,
            threshold: witness.statement.threshold,
            message: self.message.clone(),
            slots,
            signatures,
            leaves,
            whole: witness.tree.whole().copied().unwrap_or_default(),
            rest,
            unused_key: vec![],
            mask: witness.statement.signers.iter().flat_map(SignerMask::words).collect(),
        };
        Ok(inputs.padded(shape, &self.scheme))
    }

    /// Other inputs for the same statement, each with coefficients of its own: unused slots get other
    /// padding or, if there are none, some signatures take their other form.
    fn variant(
        &self,
        filling: &Filling<'_>,
        inputs: &InputsOf<S>,
        number: u8,
    ) -> Option<InputsOf<S>> {
        let &Filling { shape, places, .. } = filling;
        let mut inputs = inputs.clone();
        let used = places.len();
        if used < shape.slots {
            let padding = self.scheme.padding(&self.message, number)?;
            let Padding { key, leaf_key, signature } = padding;
            for place in used..shape.slots {
                inputs.slots[place] = Slot::unused(shape, place, key.clone(), &leaf_key);
                inputs.signatures[place] = signature.clone();
            }
            inputs.unused_key = leaf_key;
            return Some(inputs);
        }
        let turned = used.min(TURNED);
        for (place, signature) in inputs.signatures.iter_mut().enumerate().take(turned) {
            if number >> place & 1 == 1 {
                *signature = self.scheme.other_form(signature)?;
            }
        }
        (number >> turned == 0).then_some(inputs)
    }
}

/// Splits the set for a circuit with so many slots for the absent.
fn split<S: SignatureInstructions>(
    witness: &Witness,
    slots: usize,
    adds_keys: &dyn AddsKeys<S>,
) -> Result<Split<S::RawKey>, Error> {
    let wrong = || Error::WrongKind(witness.terms.suite().scheme());
    let (absent, members) = (witness.absent(), witness.committee.members());
    let key = |member: usize| &members[member].public_key;
    let keys = absent.iter().map(|absent| adds_keys.key_of(&[key(absent.member)], 0));
    let keys = keys.collect::<Option<_>>().ok_or_else(wrong)?;
    let signers = witness.signers.iter().map(|signer| signer.member);
    let rest =
        adds_keys.key_of(&signers.clone().map(key).collect::<Vec<_>>(), slots - absent.len());
    let rest = rest.ok_or_else(|| Error::NoWitness { members: signers.collect() })?;
    Ok(Split { absent, keys, rest })
}
