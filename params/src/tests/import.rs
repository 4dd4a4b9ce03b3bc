//! What the importers accept.

use std::path::Path;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Fr, G1Affine},
    poly::{
        commitment::{Blind, Params, ParamsProver},
        EvaluationDomain,
    },
};
use sha2::{Digest, Sha256};

use super::files::*;
use crate::{check, import, Format, Origin, ParamsError, Srs};

/// All three formats of one SRS, imported with degree `k`.
fn all(scratch: &Scratch, points: &Points, k: Option<u32>) -> [Srs; 3] {
    let raw = scratch.write("raw-4", &raw(points));
    let ptau = scratch.write("a.ptau", &ptau(points));
    let g1 = scratch.write("g1.point", &point_g1(&points.g[..N]));
    let g2 = scratch.write("g2.point", &point_g2(&points.g2_powers[1..3]));
    [
        import::raw(&raw, k).unwrap(),
        import::ptau(&ptau, k).unwrap(),
        import::point(&g1, &g2, k).unwrap(),
    ]
}

#[test]
fn every_format_gives_the_same_srs() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    for k in [None, Some(1), Some(2), Some(K)] {
        let imported = all(&scratch, &points, k);
        for srs in &imported {
            assert_same_points(srs.params(), &points);
            assert_eq!(srs.k(), k.unwrap_or(K));
            assert_eq!(srs.digest(), imported[0].digest());
            assert!(!srs.is_insecure());
        }
    }
}

#[test]
fn lagrange_points_are_those_of_the_domain() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    for k in [None, Some(2)] {
        for srs in all(&scratch, &points, k) {
            let domain = EvaluationDomain::<Fr>::new(1, srs.k());
            let mut values = domain.empty_lagrange();
            values.iter_mut().zip(7u64..).for_each(|(value, i)| *value = Fr::from(i * i));
            let by_values = srs.params().commit_lagrange(&values, Blind::default());
            let coefficients = domain.lagrange_to_coeff(values);
            assert_eq!(by_values, srs.params().commit(&coefficients, Blind::default()));
        }
    }
}

#[test]
fn origin_names_the_files_and_their_hashes() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    let formats = [Format::Halo2Raw, Format::SnarkjsPtau, Format::GnarkPoint];
    for (srs, expected) in all(&scratch, &points, Some(3)).iter().zip(formats) {
        let Origin::Ceremony { format, file, g2_file } = srs.origin() else {
            panic!("a ceremony expected")
        };
        assert_eq!(*format, expected);
        for file in [Some(file), g2_file.as_ref()].into_iter().flatten() {
            let bytes = std::fs::read(scratch.path().join(&file.name)).unwrap();
            assert_eq!(file.sha256[..], Sha256::digest(bytes)[..]);
        }
        assert_eq!(g2_file.is_some(), expected == Format::GnarkPoint);
    }
}

#[test]
fn digest_is_the_hash_of_the_raw_layout() {
    let points = Points::fresh();
    let scratch = Scratch::new();
    let [srs, _, _] = all(&scratch, &points, None);
    assert_eq!(srs.digest()[..], Sha256::digest(raw(&points))[..]);
    let mut written = Vec::new();
    srs.write_raw(&mut written).unwrap();
    assert_eq!(written, raw(&points));
}

/// A file is taken with the origin that is told, and is checked like any other.
#[test]
fn told_files_are_checked() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    let told = |bytes: &[u8]| import::raw_told(&scratch.write("told", bytes), Origin::Insecure);
    let bytes = raw(&points);
    let srs = told(&bytes).unwrap();
    assert_same_points(srs.params(), &points);
    assert_eq!(srs.origin(), &Origin::Insecure);
    assert_eq!(srs.digest()[..], Sha256::digest(&bytes)[..]);
    for place in [4, bytes.len() / 2, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[place] ^= 1;
        let refused = told(&other).unwrap_err();
        assert!(matches!(refused, ParamsError::Point { .. }), "byte {place}: {refused}");
    }
    let mut other = points.clone();
    other.lagrange.swap(0, 1);
    assert!(matches!(told(&raw(&other)), Err(ParamsError::WrongLagrange { .. })));
    other.g.swap(2, 3);
    assert!(matches!(told(&raw(&other)), Err(ParamsError::WrongTau { .. })));
    assert!(matches!(told(&bytes[..bytes.len() - 1]), Err(ParamsError::Truncated { .. })));
    assert!(told(&[]).is_err());
}

#[test]
fn tau_may_be_second_in_the_g2_file() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    let g1 = scratch.write("g1.point", &point_g1(&points.g));
    let g2 = scratch.write("g2.point", &point_g2(&points.g2_powers));
    // 31 powers: the largest power of two that fits is 16.
    let srs = import::point(&g1, &g2, None).unwrap();
    assert_eq!(srs.k(), K);
    assert_same_points(srs.params(), &points);
}

#[test]
fn formats_are_told_apart() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    let [_, _, from_point] = all(&scratch, &points, None);
    let g2 = scratch.path().join("g2.point");
    for (name, format) in [
        ("raw-4", Format::Halo2Raw),
        ("a.ptau", Format::SnarkjsPtau),
        ("g1.point", Format::GnarkPoint),
    ] {
        let report = check(&scratch.path().join(name), Some(&g2), Some(3)).unwrap();
        assert_eq!((report.format, report.k, report.insecure), (format, 3, false));
        let text = report.to_string();
        assert!(text.contains(name) && text.contains(&hex::encode(report.digest)), "{text}");
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["origin"]["format"], format.to_string());
    }
    let g1 = scratch.path().join("g1.point");
    assert!(import::auto(&g1, None, None).is_err(), "a .point without tau in G2");
    assert_eq!(import::auto(&g1, Some(&g2), None).unwrap().digest(), from_point.digest());
}

#[test]
fn insecure_is_marked_and_fresh() {
    let (one, two) = (Srs::insecure(K).unwrap(), Srs::insecure(K).unwrap());
    assert!(one.is_insecure() && one.params().s_g2() != two.params().s_g2());
    assert_ne!(one.digest(), two.digest());
    assert_eq!(one.params().get_g()[0], G1Affine::generator());
    assert!(one.clone().downsized(2).unwrap().is_insecure(), "a cut keeps the origin");
    let error = one.require_ceremony().map(|srs| srs.k()).unwrap_err();
    assert!(error.to_string().contains("insecure"));
    assert!(two.downsized(K + 1).is_err());
    for k in [0, 29, u32::MAX] {
        assert!(Srs::insecure(k).is_err());
    }
}

#[test]
fn origin_round_trips_through_json() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    for srs in all(&scratch, &points, Some(1)) {
        let json = serde_json::to_string(srs.origin()).unwrap();
        assert_eq!(&serde_json::from_str::<Origin>(&json).unwrap(), srs.origin());
    }
    let insecure = serde_json::to_string(&Origin::Insecure).unwrap();
    assert_eq!(insecure, r#"{"kind":"insecure"}"#);
    assert!(import::detect(Path::new("no such file")).is_err());
}
