//! The store: what comes back, what is noticed, what is left behind.

use std::{env, fs, path::Path, process::Command};

use halo2_base::halo2_proofs::poly::commitment::ParamsProver;
use sha2::{Digest, Sha256};

use super::files::*;
use crate::{
    check, import, parts::Assembled, stored, Format, Origin, Overwrite, ParamsError as E,
    SourceFile, Srs, SrsCache, CACHE_DIR_ENV,
};

fn ceremony(scratch: &Scratch) -> Srs {
    let path = scratch.write("ceremony.ptau", &ptau(&Points::fresh()));
    import::ptau(&path, None).unwrap()
}

pub(super) fn assert_equal(one: &Srs, two: &Srs) {
    assert_eq!(one.origin(), two.origin());
    assert_same(one, two);
}

fn assert_same(one: &Srs, two: &Srs) {
    assert_eq!((one.k(), one.digest()), (two.k(), two.digest()));
    assert_eq!(one.params().get_g(), two.params().get_g());
    assert_eq!(one.further_powers(), two.further_powers());
    assert_eq!(one.params().g2(), two.params().g2());
    assert_eq!(one.params().s_g2(), two.params().s_g2());
    let body = |srs: &Srs| {
        let mut bytes = Vec::new();
        srs.write_raw(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(body(one), body(two), "Lagrange points as well");
}

#[test]
fn round_trip() {
    let (scratch, files) = (Scratch::new(), Scratch::new());
    let cache = SrsCache::new(scratch.path().join("made/when/needed"));
    for srs in [ceremony(&files), Srs::insecure(K + 1).unwrap()] {
        let path = cache.store(&srs, Overwrite::No).unwrap();
        assert_eq!(path, cache.path(srs.k(), srs.origin()));
        let loaded = cache.load(srs.k()).unwrap();
        assert_equal(&loaded, &srs);
        let report = check(&path, None, None).unwrap();
        assert_eq!((report.format, report.digest), (Format::Muster, srs.digest()));
        assert_eq!(report.insecure, srs.is_insecure());
        assert_eq!(report.to_string().contains("INSECURE"), srs.is_insecure());
        assert_eq!(import::says_insecure(&path).unwrap(), srs.is_insecure());
        let imported = import::auto(&path, None, None).unwrap();
        assert_same(&imported, &srs);
        assert_eq!(imported.origin(), &report.origin);
        assert_eq!(imported.origin() == srs.origin(), srs.is_insecure(), "else it is this file");
    }
}

/// An insecure SRS whose header names a ceremony's file and that file's hash.
#[test]
fn what_a_file_says_of_itself_is_a_claim() {
    let (scratch, kept) = (Scratch::new(), Scratch::new());
    let published = [0xc8; 32];
    let named = SourceFile { name: "hermez-raw-11".into(), sha256: published };
    let made = Srs::insecure(K).unwrap();
    let params = made.params().clone();
    let points = Assembled { params, further: made.further_powers().to_vec() };
    let forged = Srs::new(points, Origin::one_file(Format::Halo2Raw, named));
    let path = scratch.path().join("gift.srs");
    stored::write(&forged, &path, false).unwrap();
    let sha256 = Sha256::digest(fs::read(&path).unwrap()).into();
    let gift = Origin::one_file(Format::Muster, SourceFile { name: "gift.srs".into(), sha256 });
    for k in [K, 2] {
        let report = check(&path, None, Some(k)).unwrap();
        let (text, json) = (report.to_string(), serde_json::to_string(&report).unwrap());
        assert!(text.contains("claims  to be from halo2-raw \"hermez-raw-11\""), "{text}");
        for said in [text, json] {
            assert!(!said.contains(&hex::encode(published)), "{said}");
            assert!(said.contains(&hex::encode(sha256)) && said.contains("gift.srs"), "{said}");
        }
        let imported = import::auto(&path, None, Some(k)).unwrap();
        assert!(imported.origin() == &gift && gift.is_claimed());
        let cache = SrsCache::new(kept.path());
        cache.store(&imported, Overwrite::Yes).unwrap();
        assert_eq!(cache.load(k).unwrap().origin(), &gift);
    }
}

#[test]
fn never_overwritten_unless_asked() {
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let (first, second) = (Srs::insecure(2).unwrap(), Srs::insecure(2).unwrap());
    cache.store(&first, Overwrite::No).unwrap();
    assert!(matches!(cache.store(&second, Overwrite::No), Err(E::AlreadyExists { .. })));
    assert_equal(&cache.load(2).unwrap(), &first);
    cache.store(&second, Overwrite::Yes).unwrap();
    assert_equal(&cache.load(2).unwrap(), &second);
    assert_eq!(scratch.names(), ["kzg-bn254-2-insecure.srs"]);
}

#[test]
fn ceremonies_come_first_and_are_cut_down() {
    let (scratch, files) = (Scratch::new(), Scratch::new());
    let cache = SrsCache::new(scratch.path());
    cache.store(&Srs::insecure(3).unwrap(), Overwrite::No).unwrap();
    cache.store(&Srs::insecure(6).unwrap(), Overwrite::No).unwrap();
    assert!(cache.load(3).unwrap().is_insecure());
    // A larger insecure one is not cut: only ceremonies are worth it.
    assert!(matches!(cache.load(5), Err(E::NotCached { k: 5, .. })));
    let srs = ceremony(&files);
    cache.store(&srs, Overwrite::No).unwrap();
    let cut = cache.load(3).unwrap();
    assert_equal(&cut, &srs.clone().downsized(3).unwrap());
    assert!(!cut.is_insecure() && cut.origin() == srs.origin());
    assert!(cache.path(3, srs.origin()).exists(), "kept for the next time");
    assert_equal(&cache.load(3).unwrap(), &cut);
    assert_eq!(cache.load_or_make_insecure(2).unwrap().k(), 2);
    assert!(!cache.path(2, &Origin::Insecure).exists());
    assert!(matches!(cache.load(0), Err(E::Degree { .. })));
}

#[test]
fn insecure_is_made_once() {
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let made = cache.load_or_make_insecure(4).unwrap();
    assert!(made.is_insecure());
    let again = cache.load_or_make_insecure(4).unwrap();
    assert!(again.is_insecure());
    assert_equal(&made, &again);
}

#[test]
fn damage_is_noticed_everywhere() {
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let path = cache.store(&Srs::insecure(2).unwrap(), Overwrite::No).unwrap();
    let good = fs::read(&path).unwrap();
    for at in (0..good.len()).filter(|at| *at < 200 || at % 7 == 0 || good.len() - at < 40) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        refusal(cache.load(2), &path);
        refusal(import::auto(&path, None, None), &path);
        fs::write(&path, &good[..at]).unwrap();
        refusal(cache.load(2), &path);
    }
    let mut longer = good.clone();
    longer.push(0);
    fs::write(&path, &longer).unwrap();
    assert!(matches!(refusal(cache.load(2), &path), E::TrailingBytes { extra: 1, .. }));
    // A damaged file is never replaced by a fresh one behind the user's back.
    refusal(cache.load_or_make_insecure(2), &path);
    fs::write(&path, &good).unwrap();
    cache.load(2).unwrap();
}

#[test]
fn a_renamed_file_is_not_believed() {
    let scratch = Scratch::new();
    let cache = SrsCache::new(scratch.path());
    let path = cache.store(&Srs::insecure(3).unwrap(), Overwrite::No).unwrap();
    let as_ceremony = scratch.path().join("kzg-bn254-3.srs");
    fs::copy(&path, &as_ceremony).unwrap();
    assert!(matches!(refusal(cache.load(3), &as_ceremony), E::Corrupt { .. }));
    fs::remove_file(as_ceremony).unwrap();
    let other_degree = scratch.path().join("kzg-bn254-2-insecure.srs");
    fs::rename(&path, &other_degree).unwrap();
    assert!(matches!(refusal(cache.load(2), &other_degree), E::Corrupt { .. }));
}

#[test]
fn failure_leaves_nothing_behind() {
    let scratch = Scratch::new();
    // The target is a directory that is not empty: the last step, the rename, fails.
    let target = scratch.path().join("kzg-bn254-2-insecure.srs");
    fs::create_dir_all(target.join("occupied")).unwrap();
    let cache = SrsCache::new(scratch.path());
    let srs = Srs::insecure(2).unwrap();
    assert!(cache.store(&srs, Overwrite::No).is_err());
    assert!(matches!(cache.store(&srs, Overwrite::Yes), Err(E::Io { .. })));
    assert_eq!(scratch.names(), ["kzg-bn254-2-insecure.srs"]);
    // A file stands where the directory should be.
    let blocked = scratch.write("file", b"");
    assert!(SrsCache::new(&blocked).store(&srs, Overwrite::No).is_err());
    assert_eq!(fs::read(&blocked).unwrap(), b"");
}

#[cfg(unix)]
#[test]
fn stored_files_are_readable_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let path =
        SrsCache::new(scratch.path()).store(&Srs::insecure(1).unwrap(), Overwrite::No).unwrap();
    let plain = scratch.write("plain", b"");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain), "as the umask has it");
}

