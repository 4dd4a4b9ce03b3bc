//! Tests of everything but the proving itself.

mod files;
mod machines;

use std::time::Duration;

use muster_circuits::KeyKind;
use muster_prover::{estimate::Size, Memory, ProofKind};

use super::{
    plan::{FarRow, Planned},
    process::Asked,
    row::{outcome, seconds, table, Measured, Phases, Row, Status},
    run::fitting,
    Ask, Case, Degree, Degrees,
};
use crate::{rounded, Kept, Machine, MICROSECONDS};

type Results = crate::Results<Row>;

pub(super) fn ask(scheme: &str, degree: Degree, signing: usize, signers: usize) -> Ask {
    let (mode, kind) = ("auto".to_owned(), "fast".to_owned());
    let case = Case { signing, signers };
    Ask {
        scheme: scheme.to_owned(),
        degree,
        case,
        mode,
        keys: KeyKind::Coordinates,
        rule: None,
        message_form: None,
        hash: None,
        mask: false,
        arity: 5,
        kind,
        memory: "auto".to_owned(),
    }
}

fn proven(ask: &Ask, degree: u32, prove_s: f64) -> Row {
    let mut row = Row::new(ask, 3);
    (row.degree, row.advice, row.lookup, row.fixed) = (Some(degree), Some(9), Some(3), Some(11));
    row.mode = Some("whole-set".into());
    row.estimate_bytes = Some(500 << 20);
    row.take(Ok(Measured {
        prove_min_s: Some(rounded(0.9 * prove_s, MICROSECONDS)),
        prove_max_s: Some(rounded(1.2 * prove_s, MICROSECONDS)),
        gas: None,
        keygen_s: rounded(0.75 * prove_s, MICROSECONDS),
        prove_s: rounded(prove_s, MICROSECONDS),
        verify_s: 0.004,
        proof_bytes: 2_912,
        peak_bytes: Some(431 << 20),
        proving_key_bytes: 120 << 20,
        srs: "insecure".into(),
        phases: phases(prove_s),
    }));
    row
}

/// Shares as a machine could give them.
fn phases(prove_s: f64) -> Phases {
    let part = |percent: f64| Some(rounded(prove_s * percent / 100.0, MICROSECONDS));
    Phases {
        witness_s: part(4.0),
        commitments_s: part(60.0),
        transforms_s: part(10.0),
        arguments_s: part(6.0),
        quotient_s: part(15.0),
        openings_s: part(5.0),
    }
}

/// Times as a machine could give them: three schemes, five cases, six degrees.
fn sample() -> Results {
    let mut results = Results::new(machine(), None);
    let schemes =
        [("schnorr-babyjubjub", 1.0), ("eddsa-babyjubjub", 1.13), ("musig-babyjubjub", 0.5)];
    for (scheme, factor) in schemes {
        for size in 0..5 {
            let (signing, least) = (8 << size, 11 + size);
            for degree in 11..=16 {
                let ask = ask(scheme, Degree::Fixed(degree), signing, 2 * signing);
                let mut row = Row::new(&ask, 3);
                (row.status, row.smallest_degree) = (Status::DoesNotFit, Some(least));
                if degree >= least {
                    let columns = 1.0 + 2.0 * f64::from(degree - least).exp2().recip();
                    let rows = f64::from(degree).exp2() / f64::from(15).exp2();
                    row = proven(&ask, degree, factor * columns * rows);
                }
                results.put(&ask, row, None, |_| false);
            }
        }
    }
    results
}

/// Rows of the first machine.
fn kept(rows: impl IntoIterator<Item = Row>) -> Vec<Kept<Row>> {
    rows.into_iter().map(|row| Kept { row, machine: 0 }).collect()
}

pub(super) fn machine() -> Machine {
    Machine { date: "2025-01-31T10:00:00Z".into(), ..Machine::this() }
}

#[test]
fn cases() {
    assert_eq!("8/16".parse(), Ok(Case { signing: 8, signers: 16 }));
    assert_eq!("1/1".parse(), Ok(Case { signing: 1, signers: 1 }));
    assert_eq!(Case { signing: 10, signers: 1 << 20 }.to_string(), "10/1048576");
    for bad in ["", "8", "8/", "/16", "0/16", "8/0", "16/8", "8/16/32", "-1/4", "8 / 16", "8of16"] {
        assert!(bad.parse::<Case>().is_err(), "{bad}");
    }
}

