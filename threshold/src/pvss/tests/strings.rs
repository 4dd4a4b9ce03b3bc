//! Reference strings: checks, contributions and the import.

use group::{prime::PrimeCurveAffine, Curve};
use muster_testing::sampled;

use super::{
    encodings::order_three,
    support::{rng, srs},
};
use crate::{
    pairing_curve::{multiply_g1, Fr, G1Affine, G2Affine},
    pvss::{lagrange, Error, Parameters, Srs},
};

#[test]
fn contributions_are_a_chain() {
    let mut own = Srs::insecure(8, &mut rng(1)).unwrap();
    own.check().unwrap();
    assert!(own.is_insecure() && !own.claims_tau());
    own.contribute(false, &mut rng(2));
    own.check().unwrap();
    // Its maker still knows τ.
    assert!(own.is_insecure());
    own.contribute(true, &mut rng(3));
    own.check().unwrap();
    assert!(!own.is_insecure());
    let bytes = own.to_bytes();
    assert_eq!(Srs::from_bytes(&bytes).unwrap(), own);
    for place in (0..bytes.len()).step_by(29) {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let same = Srs::from_bytes(&changed).and_then(|srs| srs.check());
        // The only byte that nothing contradicts says who made τ.
        assert_eq!(same.is_ok(), place == 16, "{place}");
    }
    assert!(Srs::from_bytes(&bytes[..bytes.len() - 1]).is_err());
}

/// Whoever hands out a string of other points could prove everything.
#[test]
fn points_that_are_no_powers_make_no_parameters() {
    let mut bytes = Srs::insecure(8, &mut rng(1)).unwrap().to_bytes();
    Parameters::new(&Srs::from_bytes(&bytes).unwrap(), 8).unwrap();
    // Two powers change places; then the blinder is the generator in one group.
    let power = |place: usize| 25 + 48 * place..25 + 48 * (place + 1);
    let mut swapped = bytes.clone();
    swapped[power(3)].copy_from_slice(&bytes[power(4)]);
    swapped[power(4)].copy_from_slice(&bytes[power(3)]);
    let generator = G1Affine::generator().to_compressed();
    bytes[power(8)].copy_from_slice(&generator);
    for changed in [swapped, bytes] {
        let read = Srs::from_bytes(&changed).unwrap();
        assert!(matches!(Parameters::new(&read, 8), Err(Error::Srs { .. })));
    }
}

#[test]
fn lagrange_points_are_those_of_the_powers() {
    for domain in [2, 3, 11, 12, 19, 33, 57, 64] {
        let parameters = Parameters::new(srs(), domain).unwrap();
        // Σ L_a = 1, and Σ ω^a L_a = τ.
        let roots = parameters.transform.roots();
        let ones = vec![Fr::from(1); domain];
        let powers = srs().powers();
        assert_eq!(parameters.lagrange_sum(0, &ones).to_affine(), powers[0]);
        assert_eq!(parameters.lagrange_sum(0, roots).to_affine(), powers[1]);
    }
}

/// Points that were kept are those of the string, or refused: also where all digests are right.
#[test]
fn lagrange_points_from_a_file() {
    // Below and above what subgroups are tested of in a batch.
    for domain in [33, 228] {
        let made = Parameters::new(srs(), domain).unwrap();
        let bytes = made.lagrange_bytes();
        let read = |bytes: &[u8]| Parameters::from_kept(srs(), domain, bytes);
        assert_eq!(read(&bytes).unwrap().lagrange, made.lagrange);
        for length in [0, 83, 84, bytes.len() - 96, bytes.len() - 1] {
            assert!(matches!(read(&bytes[..length]), Err(Error::Lagrange { .. })), "{length}");
        }
        for place in sampled((0..bytes.len()).step_by(97), 8) {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert!(matches!(read(&changed), Err(Error::Lagrange { .. })), "{place}");
        }
        let other = Srs::insecure(1 << 9, &mut rng(2)).unwrap();
        assert!(Parameters::from_kept(&other, domain, &bytes).is_err());
        assert!(Parameters::from_kept(srs(), 64, &bytes).is_err());
        // Whoever writes the file writes its digest.
        let with = |points: &[G1Affine]| read(&lagrange::to_bytes(points, made.digest()));
        let points = &made.lagrange;
        assert!(with(points).is_ok());
        let mut swapped = points.to_vec();
        swapped.swap(3, 4);
        let mut moved = points.to_vec();
        moved[5] = G1Affine::generator();
        for bad in [swapped, moved] {
            assert!(matches!(with(&bad), Err(Error::Lagrange { .. })));
        }
        // With an additional point of order three: a third of the factors would not see it.
        for place in sampled(0..24, 6) {
            let mut outside = points.to_vec();
            outside[place] = (points[place].to_curve() + order_three()).to_affine();
            assert!(matches!(with(&outside), Err(Error::Lagrange { .. })), "{place}");
        }
        assert!(with(srs().powers().get(..domain).unwrap()).is_err());
    }
}

#[test]
fn the_text_of_a_ceremony() {
    let tau = Fr::from(12345);
    let mut power = Fr::from(1);
    let mut lines = vec!["4".to_owned(), "2".to_owned()];
    let point = |scalar: &Fr| multiply_g1(&G1Affine::generator().into(), scalar).to_affine();
    lines.extend((0..4).map(|_| hex::encode(point(&tau).to_compressed())));
    let two = G2Affine::generator();
    let tau_g2 = crate::pairing_curve::multiply_g2(&two.into(), &tau).to_affine();
    lines.extend([two, tau_g2].map(|point| hex::encode(point.to_compressed())));
    for _ in 0..4 {
        lines.push(hex::encode(point(&power).to_compressed()));
        power *= tau;
    }
    let mut imported = Srs::import(&lines.join("\n")).unwrap();
    imported.check().unwrap();
    assert!(imported.is_insecure());
    imported.contribute(false, &mut rng(4));
    imported.check().unwrap();
    assert!(!imported.is_insecure() && imported.claims_tau());
    imported.contribute(true, &mut rng(5));
    assert!(!imported.is_insecure() && !imported.claims_tau());
    lines.swap(9, 10);
    let swapped = Srs::import(&lines.join("\n")).unwrap();
    assert!(matches!(swapped.check(), Err(Error::Srs { .. })));
    lines.pop();
    assert!(Srs::import(&lines.join("\n")).is_err());
    assert!(Srs::import("").is_err() && Srs::import("4 2 zz").is_err());
}
