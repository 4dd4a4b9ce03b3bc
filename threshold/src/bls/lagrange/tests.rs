#![allow(clippy::unwrap_used)]

use ff::{Field, PrimeField};
use muster_testing::sampled;
use proptest::prelude::*;
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

use super::{Domain, Method};
use crate::bls::{signers::Signers, Error, Identities};

type Bls = halo2curves::bls12_381::Fr;
type Bn = halo2curves::bn256::Fr;

/// All methods against the naive one.
fn agree<F: PrimeField>(identities: Identities, indices: Vec<u32>, signers: usize) {
    let domain = Domain::<F>::new(identities, signers).unwrap();
    let set = Signers::new(indices, signers).unwrap();
    let expected = domain.coefficients_by(Method::Naive, &set).unwrap();
    for method in Method::ALL.into_iter().filter(|method| method.is_for(identities)) {
        let found = domain.coefficients_by(method, &set).unwrap();
        assert!(found == expected, "{method:?} for {} of {signers}", set.count());
    }
    assert_eq!(domain.coefficients(&set).unwrap(), expected);
    // They sum to one: the constant polynomial.
    assert_eq!(expected.iter().sum::<F>(), F::ONE);
}

fn both(indices: &[u32], signers: usize) {
    for identities in Identities::ALL {
        agree::<Bls>(identities, indices.to_vec(), signers);
        agree::<Bn>(identities, indices.to_vec(), signers);
    }
}

#[test]
fn every_set_of_a_small_committee() {
    for signers in 1..=9 {
        for set in 1u32..1 << signers {
            let indices: Vec<u32> = (1..=signers).filter(|i| set >> (i - 1) & 1 == 1).collect();
            both(&indices, signers as usize);
        }
    }
}

#[test]
fn one_all_and_all_but_one() {
    for signers in [2, 31, 32, 33, 64, 100, 129, 256, 257] {
        let all: Vec<u32> = (1..=signers).collect();
        both(&all, signers as usize);
        for index in [1, 2, signers / 2 + 1, signers] {
            both(&[index], signers as usize);
            let without: Vec<u32> = all.iter().copied().filter(|i| *i != index).collect();
            both(&without, signers as usize);
        }
    }
}

#[test]
fn sizes_around_powers_of_two() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for signers in [127usize, 128, 129, 255, 256, 300, 511, 1023] {
        let half = signers / 2;
        let counts = [15, 16, 17, 31, 33, 63, 64, 65, half, half + 1, signers - 33];
        for signing in sampled(counts, 4) {
            let mut all: Vec<u32> = (1..=signers as u32).collect();
            for i in 0..signing {
                let other = i + (rand::RngCore::next_u64(&mut rng) as usize) % (signers - i);
                all.swap(i, other);
            }
            both(&all[..signing], signers);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_sets(signers in 1usize..400, seed in any::<u64>(), density in 1u32..100) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut indices: Vec<u32> = (1..=signers as u32)
            .filter(|_| rand::RngCore::next_u32(&mut rng) % 100 < density)
            .collect();
        if indices.is_empty() {
            indices.push(signers as u32);
        }
        both(&indices, signers);
    }
}

#[test]
#[ignore = "slow: sets of thousands"]
fn large_sets() {
    for signers in [4095, 4096, 5000] {
        let odd: Vec<u32> = (1..=signers).step_by(2).collect();
        both(&odd, signers as usize);
    }
}

#[test]
fn dealt_values_are_those_of_a_polynomial() {
    for identities in Identities::ALL {
        for (threshold, signers) in [(1, 1), (1, 5), (2, 3), (3, 3), (5, 9), (8, 20), (21, 64)] {
            let mut rng = ChaCha20Rng::seed_from_u64(7);
            let domain = Domain::<Bls>::new(identities, signers).unwrap();
            let values = domain.deal(threshold, || Bls::random(&mut rng));
            assert_eq!(values.len(), signers + 1);
            // Any set of the threshold gives the secret, one less does not.
            for first in 1..=signers - threshold + 1 {
                let indices: Vec<u32> = (first..first + threshold).map(|i| i as u32).collect();
                let combined = |indices: &[u32]| -> Bls {
                    let set = Signers::new(indices.to_vec(), signers).unwrap();
                    let coefficients = domain.coefficients(&set).unwrap();
                    let shares = indices.iter().map(|&i| values[i as usize]);
                    coefficients.iter().zip(shares).map(|(c, share)| c * share).sum()
                };
                assert_eq!(combined(&indices), values[0]);
                if threshold > 1 {
                    assert_ne!(combined(&indices[1..]), values[0]);
                }
            }
        }
    }
}

#[test]
fn sets_that_are_none() {
    let new = |indices: &[u32], signers| Signers::new(indices.to_vec(), signers);
    assert_eq!(new(&[], 3), Err(Error::NoSigners));
    assert_eq!(new(&[2, 0], 3), Err(Error::ZeroIndex));
    assert_eq!(new(&[1, 4], 3), Err(Error::UnknownIndex { index: 4, signers: 3 }));
    assert_eq!(new(&[2, 1, 2], 3), Err(Error::DuplicateIndex { index: 2 }));
    assert_eq!(new(&[1], 0), Err(Error::CommitteeSize { signers: 0 }));
    assert!(Domain::<Bls>::new(Identities::Consecutive, 0).is_err());
    assert!(Domain::<Bls>::new(Identities::Consecutive, (1 << 24) + 1).is_err());
    let domain = Domain::<Bls>::new(Identities::RootsOfUnity, 4).unwrap();
    let other = new(&[1], 5).unwrap();
    assert_eq!(domain.coefficients(&other), Err(Error::OtherCommittee));
    let method = domain.coefficients_by(Method::Missing, &new(&[1], 4).unwrap());
    assert_eq!(method, Err(Error::Method { method: "missing" }));
}

#[test]
fn a_method_for_each_size() {
    let fastest = Method::fastest;
    for identities in Identities::ALL {
        assert_eq!(fastest(identities, 1, 1000), Method::Quadratic);
    }
    assert_eq!(fastest(Identities::Consecutive, 64, 65), Method::Missing);
    assert_eq!(fastest(Identities::Consecutive, 1 << 14, (1 << 15) - 1), Method::Values);
    assert_eq!(fastest(Identities::RootsOfUnity, 1 << 14, (1 << 15) - 1), Method::AbsentRoots);
    assert_eq!(fastest(Identities::Consecutive, 1 << 14, 1 << 24), Method::Subproduct);
}
