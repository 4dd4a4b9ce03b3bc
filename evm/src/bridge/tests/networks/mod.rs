//! Committees that sign what their network defines, in an EVM: guardians of Wormhole, validators of Hyperlane and a sync committee, with real
//! keys and proofs.

mod ethereum;
mod hyperlane;
mod wormhole;

use std::sync::OnceLock;

use alloy_primitives::{keccak256, Address, Bytes, B256, U256};
use muster_circuits::{
    translation::{CommitmentKind, TranslationRequest, TranslationShape},
    CircuitShape, KeyKind, PointHash, Request, Scheme, Shape, Statement,
};
use muster_params::Srs;
use muster_prover::{
    muster_schemes::curve::weierstrass,
    prove,
    sample::{Plan, Sample, Source},
    KeysOf,
};

use crate::{
    evm::{Evm, Outcome},
    verifier::{creation_code, register},
    words::word,
};

const CHAIN: u64 = 10;
const START: u64 = 1_700_000_000;
const DAY: u64 = 86_400;

/// Keys of a circuit, and what they are made from.
struct Made<S> {
    srs: Srs,
    keys: KeysOf<S>,
}

impl<S: CircuitShape> Made<S> {
    /// How many powers the keys take, as a power of two.
    fn degree(shape: &S) -> u32 {
        KeysOf::plan(shape, None).unwrap().srs_degree()
    }

    fn of(shape: &S, srs: &Srs) -> Self {
        let plan = KeysOf::plan(shape, None).unwrap();
        let srs = srs.clone().downsized(plan.srs_degree()).unwrap();
        let keys = KeysOf::make_compact(&srs, shape, &plan).unwrap();
        Self { srs, keys }
    }

    fn evm_key(&self) -> Vec<u8> {
        let verifier = self.keys.verifier();
        verifier.key().as_compact().unwrap().evm_key().as_bytes().to_vec()
    }

    fn name(&self) -> B256 {
        keccak256(self.evm_key())
    }

    /// A proof as contracts take it.
    fn prove(&self, witness: &S::Witness) -> Vec<u8> {
        let proof = prove(&self.srs, &self.keys, witness).unwrap();
        self.keys.verifier().calldata(S::statement(witness), &proof).unwrap()
    }
}

/// Keys of one setup, so that their proofs share a pairing.
fn both(shape: &Shape, translation: &TranslationShape) -> (Made<Shape>, Made<TranslationShape>) {
    let degree = Made::degree(shape).max(Made::degree(translation));
    let srs = Srs::insecure(degree).unwrap();
    (Made::of(shape, &srs), Made::of(translation, &srs))
}

/// Keys for committees of one size, all of which sign with as many members.
struct Circuits {
    members: usize,
    signing: usize,
    signatures: Made<Shape>,
    translations: Made<TranslationShape>,
}

impl Circuits {
    fn make(members: usize, signing: usize) -> Self {
        let request = Request::new(Scheme::EcdsaSecp256k1, members, signing);
        let shape = Shape::fit(&Request { keys: KeyKind::Address, ..request }).unwrap();
        let request = TranslationRequest {
            arity: shape.arity,
            depth: Some(shape.depth),
            ..TranslationRequest::new(CommitmentKind::Addresses, members)
        };
        let translation = TranslationShape::fit(&request).unwrap();
        let (signatures, translations) = both(&shape, &translation);
        Self { members, signing, signatures, translations }
    }

    /// Two of two: gas hardly depends on how many they are.
    fn small() -> &'static Self {
        static CIRCUITS: OnceLock<Circuits> = OnceLock::new();
        CIRCUITS.get_or_init(|| Self::make(2, 2))
    }

    fn committee(&self, name: &'static str) -> Signers<'_> {
        Signers { circuits: self, name }
    }
}

/// A committee of its own name, which signs anything.
#[derive(Clone, Copy)]
struct Signers<'a> {
    circuits: &'a Circuits,
    name: &'static str,
}

impl Signers<'_> {
    fn sample(self, digest: Option<B256>) -> Sample {
        let Circuits { members, signing, signatures, .. } = self.circuits;
        let shape = signatures.keys.shape();
        let plan = Plan {
            keys: KeyKind::Address,
            scheme: Scheme::EcdsaSecp256k1,
            form: None,
            hash: PointHash::default(),
            signers: *members,
            signing: *signing,
            message: digest.map(|digest| digest.0.into()),
            tree: (shape.arity, shape.depth),
        };
        Sample::new(&plan, Source::from_text(self.name)).unwrap()
    }

    fn addresses(self) -> Vec<Address> {
        let sample = self.sample(None);
        let address = |member: &weierstrass::Address| Address::from(member.to_bytes());
        let members = sample.committee.members().iter();
        members.map(|member| address(member.public_key.of().unwrap())).collect()
    }

    fn root(self) -> U256 {
        let shape = self.circuits.signatures.keys.shape();
        let root = shape.tree(&self.sample(None).committee).unwrap().root();
        U256::from_be_bytes(word(&root).0)
    }

    /// A proof that they signed this digest.
    fn sign(self, digest: B256) -> Vec<u8> {
        let Circuits { signing, signatures, .. } = self.circuits;
        let (shape, sample) = (signatures.keys.shape(), self.sample(Some(digest)));
        let statement = Statement {
            key_set_root: shape.tree(&sample.committee).unwrap().root(),
            threshold: *signing as u64,
            message: digest.0.into(),
            signers: None,
        };
        let terms = shape.terms().unwrap();
        let witness = terms.verify(&statement, &sample.committee, &sample.signatures).unwrap();
        signatures.prove(&witness)
    }

    /// A proof that the root is that of the list of their addresses.
    fn translate(self) -> Bytes {
        let translations = &self.circuits.translations;
        let shape = translations.keys.shape();
        translations.prove(&shape.witness(&self.sample(None).committee).unwrap()).into()
    }
}

/// A chain with the verifier, which knows the keys.
fn chain(circuits: &Circuits) -> (Evm, Address) {
    let mut evm = Evm::new(CHAIN);
    evm.set_time(START);
    let verifier = evm.deploy(&creation_code()).unwrap();
    for key in [circuits.signatures.evm_key(), circuits.translations.evm_key()] {
        assert!(evm.send(verifier, &register(&key)).unwrap().success);
    }
    (evm, verifier)
}

/// The call reverts with this error, whose arguments begin like this.
#[track_caller]
fn assert_reverted(outcome: &Outcome, error: &str, arguments: &[u8]) {
    let expected = [&keccak256(error)[..4], arguments].concat();
    assert!(!outcome.success && outcome.output.starts_with(&expected), "{error}: {outcome:?}");
}

/// The same with one bit of a byte changed.
fn changed(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1;
    bytes
}
