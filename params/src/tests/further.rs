//! The four powers that follow the `2^k`: who has them, how they are kept, and which are refused.

use std::fs;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
        group::Curve,
    },
    poly::commitment::ParamsProver,
};
use sha2::{Digest, Sha256};

use super::{cache::assert_equal, files::*};
use crate::{
    check, import, parts::Parts, stored, Format, Origin, Overwrite, ParamsError as E, PointFault,
    PointName, SourceFile, Srs, SrsCache, FURTHER,
};

fn secret() -> Fr {
    Fr::random(muster_testing::rng())
}

fn made(k: u32, tau: Fr) -> Srs {
    Srs::new(Parts::of_secret(k, tau).assembled(), Origin::Insecure)
}

/// As from a ceremony's file, with the further powers or without.
fn ceremony(k: u32, tau: Fr, further: bool) -> Srs {
    let mut parts = Parts::of_secret(k, tau);
    if !further {
        parts.further.clear();
    }
    let file = SourceFile { name: format!("file-{k}"), sha256: [k as u8; 32] };
    Srs::new(parts.assembled(), Origin::one_file(Format::Halo2Raw, file))
}

/// The further powers by their definition.
fn powers(k: u32, tau: Fr) -> Vec<G1Affine> {
    let power = |i: u64| (G1Affine::generator() * tau.pow([(1 << k) + i])).to_affine();
    (0..4).map(power).collect()
}

/// A stored file of `line`, then `rest`.
fn file(line: &str, rest: &[u8]) -> Vec<u8> {
    let line = format!("{line}\n").into_bytes();
    [&line[..], &Sha256::digest(&line), rest].concat()
}

