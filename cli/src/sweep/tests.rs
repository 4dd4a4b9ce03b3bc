//! What the arguments ask for.

use clap::Parser;
use muster_circuits::{KeyKind, MessageForm};
use muster_prover::{
    estimate::{Committees, Size},
    Memory, ProofKind,
};
use muster_sweep::{
    proofs::{Ask, Degree},
    Existing,
};

use super::SweepArgs;
use crate::memory::{MemoryArg, MemoryArgs};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    sweep: SweepArgs,
}

fn args(line: &str) -> Result<SweepArgs, String> {
    let words = std::iter::once("sweep").chain(line.split_whitespace());
    Cli::try_parse_from(words).map(|cli| cli.sweep).map_err(|error| error.to_string())
}

fn asks(line: &str) -> Result<Vec<Ask>, String> {
    let sweep = args(line).expect("good arguments").asked();
    let asks = sweep.map(|sweep| sweep.rows.into_iter().map(|(ask, _)| ask).collect());
    asks.map_err(|error| error.to_string())
}

#[test]
fn arguments() {
    let line = "--scheme schnorr-babyjubjub musig-babyjubjub --degree 14..16 --degree auto \
                --case 8/16 --case 16/32 --case 8/16 --out x";
    let sweep = args(line).expect("good arguments");
    let found = asks(line).expect("good choices");
    assert_eq!(found.len(), 2 * 2 * 4);
    let first = &found[0];
    assert_eq!((first.scheme.as_str(), first.degree), ("schnorr-babyjubjub", Degree::Fixed(14)));
    assert_eq!((first.case.to_string().as_str(), first.mode.as_str()), ("8/16", "auto"));
    assert_eq!((first.kind.as_str(), first.memory.as_str()), ("fast", "auto"));
    assert_eq!((first.keys, first.mask, first.arity), (KeyKind::Coordinates, false, 5));
    assert!(first.rule.is_none() && first.message_form.is_none() && first.hash.is_none());
    assert_eq!(found[3].degree, Degree::Auto);
    assert_eq!(sweep.store.existing(), Existing::Refuse);
    assert_eq!(sweep.repeat, 3);

    let least = "--scheme eddsa-babyjubjub --case 8/16 --out x";
    assert_eq!(asks(least).expect("good").len(), 1);
    let masks = |line: &str| asks(line).expect("good")[0].mask;
    assert_eq!((masks(least), masks(&format!("{least} --mask"))), (false, true));
    let foreign = "--scheme ecdsa-secp256k1 --case 8/16 --keys address --rule any-s --out x";
    let found = asks(foreign).expect("good choices");
    assert_eq!((found[0].keys, found[0].rule.as_deref()), (KeyKind::Address, Some("any-s")));
    let bytes = "--scheme ed25519 --case 8/16 --out x";
    let form = |line: &str| asks(line).map(|asks| asks[0].message_form);
    assert_eq!(form(bytes).expect("its own"), Some(MessageForm::Sha256 { most: 47 }));
    let votes = format!("{bytes} --message-form cometbft-precommit --rule strict");
    assert_eq!(form(&votes).expect("it has"), Some(MessageForm::CometbftPrecommit));
    assert!(form(&format!("{bytes} --message-form public")).is_err());
    for bad in ["--keys address", "--rule low-s", "--message-form sha256:41"] {
        let line = format!("{least} {bad}");
        assert!(asks(&line).is_err(), "{bad}");
    }
    assert_eq!(
        args(&format!("{least} --max-memory 1GiB")).expect("good").memory.allowance().limit(),
        Some(1 << 30)
    );
    for bad in [
        "--repeat 2",
        "--resume --force",
        "--mode set",
        "--degree 3",
        "--case 9/8",
        "--max-memory lots",
        "--memory little",
        "--kind md5",
        "--srs-g2 file",
        "--scheme ecdsa",
    ] {
        assert!(args(&format!("{least} {bad}")).is_err(), "{bad}");
    }
}

