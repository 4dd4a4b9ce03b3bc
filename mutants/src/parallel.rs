//! Work on many items by a few threads.

use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Mutex,
};

/// Does `work` on all items, which are taken up in order, by so many threads.
pub(crate) fn map<I: Sync, O: Send>(
    jobs: usize,
    items: &[I],
    work: impl Fn(usize, &I) -> O + Sync,
) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { return };
                let output = work(number, item);
                done.lock()
                    .expect("no thread panics while it holds the lock")
                    .push((number, output));
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panicked");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, output)| output).collect()
}

#[test]
fn outputs_are_in_order() {
    let items: Vec<_> = (0..100).collect();
    assert_eq!(
        map(4, &items, |number, item| number + item),
        (0..100).map(|i| 2 * i).collect::<Vec<_>>()
    );
}
