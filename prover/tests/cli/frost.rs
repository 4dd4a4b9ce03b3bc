//! Ceremonies of FROST by passing files: what comes of them, and what is refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_gadgets::curve::edwards::{torsion_point, AffinePoint};
use serde_json::{json, Value};

use crate::support::{edit_hex, names, run_in, write, Run};

const MESSAGE: &str = "0x000000000000000000000000000000000000000000000000000000000000002a";

/// A directory with a group's files, and the commands that are run in it.
struct Ceremony {
    dir: PathBuf,
    message: &'static str,
}

impl Ceremony {
    fn new(name: &str, suite: &str) -> Self {
        let ceremony = Self::empty(name);
        ceremony
            .run(&format!("keygen --suite {suite} --threshold 2 --signers 3 --out ."))
            .expect(0, &["any 2 of 3", "group.json"]);
        ceremony
    }

    fn empty(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("muster-frost").join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self { dir, message: MESSAGE }
    }

    fn run(&self, line: &str) -> Run {
        run_in(&self.dir, &format!("frost {line}"))
    }

    fn commit(&self, member: u16) {
        self.run(&format!("commit --share share-{member}.json --out .")).expect(0, &[]);
    }

    fn sign(&self, member: u16, options: &str) -> Run {
        self.run(&format!(
            "sign --share share-{member}.json --nonces nonces-{member}.json --commitments \
             commitment-1.json commitment-3.json --message {} --out signed-{member}.json {options}",
            self.message
        ))
    }

    fn aggregate(&self, options: &str) -> Run {
        self.run(&format!(
            "aggregate --group group.json --commitments commitment-1.json commitment-3.json \
             --shares signed-1.json signed-3.json --message {} {options}",
            self.message
        ))
    }

    /// Members 1 and 3 run both rounds.
    fn sign_all(&self) {
        for member in [1, 3] {
            self.commit(member);
        }
        for member in [1, 3] {
            self.sign(member, "").expect(0, &["used up"]);
        }
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.dir.join(name)).unwrap()).unwrap()
    }

    /// Writes a changed copy of a file in its place.
    fn edit(&self, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut value = self.json(name);
        edit(&mut value);
        write(&self.dir, name, &value);
    }
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_group_signs_as_a_member_of_a_committee() {
    let ceremony = Ceremony::new("frost-member", "babyjubjub");
    ceremony.sign_all();
    let run = ceremony.aggregate("--json").expect(0, &[]).json();
    assert_eq!(run["accepted"], true);
    let again = ceremony.aggregate("--out signature.json").expect(0, &["2 members signed"]);
    assert!(!again.stdout.contains("share"));
    assert_eq!(ceremony.json("signature.json")["signature"], run["signature"]);
    ceremony.aggregate("--out signature.json").expect(2, &["exists already"]);
    ceremony.aggregate("--out signature.json --force").expect(0, &[]);

    // Its key is a committee's member, and its signature the member's.
    let sample = "sample --scheme schnorr-babyjubjub --signers 3 --signing 1 --out sample";
    run_in(&ceremony.dir, &format!("{sample} --message {MESSAGE}")).expect(0, &[]);
    ceremony.edit("sample/committee.json", |committee| {
        committee["members"][1]["public_key"] = run["public_key"].clone();
    });
    ceremony.edit("sample/signatures.json", |signatures| {
        let signature = json!({ "member": 1, "signature": run["signature"] });
        signatures["signatures"] = json!([signature]);
    });
    let check = "check --committee sample/committee.json --signatures sample/signatures.json \
                 --threshold 1";
    run_in(&ceremony.dir, check).expect(0, &["every constraint holds"]);
    ceremony.edit("sample/signatures.json", |signatures| {
        edit_hex(&mut signatures["signatures"][0]["signature"], |bytes| bytes[40] ^= 1);
    });
    run_in(&ceremony.dir, check).expect(1, &["equation"]);
}

