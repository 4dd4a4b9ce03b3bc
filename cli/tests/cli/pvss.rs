//! `muster pvss` and `muster dkg`: a committee by files, cheaters, and files that are none.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{run_in, Run};

/// A place of its own for a test, empty.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pvss").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn pvss(dir: &Path, line: &str) -> Run {
    run_in(dir, &format!("pvss {line}"))
}

fn dkg(dir: &Path, line: &str) -> Run {
    run_in(dir, &format!("dkg {line}"))
}

/// Keys of three players with weights 2, 1, 3, and a session of 4 of 6.
fn session(name: &str, options: &str) -> PathBuf {
    let dir = scratch(name);
    pvss(&dir, "srs make --insecure --powers 128 --out s.srs").expect(0, &["INSECURE"]);
    pvss(&dir, "srs check s.srs").expect(0, &["128 powers"]);
    for player in 1..=3 {
        pvss(&dir, &format!("keygen --out keys-{player}")).expect(0, &[]);
    }
    let line = format!(
        "session --keys keys-1/public.json keys-2/public.json keys-3/public.json --weights 2,1,3 \
         --threshold 4 --epoch 7 --srs s.srs --out session.json {options}"
    );
    pvss(&dir, &line).expect(0, &["4 of 6 shares", "INSECURE"]);
    dir
}

fn deal(dir: &Path) {
    for player in 1..=3 {
        let line = format!(
            "deal --session session.json --keys keys-{player} --out transcript-{player}.bin"
        );
        dkg(dir, &line).expect(0, &[&format!("player {player}")]);
    }
}

const ALL: &str = "transcript-1.bin transcript-2.bin transcript-3.bin";

