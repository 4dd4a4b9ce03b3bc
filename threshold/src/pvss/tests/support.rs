//! Sessions to test with.

use std::{collections::BTreeMap, sync::Arc, sync::Mutex, sync::OnceLock};

use ff::Field as _;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_core::CryptoRngCore;

use crate::{
    pairing_curve::Fr,
    pvss::{
        deal::prove,
        dlog::{Search, Table},
        equations::Factors,
        witness::{evaluate, Statement, Witness},
        Dealt, Equation, Error, KeyBundle, Parameters, SecretKeys, Session, Shape, Srs, Variant,
    },
};

/// The weights of the vectors: one player has none.
pub(super) const WEIGHTS: [u32; 4] = [2, 1, 0, 3];

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(super) fn srs() -> &'static Srs {
    static SRS: OnceLock<Srs> = OnceLock::new();
    SRS.get_or_init(|| Srs::insecure(1 << 9, &mut rng(1)).expect("a string"))
}

/// Parameters are made once for a domain.
pub(super) fn parameters(domain: usize) -> Arc<Parameters> {
    static MADE: Mutex<BTreeMap<usize, Arc<Parameters>>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().expect("no test panicked here");
    let make = || Parameters::new(srs(), domain).expect("a domain");
    made.entry(domain).or_insert_with(make).clone()
}

pub(super) fn keys(players: usize) -> (Vec<SecretKeys>, Vec<KeyBundle>) {
    let mut rng = rng(2);
    let secrets: Vec<_> = (0..players).map(|_| SecretKeys::generate(&mut rng)).collect();
    let bundles = secrets.iter().map(|keys| keys.publish(&mut rng)).collect();
    (secrets, bundles)
}

/// A session and its players' secrets.
pub(super) struct Stage {
    pub(super) session: Session,
    pub(super) keys: Vec<SecretKeys>,
}

impl Stage {
    pub(super) fn new(variant: Variant, bits: u32, threshold: usize, weights: &[u32]) -> Self {
        let shape = Shape::new(variant, bits, threshold, weights).expect("a shape");
        let (secrets, bundles) = keys(weights.len());
        let parameters = parameters(shape.domain());
        let session = Session::new(shape, &bundles, parameters, 7, b"test").expect("a session");
        Self { session, keys: secrets }
    }

    pub(super) fn of(variant: Variant, bits: u32) -> Self {
        Self::new(variant, bits, 4, &WEIGHTS)
    }
}

pub(crate) fn search() -> &'static Search {
    static SEARCH: OnceLock<Search> = OnceLock::new();
    SEARCH.get_or_init(|| Search::new(Table::new(16).expect("a table")))
}

/// A dealing by a random polynomial, one of whose shares (from 1) has a value that the dealer wants.
pub(crate) fn deal_with_share(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    (share, value): (usize, &Fr),
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let mut coefficients = vec![Fr::ZERO; session.shape().threshold()];
    coefficients.fill_with(|| Fr::random(&mut *rng));
    let off = *value - evaluate(session, &coefficients)[share - 1];
    coefficients[0] += off;
    let shares = evaluate(session, &coefficients);
    let witness = Witness::new(session, &coefficients[0], shares, rng);
    let statement = Statement::new(session, &witness);
    prove(session, dealer, keys, &statement, &witness, rng)
}

impl Factors {
    /// Those of all equations but one kind.
    pub(super) fn without(&self, equation: Equation) -> Self {
        let kinds = Equation::MERGED.iter().zip(&self.0);
        let own = |(kind, own): (&Equation, &Vec<Fr>)| {
            if *kind == equation {
                vec![Fr::ZERO; own.len()]
            } else {
                own.clone()
            }
        };
        Self(kinds.map(own).collect())
    }

    /// One for every equation.
    pub(super) fn ones(&self) -> Self {
        Self(self.0.iter().map(|own| vec![Fr::ONE; own.len()]).collect())
    }
}
