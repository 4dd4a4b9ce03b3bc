//! Sessions to test with.

use std::{collections::BTreeMap, sync::Arc, sync::Mutex, sync::OnceLock};

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::pvss::{
    dlog::{Search, Table},
    KeyBundle, Parameters, SecretKeys, Session, Shape, Srs, Variant,
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

pub(super) fn search() -> &'static Search {
    static SEARCH: OnceLock<Search> = OnceLock::new();
    SEARCH.get_or_init(|| Search::new(Table::new(16).expect("a table")))
}
