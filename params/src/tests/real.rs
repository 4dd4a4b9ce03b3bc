//! The published files, where a checkout has them. `MUSTER_REAL_SRS` names their directory; by
//! default it is `shared/srs` beside the workspace.

use std::{env, path::PathBuf, time::Instant};

use halo2_base::halo2_proofs::poly::commitment::ParamsProver;

use super::files::Scratch;
use crate::{check, import, Overwrite, PackBases, ParamsError as E, SrsCache};

const RAW: &str = "hermez-raw-11";
const G1: &str = "ppot-bn254-g1-65536.point";
const G2: &str = "ppot-bn254-g2-powers-of-2.point";

/// The directory, or a line that says it is absent.
fn real_srs() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/srs");
    let dir = env::var_os("MUSTER_REAL_SRS").map_or_else(beside, PathBuf::from);
    let there = [RAW, G1, G2].iter().all(|name| dir.join(name).is_file());
    if !there {
        println!("real SRS absent, skipped");
    }
    there.then_some(dir)
}

#[test]
fn hermez_raw() {
    let Some(dir) = real_srs() else { return };
    let report = check(&dir.join(RAW), None, None).unwrap();
    assert_eq!((report.k, report.further), (11, 0), "the layout has 2^11 powers and no more");
    assert_eq!(check(&dir.join(RAW), None, Some(10)).unwrap().further, 4);
    let published = "c8edbefe1562c50ea105f79d9d49989bcfbf1e6a335b3858d44260e71972b8ee";
    assert_eq!(hex::encode(report.digest), published, "the layout is the file's own");
}

/// The decider of a compact proof alone has 2^10 rows or more, and packs of ten columns.
#[test]
fn hermez_raw_is_too_short_for_deciders() {
    let Some(dir) = real_srs() else { return };
    let srs = import::raw(&dir.join(RAW), None).unwrap();
    let error = PackBases::new(&srs, 10, 10).map(|bases| bases.k()).unwrap_err();
    let expected = E::TooFewPowers {
        k: 10,
        stride: 10,
        needed: 10_280,
        found: 2048,
        srs_k: 11,
        degree: 14,
        insecure: false,
    };
    assert_eq!(error.to_string(), expected.to_string());
}

#[test]
fn perpetual_powers_of_tau() {
    let Some(dir) = real_srs() else { return };
    let (g1, g2) = (dir.join(G1), dir.join(G2));
    let srs = import::point(&g1, &g2, Some(10)).unwrap();
    assert!(!srs.is_insecure());
    // Both files come from the same ceremony at different contributions, so tau differs.
    let raw = import::raw(&dir.join(RAW), Some(10)).unwrap();
    assert_ne!(srs.params().s_g2(), raw.params().s_g2());
    let error = import::point(&g1, &g2, Some(17)).map(|srs| srs.k()).unwrap_err();
    assert!(matches!(error, E::NotEnoughPoints { found: 65_536, .. }), "{error}");

    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    cache.store(&srs, Overwrite::No).unwrap();
    let cut = cache.load(9).unwrap();
    assert_eq!(cut.origin(), srs.origin());
    assert_eq!(srs.further_powers().len(), 4);
    assert_eq!(cut.further_powers(), &srs.params().get_g()[1 << 9..][..4]);
}

/// Every power is read and enters the pairing check; no Lagrange points are computed.
#[test]
fn perpetual_powers_of_another_tau() {
    let Some(dir) = real_srs() else { return };
    let scratch = Scratch::new();
    // The second point of the G2 file is the square of tau.
    let squared = scratch.write("squared", &std::fs::read(dir.join(G2)).unwrap()[64..128]);
    let start = Instant::now();
    let error = import::point(&dir.join(G1), &squared, None).map(|srs| srs.k()).unwrap_err();
    println!("reading 65,536 points and the pairing check: {:?}", start.elapsed());
    assert!(matches!(error, E::WrongTau { .. }), "{error}");
}

/// All powers; prints how long each step takes. Slow because of the Lagrange points.
#[test]
#[ignore = "computes 65,536 Lagrange points"]
fn perpetual_powers_of_tau_whole() {
    let Some(dir) = real_srs() else { return };
    let start = Instant::now();
    let srs = import::point(&dir.join(G1), &dir.join(G2), None).unwrap();
    println!("import of 2^{}: {:?}", srs.k(), start.elapsed());
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let start = Instant::now();
    let path = cache.store(&srs, Overwrite::No).unwrap();
    println!("store: {:?}", start.elapsed());
    let start = Instant::now();
    let loaded = cache.load(16).unwrap();
    println!("load: {:?}", start.elapsed());
    assert_eq!(loaded.digest(), srs.digest());
    let start = Instant::now();
    check(&path, None, None).unwrap();
    println!("check of the stored file: {:?}", start.elapsed());
    let start = Instant::now();
    cache.load(14).unwrap();
    println!("load of 2^14 cut from 2^16: {:?}", start.elapsed());
}