/// What the first version wrote.
fn first_version(srs: &Srs) -> Vec<u8> {
    let digest = hex::encode(srs.digest());
    let origin = serde_json::to_string(srs.origin()).unwrap();
    let line =
        format!(r#"muster-srs/1 {{"k":{},"digest":"0x{digest}","origin":{origin}}}"#, srs.k());
    let mut body = Vec::new();
    srs.write_raw(&mut body).unwrap();
    file(&line, &body)
}

#[test]
fn of_a_secret_and_of_every_cut() {
    let tau = secret();
    for k in 1..=6 {
        let srs = made(k, tau);
        assert_eq!(srs.further_powers(), powers(k, tau), "k = {k}");
        assert_eq!(srs.require_further().unwrap(), srs.further_powers());
        for cut in 1..=k {
            assert_equal(&srs.clone().downsized(cut).unwrap(), &made(cut, tau));
        }
        // 2^k powers are enough for a cut, but for 2 powers of 4.
        let without = ceremony(k, tau, false);
        for cut in 1..k {
            let further = without.clone().downsized(cut).unwrap().further_powers().to_vec();
            let expected = if k == 2 { vec![] } else { powers(cut, tau) };
            assert_eq!(further, expected, "from {k} to {cut}");
        }
    }
    assert_eq!(Srs::insecure(3).unwrap().further_powers().len(), FURTHER);
}

#[test]
fn imports_take_what_the_file_has() {
    let (scratch, points) = (Scratch::new(), Points::fresh());
    let raw = scratch.write("raw", &raw(&points));
    let ptau = scratch.write("ptau", &ptau(&points));
    let g2 = scratch.write("g2", &point_g2(&points.g2_powers[1..3]));
    let expected = |k: u32| &points.g[1 << k..][..4];
    for k in 1..=K {
        let cut = import::raw(&raw, Some(k)).unwrap();
        assert_eq!(cut.further_powers(), if k == K { &[] } else { expected(k) });
        assert_eq!(import::ptau(&ptau, Some(k)).unwrap().further_powers(), expected(k));
    }
    assert_eq!(import::ptau(&ptau, None).unwrap().further_powers(), expected(K));
    for (count, has) in [(N, false), (N + 3, false), (N + 4, true), (N + 5, true)] {
        let g1 = scratch.write("g1", &point_g1(&points.g[..count]));
        let srs = import::point(&g1, &g2, None).unwrap();
        assert_eq!(srs.further_powers(), if has { expected(K) } else { &[] }, "{count} powers");
        assert_eq!(srs.k(), K);
        assert_eq!(srs.digest(), import::raw(&raw, None).unwrap().digest());
        let report = check(&g1, Some(&g2), None).unwrap();
        assert_eq!(report.further, if has { FURTHER } else { 0 });
        assert_eq!(report.to_string().contains("further 4 powers"), has, "{report}");
        assert_eq!(report.to_string().contains("further none"), !has, "{report}");
        assert_eq!(serde_json::to_value(&report).unwrap()["further"], report.further);
    }
}

#[test]
fn imports_refuse_wrong_ones() {
    let points = Points::fresh();
    let scratch = Scratch::new();
    let g2 = scratch.write("g2", &point_g2(&points.g2_powers[1..3]));
    let imports = |points: &Points| {
        let raw = scratch.write("raw", &raw(points));
        let ptau = scratch.write("ptau", &ptau(points));
        let g1 = scratch.write("g1", &point_g1(&points.g));
        let (at_k, cut) = (Some(K), Some(K - 1));
        [
            (import::ptau(&ptau, at_k), import::ptau(&ptau, cut)),
            (import::point(&g1, &g2, at_k), import::point(&g1, &g2, cut)),
            (import::raw(&raw, cut), import::raw(&raw, cut)),
        ]
    };
    let wrong = |result: Result<Srs, E>| matches!(result, Err(E::WrongTau { .. }));
    for at in 0..FURTHER {
        for bad in [stray(), -points.g[N + at], points.g[N + at - 1]] {
            let mut spoilt = points.clone();
            (spoilt.g[N + at], spoilt.g[N / 2 + at]) = (bad, stray());
            // At K the second is among the powers themselves.
            assert!(imports(&spoilt).into_iter().all(|(whole, cut)| wrong(whole) && wrong(cut)));
            let mut spoilt = points.clone();
            spoilt.g[N + at] = bad;
            let [ptau, point, _] = imports(&spoilt);
            assert!(wrong(ptau.0) && wrong(point.0));
            assert!(ptau.1.is_ok() && point.1.is_ok(), "not one that is used");
        }
    }
    // Each alone has the right factor to the one before, but not to the last of the 2^k.
    let mut spoilt = points.clone();
    spoilt.g[N..].copy_from_slice(&points.g[N - 1..2 * N - 2]);
    let [ptau, point, _] = imports(&spoilt);
    assert!(wrong(ptau.0) && wrong(point.0));
    // Off the curve: named by its power.
    let mut bytes = ptau_bytes_with_bad_y(&points);
    let path = scratch.write("ptau", &bytes);
    let error = refusal(import::ptau(&path, None), &path);
    let (name, reason) = (PointName::Power(N as u64 + 2), PointFault::NotOnCurve);
    assert!(matches!(&error, E::Point { point, fault, .. } if (*point, *fault) == (name, reason)));
    bytes.truncate(PTAU_G1 + 64 * (N + 2));
    let path = scratch.write("ptau", &bytes);
    assert!(matches!(refusal(import::ptau(&path, None), &path), E::Truncated { .. }));
}

/// The y of power N + 2 is that of another.
fn ptau_bytes_with_bad_y(points: &Points) -> Vec<u8> {
    let mut bytes = ptau(points);
    let y = PTAU_G1 + 64 * (N + 2) + 32;
    bytes.copy_within(y - 64..y - 32, y);
    bytes
}

#[test]
fn stored_with_and_without() {
    let (scratch, tau) = (Scratch::new(), secret());
    let cache = SrsCache::new(scratch.path());
    for k in 1..=4 {
        let mut digests = vec![];
        for (further, bytes) in [(true, 256), (false, 0)] {
            let srs = ceremony(k, tau, further);
            let path = cache.store(&srs, Overwrite::Yes).unwrap();
            let loaded = cache.load(k).unwrap();
            assert_equal(&loaded, &srs);
            let imported = import::auto(&path, None, None).unwrap();
            assert_eq!(imported.further_powers(), srs.further_powers());
            assert_eq!(imported.digest(), srs.digest());
            assert_eq!(check(&path, None, None).unwrap().further, bytes / 64);
            let file = fs::read(&path).unwrap();
            let line = file.split_inclusive(|byte| *byte == b'\n').next().unwrap().len();
            let layout = import::raw_len(k) as usize;
            assert_eq!(file.len(), line + 32 + layout + bytes);
            assert_eq!(Sha256::digest(&file[line + 32..][..layout])[..], srs.digest());
            digests.push(srs.digest());
        }
        assert_eq!(digests[0], digests[1]);
        fs::remove_file(scratch.path().join(format!("kzg-bn254-{k}.srs"))).unwrap();
    }
    // Cut while it is read: 2 powers of 4 take two from the layout and two from after it.
    for (k, cut) in [(2, 1), (3, 1), (5, 4)] {
        let srs = ceremony(k, tau, true);
        let path = cache.store(&srs, Overwrite::No).unwrap();
        let imported = import::auto(&path, None, Some(cut)).unwrap();
        assert_eq!(imported.further_powers(), powers(cut, tau));
        assert_equal(&cache.load(cut).unwrap(), &srs.downsized(cut).unwrap());
        scratch.names().iter().for_each(|name| fs::remove_file(scratch.path().join(name)).unwrap());
    }
}

/// In a file that travels without its origin: what was written is read, all of it checked.
#[test]
fn told_with_and_without() {
    let (scratch, tau) = (Scratch::new(), secret());
    let written = |srs: &Srs| {
        let mut bytes = Vec::new();
        srs.write_raw_and_further(&mut bytes).unwrap();
        bytes
    };
    let told = |bytes: &[u8]| {
        import::raw_and_further_told(&scratch.write("told", bytes), Origin::Insecure)
    };
    for k in 1..=4 {
        for further in [true, false] {
            let srs = ceremony(k, tau, further);
            let bytes = written(&srs);
            let count = if further { FURTHER } else { 0 };
            assert_eq!(bytes.len() as u64, import::raw_len(k) + 64 * count as u64);
            assert!(bytes.len() as u64 <= import::raw_and_further_len(k));
            let read = told(&bytes).unwrap();
            assert_eq!((read.digest(), read.origin()), (srs.digest(), &Origin::Insecure));
            assert_eq!(read.further_powers(), srs.further_powers());
            for cut in [1, 64, 255] {
                let refused = told(&bytes[..bytes.len() - cut]).unwrap_err();
                assert!(matches!(refused, E::Truncated { .. }), "{refused}");
            }
            let refused = told(&[&bytes[..], &[0; 257]].concat()).unwrap_err();
            assert!(matches!(refused, E::TrailingBytes { .. }), "{refused}");
        }
    }
    let good = written(&ceremony(3, tau, true));
    for at in [4, good.len() - 256, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        let refused = told(&bytes).unwrap_err();
        assert!(matches!(refused, E::Point { .. }), "byte {at}: {refused}");
    }
    // Points that are some, but not the powers.
    let mut swapped = good.clone();
    let end = good.len();
    swapped[end - 128..].rotate_left(64);
    assert!(matches!(told(&swapped), Err(E::WrongTau { .. })));
    let mut other = good[..end - 256].to_vec();
    other.extend(&written(&ceremony(3, secret(), true))[end - 256..]);
    assert!(matches!(told(&other), Err(E::WrongTau { .. })));
    assert!(matches!(told(&[&[255; 4][..], &good[4..]].concat()), Err(E::Format { .. })));
}

#[test]
fn the_first_version_is_read() {
    let (scratch, tau) = (Scratch::new(), secret());
    let cache = SrsCache::new(scratch.path());
    for srs in [made(3, tau), ceremony(4, tau, true)] {
        let path = cache.path(srs.k(), srs.origin());
        let bytes = first_version(&srs);
        fs::write(&path, &bytes).unwrap();
        let loaded = cache.load(srs.k()).unwrap();
        assert_eq!((loaded.digest(), loaded.origin()), (srs.digest(), srs.origin()));
        assert_eq!(loaded.params().get_g(), srs.params().get_g());
        assert!(loaded.further_powers().is_empty());
        let report = check(&path, None, None).unwrap();
        assert_eq!((report.format, report.digest), (Format::Muster, srs.digest()));
        assert_eq!(fs::read(&path).unwrap(), bytes, "stays as it is");
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(refusal(cache.load(srs.k()), &path), E::Truncated { .. }));
        fs::write(&path, [&bytes[..], &[0; 256]].concat()).unwrap();
        assert!(matches!(refusal(cache.load(srs.k()), &path), E::TrailingBytes { extra: 256, .. }));
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn damage_to_them_is_noticed() {
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let srs = made(2, secret());
    let path = cache.store(&srs, Overwrite::No).unwrap();
    let good = fs::read(&path).unwrap();
    let both = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let imported = refusal(import::auto(&path, None, None), &path);
        (refusal(cache.load(2), &path), imported)
    };
    let end = good.len();
    for at in end - 256..end {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        let (loaded, imported) = both(&bytes);
        assert!(matches!(loaded, E::Corrupt { .. }), "{loaded}");
        assert!(matches!(imported, E::Corrupt { .. } | E::Point { .. }), "{imported}");
        let (loaded, imported) = both(&good[..at]);
        let cut = |error: &E| matches!(error, E::Truncated { .. });
        assert!(cut(&loaded) && cut(&imported), "{loaded}");
    }
    // Two of them in each other's place.
    let mut bytes = good.clone();
    bytes[end - 128..].rotate_left(64);
    let (loaded, imported) = both(&bytes);
    assert!(matches!(loaded, E::Corrupt { .. }) && matches!(imported, E::Corrupt { .. }));

    // Other headers, with hashes that fit.
    let split = good.iter().position(|byte| *byte == b'\n').unwrap();
    let line = String::from_utf8(good[..split].to_vec()).unwrap();
    let rest = &good[split + 33..];
    let with = |from: &str, to: &str| {
        assert!(line.contains(from), "{line}");
        both(&file(&line.replace(from, to), rest)).0
    };
    let count = "\"further\":4";
    assert!(matches!(with(count, "\"further\":0"), E::TrailingBytes { extra: 256, .. }));
    for other in ["3", "5", "18446744073709551615", "-1", "\"4\""] {
        let error = with(count, &format!("\"further\":{other}"));
        assert!(matches!(error, E::Corrupt { .. }), "{error}");
    }
    assert!(matches!(with("\"further\":4,", ""), E::Corrupt { .. }));
    assert!(matches!(with("srs/2", "srs/1"), E::Corrupt { .. }), "fields of the second");
    assert!(matches!(with("srs/2", "srs/3"), E::Format { .. }));
    fs::write(&path, &good).unwrap();
    assert_equal(&cache.load(2).unwrap(), &srs);
}

/// Hashes that fit make nothing true: an import checks the powers themselves.
#[test]
fn a_stored_file_of_wrong_ones_is_refused() {
    let (scratch, tau) = (Scratch::new(), secret());
    for at in 0..FURTHER {
        let mut parts = Parts::of_secret(3, tau);
        parts.further[at] = stray();
        let forged = Srs::new(parts.assembled(), Origin::Insecure);
        let path = scratch.path().join("gift.srs");
        stored::write(&forged, &path, true).unwrap();
        let error = refusal(import::auto(&path, None, None), &path);
        assert!(matches!(error, E::WrongTau { .. }), "{error}");
        // Cut to 4 powers, it takes the four that follow in the layout.
        assert_eq!(import::auto(&path, None, Some(2)).unwrap().further_powers(), powers(2, tau));
    }
}

#[test]
fn the_cache_takes_them_from_a_larger_file() {
    let (scratch, tau) = (Scratch::new(), secret());
    let cache = SrsCache::new(scratch.path());
    let names = |k: u32| scratch.path().join(format!("kzg-bn254-{k}.srs"));
    let own = ceremony(3, tau, false);
    let path = cache.store(&own, Overwrite::No).unwrap();
    let stored = fs::read(&path).unwrap();
    assert_equal(&cache.load(3).unwrap(), &own);

    // Of another τ, or damaged: passed over.
    cache.store(&ceremony(4, secret(), true), Overwrite::No).unwrap();
    fs::write(names(5), b"muster-srs/2 {}").unwrap();
    assert_equal(&cache.load(3).unwrap(), &own);
    assert_eq!(fs::read(&path).unwrap(), stored);

    let larger = ceremony(6, tau, false);
    cache.store(&larger, Overwrite::No).unwrap();
    let whole = cache.load(3).unwrap();
    assert_equal(&whole, &own.clone().with_further(powers(3, tau)));
    assert_eq!((whole.digest(), whole.origin()), (own.digest(), own.origin()));
    for k in 4..=6 {
        fs::remove_file(names(k)).unwrap();
    }
    assert_equal(&cache.load(3).unwrap(), &whole);
    assert_eq!(scratch.names(), ["kzg-bn254-3.srs"]);

    // Of the first version, and 2 powers that a file of 4 has too few for.
    fs::write(&path, first_version(&own)).unwrap();
    fs::write(names(2), first_version(&ceremony(2, tau, false))).unwrap();
    let cut = cache.load(1).unwrap();
    assert_eq!(cut.further_powers(), powers(1, tau));
    assert_equal(&cache.load(1).unwrap(), &cut);
    assert!(cache.load(3).unwrap().further_powers().is_empty());
}

#[test]
fn an_old_insecure_one_is_returned_as_it_is() {
    let (scratch, tau) = (Scratch::new(), secret());
    let cache = SrsCache::new(scratch.path());
    let srs = made(3, tau);
    fs::write(cache.path(3, &Origin::Insecure), first_version(&srs)).unwrap();
    cache.store(&made(4, tau), Overwrite::No).unwrap();
    for found in [cache.load(3).unwrap(), cache.load_or_make_insecure(3).unwrap()] {
        assert_eq!(found.digest(), srs.digest());
        let text = found.require_further().unwrap_err().to_string();
        let command = "muster srs make --degree 3 --insecure-srs --force";
        for part in ["k = 3", "has 2^3 powers", "2^3 + 4", command] {
            assert!(text.contains(part), "{text}");
        }
    }
    let text = ceremony(5, tau, false).require_further().unwrap_err().to_string();
    for part in ["k = 5", "has 2^5 powers", "2^5 + 4", "muster srs import FILE --degree 5 --force"]
    {
        assert!(text.contains(part), "{text}");
    }
}
