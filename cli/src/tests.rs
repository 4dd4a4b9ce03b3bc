//! What the command line says beside the libraries' errors.

use clap::ValueEnum;
use muster_circuits::Rule;
use muster_prover::Error as ProverError;
use muster_schemes::membership::KeySetError;
use serde_json::Value;

use super::{advice::with_advice, options::RuleArg, Error};

#[test]
fn an_error_that_an_option_helps_with_names_it() {
    let fault = KeySetError::DuplicateKey { first: 0, second: 1 };
    let same_key = |adds_up| {
        let (path, at) = ("committee.json".into(), "at".into());
        Error::Prover(ProverError::SameKey { path, at, fault, adds_up })
    };
    let unusable = ProverError::UnusableKey {
        path: "committee.json".into(),
        at: "at".into(),
        reason: "small order".into(),
    };
    let failed = vec![("one".into(), same_key(true))];
    for (error, option) in [
        (ProverError::Exists("keys".into()).into(), "--force"),
        (same_key(true), "--seats"),
        (same_key(true), "--merge-same-keys"),
        (same_key(false), "--merge-same-keys"),
        (unusable.into(), "--leave-out-unusable"),
        (Error::Batch { count: 1, failed, made: Value::Null }, "--seats"),
        (Error::InsecureSrs(11), "--insecure-srs"),
    ] {
        let bare = error.to_string();
        assert!(!bare.contains("--"), "a library knows no options: {bare}");
        let advised = with_advice(&error);
        assert!(advised.starts_with(&bare) && advised.contains(option), "{advised}");
    }
    assert!(!with_advice(&same_key(false)).contains("--seats"));
    assert_eq!(with_advice(&Error::usage("no".into())), "no");
}

#[test]
fn every_rule_can_be_asked_for_by_its_name() {
    let named = |rule: &RuleArg| {
        let name = rule.to_possible_value().expect("none is hidden");
        assert_eq!(name.get_name(), Rule::from(*rule).name());
        Rule::from(*rule)
    };
    let rules: Vec<_> = RuleArg::value_variants().iter().map(named).collect();
    assert_eq!(rules, Rule::ALL);
}
