//! Ed25519 in whole circuits: by each rule, in each form of messages.

use muster_schemes::signature::{
    ed25519::{Ed25519, SecretKey},
    Choices, MessageForm, Rule, SignedBytes,
};

use super::*;
use crate::KeyKind;

/// What one block of SHA-512 holds behind R and the key.
pub(super) const BYTES: MessageForm = MessageForm::Sha256 { most: 47 };
/// Two blocks, and three of SHA-256.
pub(super) const PRECOMMITS: MessageForm = MessageForm::CometbftPrecommit;

pub(super) fn wanted(rule: Rule, message: MessageForm, slots: usize) -> Request {
    let (rule, message) = (Some(rule), Some(message));
    Request { rule, message, ..Request::new(Scheme::Ed25519, 4, slots) }
}

/// Members of weight `1 + index` of whom some sign; the threshold is their weight.
pub(super) fn case_of(request: &Request, signers: &[usize]) -> Case {
    let shape = fit(request);
    let choices = Choices::new::<Ed25519>(KeyKind::Coordinates, shape.rule, Some(shape.message));
    let scheme = Ed25519::new(choices.expect("it has these"));
    let mut rng = rng(7);
    let secrets: Vec<SecretKey> = (0..shape.capacity).map(|_| Ed25519::keygen(&mut rng)).collect();
    let keys = secrets.iter().zip(1..).map(|(key, weight)| (key.public_key(), weight));
    let committee = Committee::new(&keys.collect::<Vec<_>>()).expect("distinct keys");
    let message: SignedBytes = scheme.random_message(&mut rng);
    let sign = |&i: &usize| (i, scheme.sign_as_member(&secrets[i], &message, &mut rng));
    let signatures = Signatures::Independent(signers.iter().map(sign).collect());
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: signers.iter().map(|i| 1 + *i as u64).sum(),
        message: message.into(),
        signers: None,
    };
    Case { shape, statement, committee, signatures }
}

/// And refused with any public input altered: of the message one half at a time.
#[test]
fn every_form_is_accepted_for_its_own_public_inputs() {
    for (rule, form) in [(Rule::Strict, BYTES), (Rule::Zip215, PRECOMMITS)] {
        let case = case_of(&wanted(rule, form, 1), &[2]);
        let circuit = case.circuit().expect("it fits");
        assert_accepts_its_own(&circuit, &case.shape, &case.statement.public_inputs(), &[]);
    }
}
