//! Keys: made, renewed, repaired.

use std::fs;

use serde_json::json;

use super::Ceremony;
use crate::support::write;

#[test]
fn members_check_what_a_dealer_gave_them() {
    let ceremony = Ceremony::new("frost-check", "p256");
    ceremony.run("check --group group.json").expect(0, &["any 2 of 3"]);
    let check = "check --group group.json --share share-2.json";
    ceremony.run(check).expect(0, &["member 2's share"]);
    ceremony.edit("share-2.json", |share| share["member"] = json!(1));
    ceremony.run(check).expect(1, &["rejected", "participant 1"]);
    ceremony.edit("share-2.json", |share| share["member"] = json!(5));
    ceremony.run(check).expect(2, &["not in the group: participant 5"]);
    ceremony.edit("group.json", |group| group["threshold"] = json!(3));
    ceremony.run(check).expect(2, &["participant 5"]);
    ceremony.edit("share-2.json", |share| share["member"] = json!(2));
    ceremony.run(check).expect(2, &["another group"]);
}

#[test]
fn members_make_a_key_without_a_dealer() {
    let ceremony = Ceremony::empty("frost-dkg");
    let start = |member: u16| {
        let line = "dkg commit --suite babyjubjub --threshold 2 --signers 3 --out .";
        ceremony.run(&format!("{line} --member {member}"))
    };
    start(0).expect(2, &["numbered from 1"]);
    start(4).expect(2, &["--member"]);
    (1..=3).for_each(|member| drop(start(member).expect(0, &[])));
    let all = "--commitments dkg-commitment-1.json dkg-commitment-2.json dkg-commitment-3.json";
    let share = |member: u16, all: &str| {
        ceremony.run(&format!("dkg share --secret dkg-secret-{member}.json {all} --out ."))
    };
    share(1, "--commitments dkg-commitment-2.json").expect(
        1,
        &["commitments of 2 other participants are needed, found those of participant 2"],
    );
    // A commitment that its sender cannot prove to know.
    ceremony.edit("dkg-commitment-3.json", |parcel| parcel["from"] = json!(2));
    share(1, "--commitments dkg-commitment-1.json dkg-commitment-3.json").expect(1, &[]);
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
             {group} --out new/share-{member}.json"
        ))
    };
    let take = |member: u16| {
        let [new, old] = ["new/", ""].map(|dir| format!("{dir}share-{member}.json"));
        fs::rename(ceremony.dir.join(new), ceremony.dir.join(old)).unwrap();
    };
    accept(1, 2, "new/group.json").expect(2, &["to", "another member"]);
    accept(1, 1, "group.json").expect(1, &["rejected", "participant 1", "public share"]);
    for member in [1, 3] {
        accept(member, member, "new/group.json").expect(0, &["new share"]);
        take(member);
        assert!(!ceremony.dir.join(format!("new/refresh-{member}.json")).exists());
    }
    let key = ceremony.json("group.json")["public_key"].clone();
    fs::rename(ceremony.dir.join("new/group.json"), ceremony.dir.join("group.json")).unwrap();
    assert_eq!(ceremony.json("group.json")["public_key"], key);
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &["accepted"]);

    // Member 2 has lost its share: 1 and 3 make it again.
    accept(2, 2, "group.json").expect(0, &[]);
    take(2);
    let lost = ceremony.json("share-2.json");
    for helper in [1, 3] {
        ceremony
            .run(&format!(
                "repair split --share share-{helper}.json --group group.json --helpers 1 3 --lost 2 \
                 --out ."
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
        .run("repair split --share share-1.json --group group.json --helpers 1 3 --lost 7 --out x")
        .expect(2, &["not in the group: participant 7"]);
    ceremony
        .run("repair add --parts repair-1-to-1.json repair-3-to-3.json --out x.json")
        .expect(2, &["another helper"]);
    let finish = "repair finish --group group.json --lost 2 --sums repair-sum-1.json";
    ceremony.run(&format!("{finish} --out x.json")).expect(1, &["no share from participant 3"]);
    let both = format!("{finish} repair-sum-3.json");
    ceremony.run(&format!("{both} --out again.json")).expect(0, &["share, made again"]);
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
fn shares_are_renewed_without_a_dealer() {
    let ceremony = Ceremony::new("frost-renewal-dkg", "secp256k1-tr");
    for member in 1..=3 {
        let line = "refresh commit --signers 3 --out .";
        ceremony.run(&format!("{line} --share share-{member}.json")).expect(0, &[]);
    }
    let all = "--commitments refresh-commitment-1.json refresh-commitment-2.json \
               refresh-commitment-3.json";
    let share = |member: u16| {
        ceremony.run(&format!(
            "refresh share --share share-{member}.json --secret refresh-secret-{member}.json {all} \
             --out ."
        ))
    };
    // A commitment that its sender has replaced: its share will not fit.
    let good = ceremony.json("refresh-commitment-3.json");
    ceremony.edit("refresh-commitment-3.json", |parcel| {
        parcel["content"] = ceremony.json("refresh-commitment-2.json")["content"].clone();
    });
    share(1).expect(0, &["removed"]);
    share(2).expect(0, &[]);
    write(&ceremony.dir, "refresh-commitment-3.json", &good);
    share(3).expect(0, &[]);
    let finish = |member: u16, others: [u16; 2]| {
        let [a, b] = others.map(|other| format!("refresh-share-{other}-to-{member}.json"));
        ceremony.run(&format!(
            "refresh finish --share share-{member}.json --group group.json --state \
             refresh-state-{member}.json {all} --shares {a} {b} --out new-{member}"
        ))
    };
    let wrong = ceremony.json("refresh-share-2-to-1.json");
    ceremony.edit("refresh-share-2-to-1.json", |parcel| {
        parcel["content"] = ceremony.json("refresh-share-2-to-3.json")["content"].clone();
    });
    finish(1, [2, 3]).expect(1, &["rejected", "participant 2"]);
    write(&ceremony.dir, "refresh-share-2-to-1.json", &wrong);
    finish(1, [2, 3]).expect(0, &["share-1.json", "group.json"]);
    finish(2, [1, 3]).expect(0, &[]);
    finish(3, [1, 2]).expect(0, &[]);
    let groups = [1, 2, 3].map(|member| ceremony.json(&format!("new-{member}/group.json")));
    assert!(groups[0] == groups[1] && groups[1] == groups[2]);
    assert_ne!(groups[0]["members"], ceremony.json("group.json")["members"]);
    for member in [1, 3] {
        let name = format!("share-{member}.json");
        fs::copy(ceremony.dir.join(format!("new-{member}/{name}")), ceremony.dir.join(&name))
            .unwrap();
    }
    write(&ceremony.dir, "group.json", &groups[0]);
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &["accepted"]);
}
