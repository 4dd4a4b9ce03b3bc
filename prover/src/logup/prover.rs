#[cfg(test)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{G1Affine, G1},
        group::Curve,
    },
    poly::commitment::ParamsProver,
};
use muster_engine::{Backend, Bases};
use muster_params::{PackBases, Srs, SrsCache, FURTHER};
use muster_verifier::{Decider, Key};

use super::{
    commitments::{Commitments, Places},
    decider::DeciderSystem,
    system::{apart, KeyColumns, System},
};
use crate::Error;

/// What provers that are made meanwhile do without, so that a measurement can say what each brings alone.
#[cfg(test)]
pub(super) static RANDOM_ROWS_APART: AtomicBool = AtomicBool::new(true);
#[cfg(test)]
pub(super) static MULTIPLES_OF_POWERS: AtomicBool = AtomicBool::new(true);

/// What the proofs of a key share.
#[derive(Debug)]
pub(crate) struct Prover {
    pub(super) key: Arc<Key>,
    pub(super) system: System,
    /// That of a key of the format `compact`.
    pub(super) decider: Option<DeciderSystem>,
    /// For coefficients.
    pub(super) powers: Bases,
}

impl Prover {
    /// Compiles the constraints of `key`, and prepares the bases of the SRS, which has to be of the key's size and to have enough powers.
    /// Bases of packs are kept in `cache`.
    pub(crate) fn new(
        backend: Backend,
        srs: &Srs,
        key: Arc<Key>,
        cache: Option<&SrsCache>,
    ) -> Result<Self, Error> {
        let Some(compact) = key.as_compact() else {
            return Self::fast(backend, srs, key);
        };
        let packing = compact.packing();
        let bases = |k, stride| match cache {
            Some(cache) => cache.pack_bases(srs, k, stride),
            None => PackBases::new(srs, k, stride),
        };
        let circuit = bases(key.protocol().k(), packing.stride())?;
        let decider = bases(compact.decider_k(), Decider::STRIDE)?;
        let powers = [srs.params().get_g(), srs.further_powers()].concat();
        let points = Points {
            circuit: (&circuit).into(),
            decider: Some((&decider).into()),
            powers: &powers,
        };
        Self::of(backend, points, key.clone())
    }

    fn fast(backend: Backend, srs: &Srs, key: Arc<Key>) -> Result<Self, Error> {
        let (found, needed) = (srs.k(), key.protocol().k());
        if found != needed {
            return Err(Error::Usage(format!(
                "the SRS is for k = {found}, and the key for k = {needed}"
            )));
        }
        let (powers, further) = (srs.params().get_g(), srs.require_further()?);
        let lagrange = [srs.lagrange()];
        let blinders = further.iter().zip(powers).map(|(high, low)| G1::from(*high) - low);
        let mut normal = [[G1Affine::default(); FURTHER]];
        G1::batch_normalize(&blinders.collect::<Vec<_>>(), &mut normal[0]);
        let powers = [powers, further].concat();
        let circuit = Places { lagrange: &lagrange, blinders: &normal };
        Self::of(backend, Points { circuit, decider: None, powers: &powers }, key)
    }

    /// The same with the points of an SRS. There are those of a decider if the key has one.
    pub(super) fn of(backend: Backend, points: Points<'_>, key: Arc<Key>) -> Result<Self, Error> {
        let protocol = key.protocol();
        let summed = protocol.usable();
        #[cfg(test)]
        let summed =
            if RANDOM_ROWS_APART.load(Ordering::Relaxed) { summed } else { protocol.rows() };
        let bases = Commitments::new(backend, points.circuit, summed);
        let (packs, decider) = match (key.as_compact(), points.decider) {
            (Some(compact), Some(points)) => {
                let decider = Decider::new(compact.packing()).expect("a key's is small enough");
                let decider = DeciderSystem::new(backend, decider, points)?;
                (compact.packing().packs().to_vec(), Some(decider))
            }
            _ => (apart(protocol), None),
        };
        let system = System::new(backend, protocol, packs, bases)?;
        let powers = Bases::with_multiples(backend, points.powers);
        #[cfg(test)]
        let powers = if MULTIPLES_OF_POWERS.load(Ordering::Relaxed) {
            powers
        } else {
            Bases::plain(backend, points.powers)
        };
        Ok(Self { key, system, decider, powers })
    }

    /// What transcripts call the key.
    pub(super) fn name(&self) -> [u8; 32] {
        self.key.as_compact().map_or_else(|| self.key.digest(), |key| key.evm_key().name())
    }

    /// Makes what all proofs with these columns share.
    pub(crate) fn prepare(&self, key: &KeyColumns) {
        key.coefficients(&self.system.domain);
    }

    /// Keeps the values of the key's columns wherever constraints are evaluated: no proof will have to compute them
    /// again.
    pub(crate) fn keep(&self, key: &KeyColumns) {
        let decider = self.decider.iter().map(|decider| (&decider.system, &decider.key));
        for (system, key) in decider.chain([(&self.system, key)]) {
            system.cosets.keep(key.coefficients(&system.domain));
        }
    }
}

/// The points of an SRS.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points<'a> {
    pub(super) circuit: Places<'a>,
    pub(super) decider: Option<Places<'a>>,
    /// `[1]₁, [τ]₁, …`
    pub(super) powers: &'a [G1Affine],
}
