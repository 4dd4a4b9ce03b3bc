//! How long the steps take, ours and frost-core's side by side.

use std::{
    collections::BTreeMap,
    hint::black_box,
    time::{Duration, Instant},
};

use frost_core::{round2, CheaterDetection, SigningKey};
use rand_core::{OsRng, RngCore};
use serde::{Deserialize, Serialize};

use super::Ceremony;
use crate::frost::{
    aggregate, keys, lagrange, sample::Sample, sign, suite::in_suite, FrostError, Group,
    Identifier, Nonces, Package, SignatureShare, Suite,
};

/// Quick work is repeated until it has taken this long, or was done this often.
const ENOUGH: Duration = Duration::from_millis(40);
const OFTEN: usize = 200;

/// Times of a case, in milliseconds: medians.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// A dealer's key generation.
    pub keygen_ms: f64,
    /// One member's nonces and commitments.
    pub round1_ms: f64,
    /// One member's signature share.
    pub round2_ms: f64,
    /// frost-core's aggregation.
    pub aggregate_frost_core_ms: f64,
    /// Ours, with the commitments' encoding available.
    pub aggregate_ms: f64,
    /// Ours, with every commitment encoded again.
    pub aggregate_encoding_ms: f64,
    /// frost-core's aggregation with every share verified, one bad: names of all cheaters.
    pub cheater_frost_core_ms: f64,
    /// The same share by share, with what shares have in common computed once.
    pub cheater_one_by_one_ms: f64,
    /// Ours: batches and bisection.
    pub cheater_ms: f64,
}

impl Ceremony {
    /// The times of a group of `signers`, random `threshold` of whom sign: medians of `repeat` or
    /// more, all on this thread.
    ///
    /// # Errors
    ///
    /// [`FrostError::Threshold`] for a threshold that no group has; [`FrostError::Differ`] if
    /// frost-core gives a different result.
    pub fn measure(self, threshold: u16, signers: u16, repeat: usize) -> Result<Times, FrostError> {
        in_suite!(self.0, C, measure::<C>(threshold, signers, repeat))
    }
}

fn measure<C: Suite>(threshold: u16, signers: u16, repeat: usize) -> Result<Times, FrostError> {
    let sample =
        Sample::<C>::new(&SigningKey::new(&mut OsRng), threshold, signers, &[0; 32], &mut OsRng)?;
    let Sample { group, signers: members, package, shares } = &sample;
    let (share, nonces) = &members[0];
    // All must give the same result, or the times cannot be compared.
    let plain = inner(shares);
    let theirs = frost_core::aggregate(package.inner(), &plain, group)?;
    if aggregate(package, shares, group)?.serialize()? != theirs.serialize()? {
        return Err(FrostError::Differ);
    }
    let [keygen_ms] = medians(
        repeat,
        [&mut || {
            drop(black_box(keys::deal::<C>(threshold, signers, &mut OsRng)));
        }],
    );
    let [round1_ms, round2_ms] = medians(
        repeat,
        [&mut || drop(black_box(sign::commit(share, &mut OsRng))), &mut || {
            drop(black_box(sign::sign(package, nonces.clone(), share)))
        }],
    );
    let [aggregate_frost_core_ms, aggregate_ms, aggregate_encoding_ms] = medians(
        repeat,
        [
            &mut || drop(black_box(frost_core::aggregate(package.inner(), &plain, group))),
            &mut || drop(black_box(aggregate(package, shares, group))),
            &mut || {
                let package = Package::from_frost(package.inner().clone());
                drop(black_box(package.map(|package| aggregate(&package, shares, group))));
            },
        ],
    );
    let bad = with_cheater(shares, nonces)?;
    let (plain, all) = (inner(&bad), || CheaterDetection::AllCheaters);
    check_names(package, &bad, group)?;
    let [cheater_frost_core_ms, cheater_one_by_one_ms, cheater_ms] = medians(
        repeat,
        [
            &mut || {
                let package = package.inner();
                drop(black_box(frost_core::aggregate_custom(package, &plain, group, all())));
            },
            &mut || drop(black_box(one_by_one(package, &plain, group))),
            &mut || drop(black_box(aggregate(package, &bad, group))),
        ],
    );
    Ok(Times {
        keygen_ms,
        round1_ms,
        round2_ms,
        aggregate_frost_core_ms,
        aggregate_ms,
        aggregate_encoding_ms,
        cheater_frost_core_ms,
        cheater_one_by_one_ms,
        cheater_ms,
    })
}