/// What is kept, and how many proofs are made at once, as far as the memory goes.
#[test]
fn memory_is_planned() {
    let size = Size {
        degree: 14,
        advice: 10,
        fixed: 10,
        lookups: 3,
        permutation: 12,
        kind: ProofKind::Fast,
        committed: 18,
        operations: 600,
        stride: 1,
        srs_degree: 14,
    };
    let [low, fast] = [Memory::Low, Memory::Fast].map(|memory| size.proving_bytes(memory, 1));
    let two = size.proving_bytes(Memory::Fast, 2);
    let beside = |committees, memory, max_memory, proofs, threads| {
        let plan = MemoryArgs { memory, max_memory }.plan((&size, committees), proofs, threads);
        plan.map(|plan| (plan.memory, plan.at_once, plan.bytes))
    };
    let plan = |memory, max_memory, proofs, threads| {
        beside(Committees::default(), memory, max_memory, proofs, threads)
    };
    let auto = |most, proofs, threads| plan(MemoryArg::Auto, Some(most), proofs, threads).ok();
    // One proof gains nothing.
    assert_eq!(auto(1 << 40, 1, 4), Some((Memory::Low, 1, low)));
    assert_eq!(auto(fast, 2, 4), Some((Memory::Fast, 1, fast)));
    assert_eq!(auto(fast - 1, 2, 1), Some((Memory::Low, 1, low)));
    assert_eq!(auto(two - 1, 9, 4), Some((Memory::Fast, 1, fast)));
    assert_eq!(auto(two, 9, 4), Some((Memory::Fast, 2, two)));
    assert_eq!(auto(1 << 40, 9, 4).map(|plan| plan.1), Some(4));
    assert_eq!(auto(1 << 40, 3, 4).map(|plan| plan.1), Some(3));
    assert_eq!(auto(low - 1, 9, 4), None);
    let refused = plan(MemoryArg::Fast, Some(fast - 1), 9, 4).expect_err("it does not fit");
    assert!(refused.to_string().contains("--memory fast"), "{refused}");
    assert!(plan(MemoryArg::Low, Some(low), 9, 4).is_ok());

    // Committees count: one that all share once, others as many times as there are proofs at once.
    let shared = Committees::shared(1 << 20, 10_000);
    let [one, both] = [1, 2].map(|at_once| shared.bytes(at_once));
    assert!(one == both && one > (1 << 20) + 32 * 10_000);
    let own = Committees::own(1 << 20);
    assert!(own.bytes(2) == 2 * own.bytes(1) && own.bytes(1) > 1 << 20);
    let two_of = |committees: Committees, most| {
        beside(committees, MemoryArg::Fast, Some(most), 9, 2).map(|plan| (plan.1, plan.2)).ok()
    };
    for committees in [shared, own] {
        let [one, two] = [fast + committees.bytes(1), two + committees.bytes(2)];
        assert_eq!(two_of(committees, two), Some((2, two)));
        assert_eq!(two_of(committees, two - 1), Some((1, one)));
        assert_eq!(two_of(committees, one - 1), None);
    }
}

/// Rows share the threads of a sweep.
#[test]
fn rows_share_threads() {
    let line = "--scheme schnorr-babyjubjub --case 1/2 --out x";
    let threads = rayon::current_num_threads();
    for (jobs, expected) in [(1, threads), (2, (threads / 2).max(1)), (1024, 1)] {
        let args = args(&format!("{line} --jobs {jobs}")).expect("a number of jobs");
        let sweep = args.asked().expect("a sweep");
        assert_eq!((sweep.jobs, sweep.threads()), (jobs, expected));
    }
    assert_eq!(args(line).expect("one row after the other").jobs, 1);
    for bad in ["0", "1025", "x"] {
        assert!(args(&format!("{line} --jobs {bad}")).is_err(), "{bad}");
    }
}