#[test]
fn a_secret_is_shared_and_reconstructed() {
    let dir = session("shared", "--chunk-bits 16");
    deal(&dir);
    pvss(&dir, &format!("verify --session session.json {ALL}"))
        .expect(0, &["[1, 2, 3]", "session.json: the reference string is INSECURE"]);
    let inspected =
        pvss(&dir, "inspect transcript-2.bin --session session.json --json").expect(0, &[]).json();
    assert_eq!((&inspected["dealer"], &inspected["shares"]), (&2.into(), &6.into()));
    pvss(&dir, &format!("aggregate --session session.json {ALL} --out sum.bin")).expect(0, &[]);
    for player in [1, 3] {
        let line = format!(
            "decrypt --session session.json --keys keys-{player} --sum sum.bin --table-bits 12 \
             --table log.bin --out shares-{player}.json"
        );
        pvss(&dir, &line).expect(0, &[]);
    }
    let line = "reconstruct --session session.json --sum sum.bin shares-1.json shares-3.json \
                --out secret.json";
    pvss(&dir, line).expect(0, &[]);
    #[cfg(unix)]
    for secret in ["secret.json", "shares-1.json", "keys-1/secret.json"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(dir.join(secret)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }
    let few = line.replace("shares-1.json shares-3.json", "shares-1.json").replace("secret", "s2");
    pvss(&dir, &few).expect(1, &["2 different shares", "4 are needed"]);
    // A changed byte is nobody's signature; a short file is none at all.
    let mut bytes = fs::read(dir.join("transcript-1.bin")).unwrap();
    bytes[100] ^= 1;
    fs::write(dir.join("changed.bin"), &bytes).unwrap();
    pvss(&dir, "verify --session session.json changed.bin").expect(1, &["changed.bin", "signed"]);
    fs::write(dir.join("short.bin"), &bytes[1..]).unwrap();
    pvss(&dir, "verify --session session.json short.bin")
        .expect(1, &["bytes, but in this session there must be"]);
    pvss(&dir, "verify --session session.json missing.bin").expect(2, &["missing.bin"]);
    let wrong = "decrypt --session session.json --keys keys-2 --sum transcript-1.bin --out x.json";
    pvss(&dir, wrong).expect(1, &["transcript-1.bin"]);
}

/// The session names the file, every command makes use of it, and whatever is in it is checked.
#[test]
fn a_session_keeps_its_lagrange_points() {
    let dir = session("lagrange", "--chunk-bits 16 --lagrange points.bin");
    let made = fs::read(dir.join("points.bin")).unwrap();
    let deal = "deal --session session.json --keys keys-1 --force --out transcript-1.bin";
    dkg(&dir, deal).expect(0, &[]);
    let verify = "verify --session session.json transcript-1.bin";
    fs::remove_file(dir.join("points.bin")).unwrap();
    // Whoever made the session named the file: nothing but the command that was told so writes it.
    pvss(&dir, verify).expect(0, &["accepted"]);
    assert!(!dir.join("points.bin").exists());
    let mut changed = made.clone();
    changed[100] ^= 1;
    fs::write(dir.join("points.bin"), &changed).unwrap();
    pvss(&dir, verify).expect(2, &["points.bin", "remove the file"]);
    // Another place, from which the session is found.
    fs::create_dir(dir.join("elsewhere")).unwrap();
    fs::write(dir.join("points.bin"), &made).unwrap();
    let line = "verify --session ../session.json ../transcript-1.bin";
    pvss(&dir.join("elsewhere"), line).expect(0, &["accepted"]);
    assert!(!dir.join("elsewhere/points.bin").exists());
}

#[test]
fn a_committee_makes_a_key_and_signs() {
    let dir = session("committee", "--chunk-bits 16");
    deal(&dir);
    dkg(&dir, &format!("collect --session session.json {ALL}")).expect(0, &["[1, 2, 3], enough"]);
    dkg(&dir, "collect --session session.json transcript-1.bin").expect(0, &["not enough"]);
    let line = format!(
        "propose --session session.json --keys keys-1 {ALL} --sum sum.bin --out proposal.json"
    );
    dkg(&dir, &line).expect(0, &["[1, 2, 3]"]);
    // A proposal that is there already: no sum is written beside it either.
    let again = line.replace("--sum sum.bin", "--sum other.bin");
    dkg(&dir, &again).expect(2, &["proposal.json"]);
    assert!(!dir.join("other.bin").exists());
    for player in 1..=3 {
        let line = format!(
            "attest --session session.json --keys keys-{player} --proposal proposal.json {ALL} \
             --out attestation-{player}.json"
        );
        dkg(&dir, &line).expect(0, &[]);
    }
    let missing = "attest --session session.json --keys keys-1 --proposal proposal.json \
                   transcript-1.bin transcript-2.bin --out other.json";
    dkg(&dir, missing).expect(1, &["no verified dealing by player 3"]);
    let certify = "certify --session session.json --proposal proposal.json";
    dkg(&dir, &format!("{certify} attestation-2.json --out light.json"))
        .expect(1, &["not above 1/3"]);
    dkg(&dir, &format!("{certify} attestation-1.json attestation-3.json --out certificate.json"))
        .expect(0, &["[1, 3]"]);
    for player in [1, 3] {
        let line = format!(
            "shares --session session.json --keys keys-{player} --certificate certificate.json \
             --sum sum.bin --table-bits 12 --out key-{player}"
        );
        dkg(&dir, &line).expect(0, &["4 of 6"]);
        let line = format!(
            "bls-threshold sign --shares key-{player} --message 0x6869 --out signed-{player}.json"
        );
        run_in(&dir, &line).expect(0, &["the shares of signers"]);
    }
    let line = "bls-threshold aggregate --group key-1/group.json signed-1.json signed-3.json \
                --out s.json";
    run_in(&dir, line).expect(0, &[]);
    run_in(&dir, "bls-threshold verify s.json --group key-3/group.json").expect(0, &["accepted"]);
}

#[test]
fn a_sweep_is_drawn_beside_other_systems() {
    let dir = scratch("sweep");
    let sweep = "sweep --case 2/3 3/4 --chunk-bits 8 --table-bits 8 --repeat 1 --out r";
    pvss(&dir, sweep).expect(0, &["compact,8,2,3", "compact,8,3,4"]);
    let svg = fs::read_to_string(dir.join("r/results.svg")).unwrap();
    for words in ["Golden (", "cgVSS (", "other systems", "KiB", "seconds", "decode + verify"] {
        assert!(svg.contains(words), "{words}");
    }
    // A filled marker a row and time, and the two sizes; a hollow one each for every figure.
    assert!(svg.matches("<polygon").count() >= 2 * 4);
    assert!(svg.matches("<polyline").count() >= 3 * (4 * 2 + 1));
    pvss(&dir, sweep).expect(2, &["results.json"]);
    let more = format!("{sweep} --case 4/5 --resume");
    pvss(&dir, &more).expect(0, &["2 rows are finished, 1 are to be run", "compact,8,4,5"]);
    let csv = fs::read_to_string(dir.join("r/results.csv")).unwrap();
    assert_eq!(csv.lines().filter(|line| !line.starts_with('#')).count(), 4, "{csv}");
}

#[test]
fn weights_and_a_demonstration() {
    let dir = scratch("weights");
    fs::write(dir.join("stakes.json"), "[10, 5, 2, 3]").unwrap();
    let made = dkg(&dir, "weights --stakes stakes.json --json").expect(0, &[]).json();
    assert_eq!(made["weights"].as_array().unwrap().len(), 4);
    dkg(&dir, "weights --stakes stakes.json --secrecy 2/3 --reconstruction 1/2")
        .expect(2, &["2/3"]);
    fs::write(dir.join("none.json"), "[0, 0]").unwrap();
    dkg(&dir, "weights --stakes none.json").expect(2, &["nobody has a stake"]);
    fs::write(dir.join("small.json"), "[1, 1]").unwrap();
    dkg(&dir, "demo --stakes small.json --chunk-bits 8").expect(0, &["verified", "true"]);
}

/// --force replaces a player's keys and shares by their like only: all that was dealt to it would be lost.
#[test]
fn a_players_secrets_are_replaced_by_their_like_only() {
    let dir = session("secrets", "--chunk-bits 16");
    deal(&dir);
    pvss(&dir, &format!("aggregate --session session.json {ALL} --out sum.bin")).expect(0, &[]);
    let decrypt = |out: &str| {
        let line = "decrypt --session session.json --keys keys-3 --sum sum.bin --table-bits 12";
        pvss(&dir, &format!("{line} --out {out} --force"))
    };
    decrypt("shares-3.json").expect(0, &[]);
    let keys = fs::read(dir.join("keys-1/secret.json")).unwrap();
    let held = [("keys-1/secret.json", "player's keys"), ("shares-3.json", "player's shares")];
    for (path, kind) in held {
        for line in ["deal --session session.json --keys keys-2", "srs make --insecure --powers 16"]
        {
            pvss(&dir, &format!("{line} --out {path} --force"))
                .expect(2, &[path, "holds a secret", kind]);
        }
    }
    decrypt("keys-1/secret.json").expect(2, &["holds a secret (player's keys)"]);
    assert_eq!(fs::read(dir.join("keys-1/secret.json")).unwrap(), keys);
    decrypt("shares-3.json").expect(0, &[]);
    pvss(&dir, "keygen --out keys-1").expect(2, &["already exists"]);
    pvss(&dir, "keygen --out keys-1 --force").expect(0, &[]);
}

/// The byte that says who made τ, which nothing contradicts.
#[test]
fn what_a_string_says_of_its_powers_is_a_claim() {
    let dir = scratch("claim");
    pvss(&dir, "srs make --insecure --powers 16 --out s.srs").expect(0, &["INSECURE"]);
    pvss(&dir, "srs contribute s.srs --out c.srs").expect(0, &["INSECURE"]);
    let mut bytes = fs::read(dir.join("c.srs")).unwrap();
    bytes[16] = 0;
    fs::write(dir.join("c.srs"), bytes).unwrap();
    pvss(&dir, "srs check c.srs").expect(0, &["claims that its powers are a ceremony's"]);
    let said = pvss(&dir, "srs check c.srs --json").expect(0, &[]).json();
    assert_eq!(said["claims_tau"], true);
}
