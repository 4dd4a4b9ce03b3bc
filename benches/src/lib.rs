//! What the benches share: a fixed seed, committees that sign, and a sheet that takes a witness as
//! a prover does and does nothing with it.

use muster_circuits::{PointHash, PublicMessage, Request, Scheme, Shape, Statement, Witness};
use muster_params::Srs;
use muster_prover::{
    sample::{Plan, Sample, Source},
    Keys,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

pub mod field_chip;
mod sheet;
mod written;

pub use sheet::{recorded, Sheet};
pub use written::each_advice_cell;

/// How many sign, and how many could, in the benches of whole circuits.
pub const CASES: [(usize, usize); 2] = [(1, 2), (8, 16)];

/// The cases of a scheme: one over a curve of another field takes a while to prove.
pub fn cases(scheme: Scheme) -> &'static [(usize, usize)] {
    if scheme.suite().public_message() != PublicMessage::Element {
        &CASES[..1]
    } else {
        &CASES
    }
}

/// A generator that says the same in every run.
pub fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(1)
}

/// The name of a case.
pub fn label((signing, signers): (usize, usize)) -> String {
    format!("k={signing} n={signers}")
}

/// Everything that a proof is made from.
#[derive(Debug)]
pub struct Quorum {
    /// The shape of the circuit.
    pub shape: Shape,
    /// What is proven.
    pub statement: Statement,
    /// The committee and its signatures.
    pub sample: Sample,
}

impl Quorum {
    /// `signing` of `signers` members sign, and the threshold is their number.
    pub fn new(scheme: Scheme, (signing, signers): (usize, usize)) -> Self {
        let request = Request::new(scheme, signers, signing);
        let shape = Shape::fit(&request).expect("the shape is legal");
        let tree = (shape.arity, shape.depth);
        let keys = shape.keys;
        let plan = Plan {
            scheme,
            keys,
            form: None,
            hash: PointHash::default(),
            signers,
            signing,
            message: None,
            tree,
        };
        let sample = Sample::new(&plan, Source::from_text("bench")).expect("the plan is legal");
        let tree = shape.tree(&sample.committee).expect("the committee fits its shape");
        let key_set_root = tree.root();
        let (threshold, message) = (signing as u64, sample.message.clone());
        let statement = Statement { key_set_root, threshold, message, signers: None };
        Self { shape, statement, sample }
    }

    /// The native verdict.
    pub fn witness(&self) -> Witness {
        let (committee, signatures) = (&self.sample.committee, &self.sample.signatures);
        let terms = self.shape.terms().expect("the shape is legal");
        terms.verify(&self.statement, committee, signatures).expect("the sample is a quorum")
    }

    /// An insecure SRS and keys for the shape.
    pub fn keys(&self) -> (Srs, Keys) {
        let srs = Srs::insecure(self.shape.degree()).expect("the degree is legal");
        let keys = Keys::make(&srs, &self.shape).expect("the SRS is of the shape's degree");
        (srs, keys)
    }
}