/// The shares with a random one of them replaced by another scalar.
fn with_cheater<C: Suite>(
    shares: &BTreeMap<Identifier<C>, SignatureShare<C>>,
    nonces: &Nonces<C>,
) -> Result<BTreeMap<Identifier<C>, SignatureShare<C>>, FrostError> {
    let mut shares = shares.clone();
    let cheater = OsRng.next_u32() as usize % shares.len();
    if let Some(share) = shares.values_mut().nth(cheater) {
        let bad = round2::SignatureShare::deserialize(&nonces.hiding().serialize())?;
        *share = SignatureShare::new(bad, *share.package());
    }
    Ok(shares)
}

/// The shares as frost-core has them.
fn inner<C: Suite>(
    shares: &BTreeMap<Identifier<C>, SignatureShare<C>>,
) -> BTreeMap<Identifier<C>, round2::SignatureShare<C>> {
    shares.iter().map(|(id, share)| (*id, *share.inner())).collect()
}

/// Checks that all three searches name the same signers.
fn check_names<C: Suite>(
    package: &Package<C>,
    bad: &BTreeMap<Identifier<C>, SignatureShare<C>>,
    group: &Group<C>,
) -> Result<(), FrostError> {
    let (plain, all) = (inner(bad), CheaterDetection::AllCheaters);
    let theirs = frost_core::aggregate_custom(package.inner(), &plain, group, all);
    let theirs = theirs.map_err(FrostError::from);
    let same = aggregate(package, bad, group) == theirs
        && one_by_one(package, &plain, group).map_err(FrostError::from) == theirs.map(drop);
    same.then_some(()).ok_or(FrostError::Differ)
}

/// The signature's verification, which fails, and then every share's: what shares have in common is
/// computed once, Lagrange coefficients with one inversion.
fn one_by_one<C: Suite>(
    package: &Package<C>,
    shares: &BTreeMap<Identifier<C>, round2::SignatureShare<C>>,
    group: &Group<C>,
) -> Result<(), frost_core::Error<C>> {
    let inner = package.inner();
    let (inner, shares, group) = C::pre_aggregate(inner, shares, group)?;
    let key = group.verifying_key();
    let factors = frost_core::compute_binding_factor_list(&inner, key, &[])?;
    let commitment = frost_core::compute_group_commitment(&inner, &factors)?;
    let challenge = C::challenge(&commitment.clone().to_element(), key, inner.message())?;
    let signers: Vec<_> = shares.keys().copied().collect();
    let mut culprits = vec![];
    for (id, lambda) in signers.iter().zip(lagrange::at_zero::<C>(&signers)) {
        let (Some(points), Some(factor), Some(public)) =
            (inner.signing_commitment(id), factors.get(id), group.verifying_shares().get(id))
        else {
            return Err(frost_core::Error::UnknownIdentifier);
        };
        let point = points.to_group_commitment_share(factor);
        let checked =
            C::verify_share(&commitment, &shares[id], *id, &point, public, lambda, &challenge);
        culprits.extend(checked.is_err().then_some(*id));
    }
    culprits.is_empty().then_some(()).ok_or(frost_core::Error::InvalidSignatureShare { culprits })
}

/// Medians in milliseconds, to a tenth of a microsecond. The works take turns, so that other load
/// on the machine affects them alike.
fn medians<const N: usize>(repeat: usize, mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::with_capacity(repeat));
    let start = Instant::now();
    while times[0].len() < repeat || (start.elapsed() < ENOUGH && times[0].len() < OFTEN) {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let start = Instant::now();
            work();
            times.push(start.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        (times[times.len() / 2].as_secs_f64() * 1e7).round() / 1e4
    })
}
