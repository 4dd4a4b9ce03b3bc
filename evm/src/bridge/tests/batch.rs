//! The tree over a batch, of every size up to some dozens.

use proptest::prelude::*;

use crate::bridge::{Batch, BatchRoot, BridgeFault, MessageId};

/// Identities that differ, of up to 40 messages, and the place of one of them.
fn batch() -> impl Strategy<Value = (Vec<MessageId>, usize)> {
    let ids = prop::collection::btree_set(any::<[u8; 32]>(), 1..40);
    let shuffled = ids.prop_map(|ids| ids.into_iter().collect::<Vec<_>>()).prop_shuffle();
    (shuffled, any::<prop::sample::Index>()).prop_map(|(ids, place)| {
        let place = place.index(ids.len());
        (ids.into_iter().map(MessageId).collect(), place)
    })
}

proptest! {
    #[test]
    fn every_path_leads_to_the_root((ids, _) in batch()) {
        let batch = Batch::new(&ids).unwrap();
        for (i, id) in ids.iter().enumerate() {
            let path = batch.path(i).unwrap();
            prop_assert!(1 << path.len() <= ids.len().next_power_of_two());
            prop_assert_eq!(BatchRoot::of_path(id, &path), batch.root());
        }
        prop_assert_eq!(batch.path(ids.len()), None);
    }

    #[test]
    fn a_path_is_for_its_message_and_its_length(
        (ids, place) in batch(),
        other: [u8; 32],
        step: prop::sample::Index,
    ) {
        let batch = Batch::new(&ids).unwrap();
        let (id, path) = (ids[place], batch.path(place).unwrap());
        let leads = |id, path: &[[u8; 32]]| BatchRoot::of_path(&id, path) == batch.root();
        prop_assert!(!leads(MessageId(other), &path));
        prop_assert!(!leads(id, &[&path[..], &[other]].concat()));
        for (i, other) in ids.iter().enumerate() {
            prop_assert!(i == place || !leads(*other, &path));
        }
        if !path.is_empty() {
            prop_assert!(!leads(id, &path[1..]));
            prop_assert!(!leads(id, &path[..path.len() - 1]));
            let mut wrong = path.clone();
            wrong[step.index(path.len())] = other;
            prop_assert!(!leads(id, &wrong));
        }
    }

    #[test]
    fn the_root_binds_the_messages((ids, place) in batch(), other: [u8; 32]) {
        let root = Batch::new(&ids).unwrap().root();
        let mut changed = ids.clone();
        changed[place] = MessageId(other);
        prop_assert_ne!(Batch::new(&changed).unwrap().root(), root);
        changed.push(ids[place]);
        prop_assert_ne!(Batch::new(&changed).unwrap().root(), root);
    }
}

#[test]
fn a_batch_holds_each_of_its_messages_once() {
    assert_eq!(Batch::new(&[]).unwrap_err(), BridgeFault::EmptyBatch);
    let ids = [1, 2, 3, 2].map(|byte| MessageId([byte; 32]));
    let fault = BridgeFault::DuplicateMessage { first: 1, second: 3 };
    assert_eq!(Batch::new(&ids).unwrap_err(), fault);
}
