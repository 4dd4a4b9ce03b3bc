//! What the command line says beside the libraries' errors.

use std::panic::catch_unwind;

use clap::{builder::TypedValueParser, Arg};
use muster_circuits::Rule;
use muster_prover::Error as ProverError;
use muster_schemes::membership::KeySetError;
use serde_json::Value;

use super::{
    advice::with_advice, command::whole, help::flow, progress::Progress, values::rules, Error,
};

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
    let arg = Arg::new("rule").value_parser(rules());
    let command = clap::Command::new("any").arg(arg);
    for rule in Rule::ALL {
        let given = command.clone().try_get_matches_from(["any", rule.name()]);
        assert_eq!(given.expect("a rule").get_one("rule"), Some(&rule));
    }
    let parser = rules();
    let values: Vec<_> = parser.possible_values().expect("all").collect();
    let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    assert_eq!(names, Rule::ALL.map(Rule::name));
}

/// The examples in a text, each on one line, without what is said about them.
fn examples(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    let command = |line: &str| line.split("  (").next().unwrap_or(line).trim().to_owned();
    lines.filter(|line| line.starts_with("muster ")).map(command).collect()
}

/// The words of an example, as a shell makes them; up to where something is redirected.
fn words(example: &str) -> Vec<String> {
    let example = example.split(" > ").next().unwrap_or(example);
    let mut words: Vec<String> = vec![];
    for (place, part) in example.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The same with numbers where examples have none.
fn complete(words: Vec<String>) -> Vec<String> {
    let mut before = String::new();
    let complete = |word: String| {
        let digits = if before == "--client" { 40 } else { 64 };
        before.clone_from(&word);
        if word == "I" {
            // A member's number, where each runs the same.
            "1".into()
        } else if word == "0x…" {
            format!("0x{}", "01".repeat(digits / 2))
        } else {
            word
        }
    };
    words.into_iter().map(complete).collect()
}

/// All commands that help shows, at any depth, each with the words that it is called by.
fn commands(command: &clap::Command, path: &str) -> Vec<(String, String)> {
    let text = command.get_after_help().or(command.get_after_long_help());
    let text = text.map(ToString::to_string).unwrap_or_default();
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    let below = shown.flat_map(|below| commands(below, &format!("{path} {}", below.get_name())));
    [(path.to_owned(), text)].into_iter().chain(below).collect()
}

#[test]
fn every_command_has_an_example_that_it_takes() {
    whole().debug_assert();
    let commands = commands(&whole(), "muster");
    assert!(commands.len() > 70, "{}", commands.len());
    let (whole, mut bad) = (whole(), vec![]);
    for (path, text) in commands {
        let examples = examples(&text);
        let own = |example: &String| example.starts_with(&format!("{path} "));
        if !examples.iter().any(own) {
            bad.push(format!("{path}: no example"));
        }
        for example in examples {
            let parsed = whole.clone().try_get_matches_from(complete(words(&example)));
            let refused = parsed.err().filter(clap::Error::use_stderr);
            bad.extend(refused.map(|refused| format!("{example}: {refused}")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Paragraphs end where the terminal does; examples stay as they are.
#[test]
fn help_is_wrapped_to_the_terminal() {
    let text =
        "Examples:\n  muster a\n  muster b \\\n      c\n\nOne\ntwo\nthree:\n  0  four\nfive\nsix";
    let flowing =
        "Examples:\n  muster a\n  muster b \\\n      c\n\nOne two three:\n  0  four\nfive six";
    assert_eq!(flow(text), flowing);
    for width in [60, 100] {
        let verify = whole().find_subcommand("verify").expect("a command").clone();
        let help = verify.term_width(width).render_help().to_string();
        let prose = |line: &&str| !line.trim_start().starts_with("muster ");
        for line in help.lines().filter(prose) {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

/// The thread that waits to say something ends with the work, however that ends.
#[test]
fn progress_hands_on_what_the_work_gives() {
    let progress = Progress::new();
    assert_eq!(progress.if_slow("nothing", || 7), 7);
    let panicked = catch_unwind(|| progress.if_slow("nothing", || panic!("on purpose")));
    assert!(panicked.is_err());
}
