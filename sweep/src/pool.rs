//! A pool: work on many items, some at a time, in order.

use std::{
    any::Any,
    panic::{catch_unwind, AssertUnwindSafe},
    sync::Mutex,
    thread,
};

use crate::Error;

/// An item and what became of it.
pub type Done<I, T, E> = (I, Result<T, E>);

/// Does some work for each item, `at_once` of them at a time. They are begun, and returned, in their order. Work that
/// panics is an error of its item alone.
pub fn each<I: Send, T: Send, E: From<Error> + Send>(
    items: Vec<I>,
    at_once: usize,
    work: impl Fn(&I) -> Result<T, E> + Sync,
) -> Vec<Done<I, T, E>> {
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().expect("nobody panics who holds it").next();
    let worker = || {
        let mut done = vec![];
        while let Some((place, item)) = next() {
            let result = caught(|| work(&item));
            done.push((place, (item, result)));
        }
        done
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(worker)).collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|done| done.expect("what panics is caught")).collect()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, done)| done).collect()
}

/// Does some work; a panic becomes an error like others.
pub fn caught<T, E: From<Error>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let panicked = |cause: Box<dyn Any + Send>| Err(Error::Panic(words(&*cause)).into());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}

/// The message of a panic.
fn words(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or(cause.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}