#[test]
fn every_suite_signs() {
    for suite in ["ed25519", "ristretto255", "ed448", "p256", "secp256k1", "secp256k1-tr"] {
        let mut ceremony = Ceremony::new(&format!("frost-{suite}"), suite);
        ceremony.message = "0x68656c6c6f";
        ceremony.sign_all();
        ceremony.aggregate("").expect(0, &["accepted"]);
        ceremony
            .edit("signed-3.json", |share| edit_hex(&mut share["signature_share"], |b| b[9] ^= 1));
        ceremony.aggregate("").expect(1, &["rejected: bad signature shares from participant 3"]);
    }
}

#[test]
fn nonces_are_used_once() {
    let mut ceremony = Ceremony::new("frost-nonces", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    // What is refused leaves the nonces as they are.
    let before = fs::read(ceremony.dir.join("nonces-1.json")).unwrap();
    let usage = "sign --share share-1.json --nonces nonces-1.json --message 0x2a --out x.json \
                 --commitments commitment-1.json commitment-3.json";
    ceremony.run(usage).expect(2, &["--message", "expected 32 bytes, found 1"]);
    let few = format!(
        "sign --share share-1.json --nonces nonces-1.json --message {MESSAGE} --out x.json \
         --commitments commitment-1.json"
    );
    ceremony.run(&few).expect(2, &["number of commitments"]);
    let others = few.replace("commitment-1.json", "commitment-3.json");
    ceremony.run(&others).expect(2, &[]);
    let crossed = few.replace("nonces-1", "nonces-3");
    ceremony.run(&crossed).expect(2, &["nonces-3.json: member", "member 3's nonces"]);
    assert_eq!(fs::read(ceremony.dir.join("nonces-1.json")).unwrap(), before);

    ceremony.sign(1, "").expect(0, &[]);
    let used = ceremony.json("nonces-1.json");
    assert_eq!(used, json!({ "suite": "babyjubjub", "member": 1, "used": true }));
    ceremony.sign(1, "--force").expect(2, &["nonces-1.json: used already"]);
    ceremony.message = "0x000000000000000000000000000000000000000000000000000000000000002b";
    ceremony.sign(1, "--force").expect(2, &["nonces-1.json: used already"]);
    // New ones go into the place of the old ones only if they are asked to.
    ceremony.run("commit --share share-1.json --out .").expect(2, &["exists already"]);
    ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
    ceremony.sign(1, "--force").expect(0, &[]);
    assert!(names(&ceremony.dir).iter().all(|name| !name.starts_with('.')));
}

/// Nonces under a second name would be there for a second signature.
#[cfg(unix)]
#[test]
fn nonces_have_one_name() {
    use std::io::Read;
    let ceremony = Ceremony::new("frost-links", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    let nonces = ceremony.dir.join("nonces-1.json");
    let vault = ceremony.dir.join("vault.json");
    fs::hard_link(&nonces, &vault).unwrap();
    ceremony.sign(1, "").expect(2, &["nonces-1.json: a link"]);
    fs::remove_file(&nonces).unwrap();
    std::os::unix::fs::symlink("vault.json", &nonces).unwrap();
    ceremony.sign(1, "").expect(2, &["nonces-1.json: a link"]);
    assert!(nonces.symlink_metadata().unwrap().is_symlink());
    assert!(names(&ceremony.dir).iter().all(|name| !name.starts_with('.')));
    fs::rename(&vault, &nonces).unwrap();
    // Whoever has the file open finds it overwritten, not another one in its place.
    let mut open = fs::File::open(&nonces).unwrap();
    ceremony.sign(1, "").expect(0, &["used up"]);
    let mut text = String::new();
    open.read_to_string(&mut text).unwrap();
    assert!(text.contains("used") && !text.contains("nonce"), "{text}");
    assert_eq!(mode(&nonces), 0o600);
}

#[cfg(unix)]
#[test]
fn secrets_are_their_owners_alone() {
    let ceremony = Ceremony::new("frost-modes", "ed25519");
    ceremony.commit(1);
    ceremony.commit(3);
    for (name, secret) in [
        ("group.json", false),
        ("share-1.json", true),
        ("nonces-1.json", true),
        ("commitment-1.json", false),
    ] {
        assert_eq!(mode(&ceremony.dir.join(name)) == 0o600, secret, "{name}");
    }
    let shown = ceremony.run("commit --share share-2.json --out . --json").expect(0, &[]);
    let secret = ceremony.json("nonces-2.json")["hiding_nonce"].as_str().unwrap().to_owned();
    assert!(!shown.stdout.contains(&secret) && !shown.stderr.contains(&secret));
}

#[test]
fn cheaters_and_strangers_are_named() {
    let ceremony = Ceremony::new("frost-cheaters", "babyjubjub");
    ceremony.sign_all();
    let good = [ceremony.json("signed-1.json"), ceremony.json("signed-3.json")];
    let one = |share: &mut Value| edit_hex(&mut share["signature_share"], |bytes| bytes[0] ^= 1);
    ceremony.edit("signed-1.json", one);
    ceremony.aggregate("").expect(1, &["bad signature shares from participant 1"]);
    ceremony.edit("signed-3.json", one);
    ceremony.aggregate("").expect(1, &["bad signature shares from participants 1, 3"]);
    write(&ceremony.dir, "signed-1.json", &good[0]);
    write(&ceremony.dir, "signed-3.json", &good[1]);

    ceremony.edit("signed-3.json", |share| share["member"] = json!(1));
    ceremony.aggregate("").expect(2, &["participant 1 occurs twice"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(2));
    ceremony.aggregate("").expect(2, &["no signature share from participant 3"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(9));
    ceremony.aggregate("").expect(2, &["not in the group: participant 9"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(0));
    ceremony.aggregate("").expect(2, &["signed-3.json: member", "from 1 on"]);
    write(&ceremony.dir, "signed-3.json", &good[1]);

    // Another message, another group.
    let other = Ceremony {
        message: "0x000000000000000000000000000000000000000000000000000000000000002b",
        dir: ceremony.dir.clone(),
    };
    other.aggregate("").expect(1, &["rejected"]);
    let stranger = Ceremony::new("frost-stranger", "babyjubjub");
    write(&ceremony.dir, "group.json", &stranger.json("group.json"));
    ceremony.aggregate("").expect(1, &["rejected"]);
}

#[test]
fn files_that_are_wrong_name_the_field() {
    let ceremony = Ceremony::new("frost-files", "babyjubjub");
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &[]);
    let bad = |name: &str, edit: &dyn Fn(&mut Value), parts: &[&str]| {
        let good = ceremony.json(name);
        ceremony.edit(name, edit);
        ceremony.aggregate("").expect(2, &[&[name], parts].concat());
        write(&ceremony.dir, name, &good);
    };
    let hex = |bytes: [u8; 32]| json!(format!("0x{}", hex::encode(bytes)));
    let identity = hex(AffinePoint::identity().to_bytes());
    let torsion = hex(torsion_point().to_bytes());
    for (point, rule) in [
        (identity, "identity"),
        (torsion, "prime order"),
        (hex([0xff; 32]), "malformed"),
        (json!("0x00"), "malformed"),
        (json!("00"), "0x"),
        (json!(7), "expected"),
    ] {
        bad("commitment-1.json", &|c| c["hiding"] = point.clone(), &["hiding", rule]);
        bad("commitment-3.json", &|c| c["binding"] = point.clone(), &["binding", rule]);
        bad("group.json", &|g| g["public_key"] = point.clone(), &["public_key", rule]);
        bad(
            "group.json",
            &|g| g["members"][1]["public_share"] = point.clone(),
            &["members[1].public_share", rule],
        );
    }
    bad("group.json", &|g| g["members"][1]["member"] = json!(0), &["members[1].member"]);
    bad("group.json", &|g| g["members"][1]["member"] = json!(1), &["participant 1 occurs twice"]);
    bad("group.json", &|g| g["threshold"] = json!(4), &["threshold", "4 of 3"]);
    bad("group.json", &|g| g["threshold"] = json!(1), &["threshold"]);
    bad("group.json", &|g| g["suite"] = json!("ed25518"), &["suite"]);
    bad("group.json", &|g| g["extra"] = json!(1), &["extra"]);
    bad("commitment-1.json", &|c| c["suite"] = json!("ed25519"), &["suite", "not babyjubjub"]);
    bad("signed-1.json", &|s| s["signature_share"] = hex([0xff; 32]), &["signature_share"]);
    bad("signed-1.json", &|s| drop(s.as_object_mut().unwrap().remove("member")), &["member"]);
    bad("signed-1.json", &|s| *s = json!([]), &[]);
    ceremony.run("commit --share nowhere.json --out .").expect(2, &["nowhere.json"]);
    ceremony.run("commit --share group.json --out .").expect(2, &["group.json", "members"]);
    for line in [
        "keygen --suite babyjubjub --threshold 1 --signers 3 --out x",
        "keygen --suite babyjubjub --threshold 4 --signers 3 --out x",
        "keygen --suite nothing --threshold 2 --signers 3 --out x",
        "keygen --suite babyjubjub --threshold 2 --signers 3 --out .",
    ] {
        ceremony.run(line).expect(2, &[]);
    }
}

#[test]
fn members_make_a_key_without_a_dealer() {
    let ceremony = Ceremony::empty("frost-dkg");
    let start = |member: u16| {
        let line = "dkg commit --suite babyjubjub --threshold 2 --signers 3 --out .";
        ceremony.run(&format!("{line} --member {member}"))
    };
    start(0).expect(2, &["from 1 on"]);
    start(4).expect(2, &["--member"]);
    (1..=3).for_each(|member| drop(start(member).expect(0, &[])));
    let all = "--commitments dkg-commitment-1.json dkg-commitment-2.json dkg-commitment-3.json";
    let share = |member: u16, all: &str| {
        ceremony.run(&format!("dkg share --secret dkg-secret-{member}.json {all} --out ."))
    };
    share(1, "--commitments dkg-commitment-2.json").expect(2, &["number of packages"]);
    // A commitment that its sender cannot prove to know.
    ceremony.edit("dkg-commitment-3.json", |parcel| parcel["from"] = json!(2));
    share(1, "--commitments dkg-commitment-1.json dkg-commitment-3.json").expect(2, &[]);
    ceremony.edit("dkg-commitment-3.json", |parcel| parcel["from"] = json!(3));
    let rogue = ceremony.json("dkg-commitment-3.json");
    let own = ceremony.json("dkg-commitment-1.json");
    ceremony.edit("dkg-commitment-3.json", |parcel| {
        parcel["content"] = ceremony.json("dkg-commitment-2.json")["content"].clone();
    });
    share(1, all).expect(1, &["rejected", "participant 3"]);
    // Somebody has replaced the member's own.
    write(&ceremony.dir, "dkg-commitment-3.json", &rogue);
    ceremony.edit("dkg-commitment-1.json", |parcel| {
        parcel["content"] = ceremony.json("dkg-commitment-2.json")["content"].clone();
    });
    share(1, all).expect(2, &["dkg-commitment-1.json: content", "committed to"]);
    ceremony.edit("dkg-commitment-1.json", |parcel| *parcel = own.clone());
    (1..=3).for_each(|member| drop(share(member, all).expect(0, &["removed"])));
    assert!(!ceremony.dir.join("dkg-secret-1.json").exists());
    let finish = |member: u16, others: [u16; 2]| {
        let [a, b] = others.map(|other| format!("dkg-share-{other}-to-{member}.json"));
        let line = format!("dkg finish --state dkg-state-{member}.json {all} --shares {a} {b}");
        ceremony.run(&format!("{line} --out member-{member} --json"))
    };
    // A share that does not fit its sender's commitment.
    let good = ceremony.json("dkg-share-3-to-1.json");
    ceremony.edit("dkg-share-3-to-1.json", |parcel| {
        parcel["content"] = ceremony.json("dkg-share-3-to-2.json")["content"].clone();
    });
    finish(1, [2, 3]).expect(1, &["rejected", "participant 3"]);
    write(&ceremony.dir, "dkg-share-3-to-1.json", &good);
    // A commitment replaced after the second step.
    ceremony.edit("dkg-commitment-3.json", |parcel| {
        parcel["content"] = ceremony.json("dkg-commitment-2.json")["content"].clone();
    });
    finish(1, [2, 3]).expect(1, &["rejected", "participant 3"]);
    write(&ceremony.dir, "dkg-commitment-3.json", &rogue);
    let keys = [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])]
        .map(|(member, others)| finish(member, others).expect(0, &[]).json()["public_key"].clone());
    assert!(keys[0] == keys[1] && keys[1] == keys[2]);
    assert!(!ceremony.dir.join("dkg-state-1.json").exists());
    for member in [1, 3] {
        let (from, to) = (format!("member-{member}/share-{member}.json"), "share");
        fs::copy(ceremony.dir.join(from), ceremony.dir.join(format!("{to}-{member}.json")))
            .unwrap();
    }
    fs::copy(ceremony.dir.join("member-2/group.json"), ceremony.dir.join("group.json")).unwrap();
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &["accepted", keys[0].as_str().unwrap()]);
}

#[test]
fn shares_are_renewed_and_repaired() {
    let ceremony = Ceremony::new("frost-renewal", "babyjubjub");
    let old = ceremony.json("share-3.json");
    ceremony.run("refresh deal --group group.json --out new").expect(0, &["3 members"]);
    ceremony.run("refresh deal --group group.json --members 1 9 --out x").expect(2, &["9"]);
    let accept = |member: u16, dealt: u16, group: &str| {
        ceremony.run(&format!(
            "refresh accept --share share-{member}.json --dealt new/refresh-{dealt}.json --group \
             {group} --out share-{member}.json --force"
        ))
    };
    accept(1, 2, "new/group.json").expect(2, &["to", "another member"]);
    accept(1, 1, "group.json").expect(2, &["does not make the share"]);
    for member in [1, 3] {
        accept(member, member, "new/group.json").expect(0, &["new share"]);
        assert!(!ceremony.dir.join(format!("new/refresh-{member}.json")).exists());
    }
    let key = ceremony.json("group.json")["public_key"].clone();
    fs::rename(ceremony.dir.join("new/group.json"), ceremony.dir.join("group.json")).unwrap();
    assert_eq!(ceremony.json("group.json")["public_key"], key);
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &["accepted"]);

    // Member 2 has lost its share: 1 and 3 make it again.
    accept(2, 2, "group.json").expect(0, &[]);
    let lost = ceremony.json("share-2.json");
    for helper in [1, 3] {
        ceremony
            .run(&format!(
                "repair split --share share-{helper}.json --helpers 1 3 --lost 2 --out ."
            ))
            .expect(0, &[]);
    }
    for helper in [1, 3] {
        let parts = format!("repair-1-to-{helper}.json repair-3-to-{helper}.json");
        ceremony
            .run(&format!("repair add --parts {parts} --out repair-sum-{helper}.json"))
            .expect(0, &["2 parts"]);
    }
    ceremony
        .run("repair add --parts repair-1-to-1.json repair-3-to-3.json --out x.json")
        .expect(2, &["another helper"]);
    let finish = "repair finish --group group.json --lost 2 --sums repair-sum-1.json";
    ceremony.run(&format!("{finish} --out x.json")).expect(2, &["do not make"]);
    let both = format!("{finish} repair-sum-3.json");
    ceremony.run(&format!("{both} --out again.json")).expect(0, &["share again"]);
    assert_eq!(ceremony.json("again.json"), lost);

    // An old share beside a new one.
    write(&ceremony.dir, "share-3.json", &old);
    ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
    ceremony.run("commit --share share-3.json --out . --force").expect(0, &[]);
    for member in [1, 3] {
        ceremony.sign(member, "--force").expect(0, &[]);
    }
    ceremony.aggregate("").expect(1, &["bad signature shares from participant 3"]);
}

#[test]
fn a_sweep_writes_its_results() {
    let ceremony = Ceremony::empty("frost-sweep");
    let line = "sweep --suite babyjubjub ed25519 --case 2/3 --repeat 3 --out .";
    ceremony.run(line).expect(0, &["| babyjubjub | 2/3 |", "| ed25519 | 2/3 |"]);
    let csv = fs::read_to_string(ceremony.dir.join("frost.csv")).unwrap();
    let rows: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.split(',').count() == 12));
    let rows = &ceremony.json("frost.json")["rows"];
    assert_eq!(rows[0]["suite"], "babyjubjub");
    assert!(rows[1]["aggregate_ms"].as_f64().unwrap() > 0.0);
    ceremony.run(line).expect(2, &["exists already"]);
    ceremony.run("sweep --case 1/3 --out x").expect(2, &["1 of 3"]);
    ceremony.run("sweep --case 3 --out x").expect(2, &["threshold/members"]);
}