/// Run as a child of [`environment_names_the_directory`], which sets the variable.
#[test]
fn child_prints_the_directory() {
    println!("cache dir <{}>", SrsCache::from_env().dir().display());
}

#[test]
fn environment_names_the_directory() {
    let printed = |value: Option<&str>, home: &[(&str, &str)]| {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "tests::cache::child_prints_the_directory", "--nocapture"]);
        child.env_remove(CACHE_DIR_ENV).env_remove("XDG_CACHE_HOME").env("HOME", "/home/of");
        child.envs(home.iter().copied());
        if let Some(value) = value {
            child.env(CACHE_DIR_ENV, value);
        }
        String::from_utf8(child.output().unwrap().stdout).unwrap()
    };
    assert!(printed(Some("else/where"), &[]).contains("<else/where>"));
    for unset in [None, Some("")] {
        let told = printed(unset, &[]);
        let found = told.split(['<', '>']).nth(1).unwrap();
        let dir = Path::new(found);
        assert!(dir.starts_with("/home/of") && dir.ends_with("muster/srs"), "{told}");
        if cfg!(target_os = "linux") {
            assert_eq!(found, "/home/of/.cache/muster/srs");
            let told = printed(unset, &[("XDG_CACHE_HOME", "/caches")]);
            assert!(told.contains("</caches/muster/srs>"), "{told}");
        }
    }
}
