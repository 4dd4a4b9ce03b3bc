//! Tests of order, of panics, and of how many are at work.

use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Barrier,
};

use crate::{
    pool::{caught, each},
    Error,
};

#[test]
fn a_panic_is_an_error() {
    assert!(matches!(caught(|| Ok::<_, Error>(7)), Ok(7)));
    let refused = caught(|| -> Result<(), _> { Err(Error::usage("no".into())) });
    assert!(matches!(refused, Err(Error::Prover(reason)) if reason.to_string() == "no"));
    let panics: [fn(usize) -> usize; 2] = [|zero| 1 / zero, |zero| [0; 1][zero + 1]];
    for (panic, part) in panics.into_iter().zip(["divide by zero", "out of bounds"]) {
        let done = each(vec![0], 1, |zero| Ok::<_, Error>(panic(*zero)));
        let error = done[0].1.as_ref().expect_err("it panics");
        assert!(matches!(error, Error::Panic(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("a bug in Muster") && text.contains(part), "{text}");
    }
}

/// Items come back in their order, and one that fails takes none of the others with it.
#[test]
fn all_are_done_in_order() {
    for at_once in [1, 3, 8] {
        let work = |item: &u32| match item {
            5 => panic!("five"),
            6 => Err(Error::usage("six".into())),
            _ => Ok(10 * item),
        };
        let done = each((0..20).collect(), at_once, work);
        assert!(done.iter().map(|(item, _)| *item).eq(0..20));
        for (item, result) in done {
            match item {
                5 => assert!(matches!(result, Err(Error::Panic(said)) if said == "five")),
                6 => {
                    assert!(matches!(result, Err(Error::Prover(said)) if said.to_string() == "six"))
                }
                _ => assert!(matches!(result, Ok(made) if made == 10 * item)),
            }
        }
    }
}

/// As many as were asked for: each waits for the others, and none is ever beside them.
#[test]
fn some_are_at_work_at_once() {
    let (together, working) = (Barrier::new(3), AtomicUsize::new(0));
    let done = each((0..6).collect(), 3, |_| {
        let others = working.fetch_add(1, Ordering::SeqCst);
        together.wait();
        assert!(others < 3);
        working.fetch_sub(1, Ordering::SeqCst);
        // Nobody takes the next item before all have left this one.
        together.wait();
        Ok::<_, Error>(())
    });
    assert!(done.iter().all(|(_, result)| result.is_ok()));
    assert!(each(Vec::<u32>::new(), 4, |_| Ok::<_, Error>(())).is_empty());
}
