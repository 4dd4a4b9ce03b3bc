//! Weights of all widths, and thresholds that are parts of the total weight.

use std::{fs, path::Path};

use serde_json::{json, Value};

use crate::support::{fixture, names, write};

const FILES: &str = "--signatures schnorr/signatures.json";

/// The committee with these weights: those of the two who sign, and those of the others.
fn committee(dir: &Path, signers: [Value; 2], others: [Value; 2]) -> String {
    let mut committee = fixture().json("schnorr/committee.json");
    let signed = fixture().json("schnorr/signatures.json");
    let signed: Vec<_> = signed["signatures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|signature| signature["member"].as_u64().unwrap() as usize)
        .collect();
    let (mut signers, mut others) = (signers.into_iter(), others.into_iter());
    for (i, member) in committee["members"].as_array_mut().unwrap().iter_mut().enumerate() {
        let weights = if signed.contains(&i) { &mut signers } else { &mut others };
        member["weight"] = weights.next().unwrap();
    }
    write(dir, "c.json", &committee)
}

fn root(line: &str) -> Value {
    fixture().run(&format!("root {line} --json")).expect(0, &[]).json()
}

#[test]
fn weights_of_sixty_bits() {
    let dir = fixture().scratch("sixty");
    let most = (1u64 << 60) - 1;
    let file = committee(&dir, [json!(most - 1002), json!(1)], [json!(1), json!(1000)]);
    let numbers = root(&file);
    // A number of so many digits is a string, in what is read and what is written.
    assert_eq!(numbers["weight"], most.to_string());
    let line = format!("check --committee {file} {FILES} --threshold");
    let sum = most - 1001;
    let run = fixture().run(&format!("{line} {sum} --json")).expect(0, &[]).json();
    assert_eq!(run["threshold"], sum.to_string());
    fixture().run(&format!("{line} {}", sum + 1)).expect(1, &[&format!("weigh {sum}")]);
    fixture().run(&format!("{line} {}", most + 1)).expect(1, &["between 1 and 2^60 - 1"]);
    fixture().run(&format!("{line} {}", u128::MAX)).expect(2, &["--threshold", "2^64"]);
    let texts = [json!((most - 1002).to_string()), json!("1")];
    let file = committee(&dir, texts, [json!("1"), json!("1000")]);
    assert_eq!(root(&file), numbers);
}

#[test]
fn weights_that_are_refused() {
    let dir = fixture().scratch("refused");
    for (bad, reason) in [
        (json!(1u64 << 60), "not between 1 and 2^60 - 1"),
        (json!(u64::MAX), "not between 1 and 2^60 - 1"),
        (json!(u128::MAX.to_string()), "not between 1 and 2^60 - 1"),
        (json!(1e30), "a string of its decimal digits"),
        (json!("0"), "not between 1 and 2^60 - 1"),
        (json!(""), "decimal digits"),
        (json!("01"), "decimal digits"),
        (json!("+1"), "decimal digits"),
        (json!("-1"), "decimal digits"),
        (json!("0x10"), "decimal digits"),
        (json!("1.5"), "decimal digits"),
        (json!(format!("{}0", u128::MAX)), "2^128"),
        // The others weigh 3.
        (json!((1u64 << 60) - 3), "add up to 2^60 or more"),
    ] {
        let mut file = fixture().json("schnorr/committee.json");
        file["members"][3]["weight"] = bad;
        let file = write(&dir, "c.json", &file);
        fixture().run(&format!("root {file}")).expect(2, &["c.json", "members[3].weight", reason]);
    }
}

#[test]
fn parts_of_the_total_weight() {
    let dir = fixture().scratch("parts");
    let seven = || [json!(7), json!(7)];
    let file = committee(&dir, seven(), seven());
    let line = format!("check --committee {file} {FILES} --threshold");
    fixture().run(&format!("{line} >=1/2")).expect(0, &["a weight of at least 14"]);
    fixture().run(&format!("{line} >13/28")).expect(0, &["a weight of at least 14"]);
    fixture().run(&format!("{line} >1/2")).expect(1, &["weigh 14, below the threshold 15"]);
    fixture().run(&format!("{line} >2/3")).expect(1, &["weigh 14, below the threshold 19"]);
    for (bad, reason) in [
        (">=0/1", "no signer"),
        (">1/1", "more than all members have"),
        (">3/2", "fraction"),
        ("2/3", "--threshold"),
        ("0x8", "--threshold"),
        ("-8", "-8"),
    ] {
        fixture().run(&format!("{line} {bad}")).expect(2, &[reason]);
    }
    assert_eq!(root(&format!("{file} --threshold >2/3"))["threshold"], 19);
    fixture().run(&format!("root {file} --threshold 9")).expect(0, &["threshold 9 of 28"]);
}

#[test]
fn weights_that_are_shifted() {
    let dir = fixture().scratch("shifted");
    let unit = 1u128 << 70;
    let [a, b, c] = [5 * unit + 1, 2 * unit, unit - 1].map(|weight| json!(weight.to_string()));
    let file = committee(&dir, [a.clone(), b.clone()], [c, b.clone()]);
    fixture().run(&format!("root {file}")).expect(2, &["members[", "].weight", "2^60 - 1"]);
    let line = format!("root {file} --weight-shift 10");
    fixture().run(&line).expect(2, &["2^60 or more after a shift by 10 bits"]);
    fixture().run(&format!("root {file} --weight-shift 128")).expect(2, &["--weight-shift"]);
    fixture().run(&format!("root {file} --out n.json")).expect(2, &["--weight-shift"]);
    let out = dir.join("narrow.json");
    let line = format!("{file} --weight-shift 70 --threshold >2/3 --out {}", out.display());
    let made = root(&line);
    // Of 10·2^70 two thirds are 6.67 units, and more than that by a unit is 7.
    assert_eq!(
        (&made["threshold"], &made["weight"], &made["members"]),
        (&json!(7), &json!(9), &json!(3))
    );
    let left_out = made["left_out"][0].as_u64().unwrap() as usize;
    assert_eq!(made["left_out"], json!([left_out]));
    let narrow: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    let total = 10 * unit;
    assert_eq!(
        narrow["narrowed"],
        json!({ "weight_shift": 70, "total_weight": total.to_string() })
    );
    let left_out = format!("the shift leaves no weight to members {left_out}");
    fixture().run(&format!("root {line} --force")).expect(0, &["threshold 7 of 9", &left_out]);
    // A sum of weights is one of those before the shift.
    let sum = 6 * unit + 1;
    let made_again = root(&format!("{file} --weight-shift 70 --threshold {sum}"));
    assert_eq!(
        (&made_again["threshold"], &made_again["key_set_root"]),
        (&json!(7), &made["key_set_root"])
    );
    // The other commands take what was written; it is not shifted twice.
    let narrow = out.to_str().unwrap();
    assert_eq!(root(narrow)["key_set_root"], made["key_set_root"]);
    assert_eq!(root(&format!("{narrow} --threshold >2/3"))["threshold"], 7);
    fixture().run(&format!("root {narrow} --weight-shift 1")).expect(2, &["narrowed", "already"]);
    assert_eq!(names(&dir), ["c.json", "narrow.json"]);
}

/// A part of the weights is one of those before the shift, of which the shift may have lost more from those
/// who do not sign.
#[test]
fn parts_of_weights_that_are_shifted() {
    let dir = fixture().scratch("shifted-parts");
    let file = committee(&dir, [json!(20), json!(20)], [json!(23), json!(23)]);
    let out = dir.join("narrow.json");
    // A quarter: 5 each, so that the signers have half of what is left.
    let line = format!("root {file} --weight-shift 2 --out {}", out.display());
    fixture().run(&line).expect(0, &[]);
    let check = |file: &str, threshold: &str| {
        fixture().run(&format!("check --committee {file} {FILES} --threshold {threshold}"))
    };
    let narrow = out.to_str().unwrap();
    check(narrow, "10").expect(0, &["accepted"]);
    check(&file, ">=1/2").expect(1, &["weigh 40, below the threshold 43"]);
    check(narrow, ">=1/2").expect(1, &["weigh 10, below the threshold 11"]);
    let mut edited: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    for (field, value, at) in [
        ("weight_shift", json!(128), "narrowed.weight_shift"),
        ("weight_shift", json!("two"), "narrowed.weight_shift"),
        ("total_weight", json!(79), "narrowed.total_weight"),
        ("total_weight", json!(-1), "narrowed.total_weight"),
    ] {
        let before = std::mem::replace(&mut edited["narrowed"][field], value);
        let file = write(&dir, "edited.json", &edited);
        check(&file, "10").expect(2, &["edited.json", at]);
        edited["narrowed"][field] = before;
    }
}