#[test]
fn degrees() {
    let list = |text: &str| text.parse::<Degrees>().map(|degrees| degrees.0);
    assert_eq!(list("auto"), Ok(vec![Degree::Auto]));
    assert_eq!(list("14"), Ok(vec![Degree::Fixed(14)]));
    let six: Vec<_> = (14..=19).map(Degree::Fixed).collect();
    assert_eq!(list("14..19"), Ok(six.clone()));
    assert_eq!(list("14..=19"), Ok(six));
    assert_eq!(list("14..14"), Ok(vec![Degree::Fixed(14)]));
    for bad in ["", "x", "4", "25", "14..", "..19", "19..14", "auto..19", "14..99", "1e1", "-14"] {
        assert!(list(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_estimate_grows_with_everything() {
    let size = Size {
        degree: 14,
        advice: 10,
        fixed: 10,
        lookups: 3,
        permutation: 12,
        kind: ProofKind::Fast,
        committed: 24,
        operations: 600,
        stride: 1,
        srs_degree: 14,
    };
    let larger = [
        Size { degree: 15, ..size },
        Size { committed: 25, ..size },
        Size { fixed: 11, ..size },
        Size { permutation: 13, ..size },
    ];
    for memory in [Memory::Low, Memory::Fast] {
        let (bytes, proving) = (size.row_bytes(memory), size.proving_bytes(memory, 1));
        assert!(larger.iter().all(|larger| larger.row_bytes(memory) >= bytes));
        assert!(larger.iter().all(|larger| larger.proving_bytes(memory, 1) > proving));
        assert!(size.proving_bytes(memory, 2) > proving && proving <= bytes);
        // More than twice the columns' values, less than a hundred times.
        let values = 32 * (35 << 14);
        assert!(bytes > 2 * values && bytes < 100 * values);
    }
    assert!(size.row_bytes(Memory::Fast) > size.row_bytes(Memory::Low));
    let seconds = size.seconds();
    assert!(Size { degree: 15, ..size }.seconds() > 1.99 * seconds);
    assert!(Size { committed: 25, ..size }.seconds() > seconds);
    assert!(Size { kind: ProofKind::Compact, stride: 12, ..size }.seconds() > seconds);
}

#[test]
fn words() {
    assert_eq!(seconds(Some(0.004_21)), "4.2 ms");
    assert_eq!(seconds(Some(0.421)), "421 ms");
    assert_eq!(seconds(Some(31.089)), "31.1 s");
    let results = sample();
    assert_eq!(outcome(&results.rows[0]), "9 + 3 columns, prove 188 ms, peak 431 MiB");
    let auto = proven(&ask("s", Degree::Auto, 8, 16), 11, 0.5);
    assert_eq!(outcome(&auto), "2^11, 9 + 3 columns, prove 500 ms, peak 431 MiB");
    let unfit = outcome(&results.rows[6]);
    assert_eq!(unfit, "does not fit; the smallest degree that fits is 12");
    let table = table(&Results { rows: results.rows[..8].to_vec(), ..results });
    assert!(table.lines().all(|line| !line.ends_with(' ')) && table.contains(&unfit));
}

/// The shortest rows come first, and those that do not run cost nothing.
#[test]
fn a_budget_has_room_for_the_shortest() {
    let asks: Vec<_> = [8, 1, 4, 2].map(|signing| ask("s", Degree::Auto, signing, 8)).into();
    let planned = |ask: &Ask| {
        let asked = Asked {
            shape: serde_json::Value::Null,
            case: ask.case.to_string(),
            repeat: 3,
            kind: "fast".into(),
            memory: "low".into(),
        };
        let (name, words, seconds) = ("s".into(), "s".into(), ask.case.signing as f64);
        let far = FarRow { name, words, asked, srs_degree: 11, bytes: 1, seconds };
        let far = Some(far).filter(|_| ask.case.signing != 4);
        (ask.clone(), Planned { row: Row::new(ask, 3), far })
    };
    let plan = asks.iter().map(planned).collect();
    let fit = |seconds, at_once| -> Vec<usize> {
        let fit = fitting(&asks, &plan, Duration::from_secs(seconds), at_once);
        fit.iter().map(|ask| ask.case.signing).collect()
    };
    assert_eq!(fit(0, 1), [4]);
    assert_eq!(fit(2, 1), [1, 4]);
    assert_eq!(fit(3, 1), [1, 4, 2]);
    assert_eq!(fit(10, 1), [1, 4, 2]);
    assert_eq!(fit(11, 1), [8, 1, 4, 2]);
    assert_eq!(fit(6, 2), [8, 1, 4, 2], "two at once");
}
