//! The limbs of gates that stand in a file are those that a search finds.

use std::{collections::BTreeMap, fs, path::Path};

use halo2_base::utils::modulus;
use muster_gates::foreign::{Equation, ForeignLayout};
use muster_schemes::signature::{MessageForm, Rule};
use muster_testing::{exhaustive, sampled};

use super::*;
use crate::{
    bounds::LOOKUP_BITS,
    limbs,
    translation::{CommitmentKind, RELATION_BITS},
    KeyKind, PointHash,
};

const FILE: &str = "src/limbs.txt";
const HEAD: &str = "# Written by a test, see limbs.rs and CONTRIBUTING.md.\n";

/// Every choice that a scheme leaves open, one at a time: two that differ in equations differ in one of these.
fn requests() -> Vec<Request> {
    let forms = [
        MessageForm::Bytes { most: 41 },
        MessageForm::Sha256 { most: 200 },
        MessageForm::CometbftPrecommit,
        MessageForm::Point,
    ];
    let hashes = [PointHash::Basic, PointHash::Search { most: 8 }];
    let hashes = hashes.into_iter().chain(["keccak:own".parse().expect("a hash")]);
    let hashes: Vec<_> = hashes.collect();
    let of = |&scheme: &Scheme| {
        let plain = Request::new(scheme, 4, 2);
        let with = |change: &dyn Fn(&mut Request)| {
            let mut request = plain.clone();
            change(&mut request);
            request
        };
        let rules = Rule::ALL.iter().map(|&rule| with(&|request| request.rule = Some(rule)));
        let forms = forms.iter().map(|form| with(&|request| request.message = Some(*form)));
        let hashes = hashes.iter().map(|hash| with(&|request| request.hash = *hash));
        let addresses = with(&|request| request.keys = KeyKind::Address);
        let all = rules.chain(forms).chain(hashes).chain([addresses, plain.clone()]);
        all.filter(|request| request.terms().is_ok()).collect::<Vec<_>>()
    };
    Scheme::ALL.iter().flat_map(of).collect()
}

/// What a search goes by: bits of a lookup, equations.
type Search = (usize, Vec<Equation>);

/// The searches of a plan: one for each width of lookups.
fn of_request(request: &Request) -> Vec<Search> {
    let equations = request.terms().expect("legal").suite().needs().equations;
    let widths = LOOKUP_BITS.filter(|_| !equations.is_empty());
    widths.map(|bits| (bits, equations.clone())).collect()
}

/// Those of a translation.
fn of_commitment(&commitment: &CommitmentKind) -> Vec<Search> {
    let equations = commitment.equations();
    let widths = RELATION_BITS.into_iter().filter(|_| !equations.is_empty());
    widths.map(|bits| (bits, equations.clone())).collect()
}

/// The line of a search, and the key that it begins with.
fn line((bits, equations): &Search) -> (u64, String) {
    let mut key = None;
    let asked = |asked| {
        key = Some(asked);
        None
    };
    let sought = ForeignLayout::known(&modulus::<Fr>(), *bits, 1, equations, asked);
    assert_eq!(limbs::foreign(*bits, 1, equations), sought, "{bits} bits of {equations:?}");
    let ForeignLayout { limb_bits, group, quotient_bits, carry_bits, carries, .. } = sought;
    let key = key.expect("it was asked");
    (key, format!("{key:016x} {limb_bits} {group} {quotient_bits} {carry_bits} {carries}\n"))
}

#[test]
fn limbs_in_the_file_are_those_of_the_search() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let requests = sampled(requests(), 12);
    let translations = CommitmentKind::ALL.iter().flat_map(of_commitment);
    let searches = requests.iter().flat_map(of_request).chain(translations);
    let all: BTreeMap<_, _> = searches.map(|search| line(&search)).collect();
    let found = HEAD.to_owned() + &all.into_values().collect::<String>();
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some() {
        assert!(exhaustive(), "a file takes all searches: MUSTER_EXHAUSTIVE=1");
        fs::write(&path, &found).expect("the file can be written");
    }
    let known = fs::read_to_string(&path).expect("the file is there");
    let is_known = |line: &str| known.lines().any(|known| known == line);
    let unknown: Vec<_> = found.lines().filter(|line| !is_known(line)).collect();
    assert!(unknown.is_empty(), "the searches found others: {unknown:?}");
    assert!(!exhaustive() || known == found, "no answer is left that nobody asks for");
}
