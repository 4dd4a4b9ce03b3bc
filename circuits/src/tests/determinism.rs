//! What a prover is free to choose: how many cells of each role no equation determines, to first order, how many relations
//! only refuse, and how many cells of the vertical gate are open to a prover who rewrites what follows from them.
//! `forgery/src/freedom` says what that shows; its README has the reason of each role.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use muster_forgery::{forger::open_cells, freedom};
use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::signature::{
    bls::{
        member::{MinPkBn254, Possession},
        HashedMessage, MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254,
    },
    MessageForm, Rule,
};
use muster_testing::sampled;

use super::{
    bls::Signed,
    complement,
    ed25519::{self, BYTES, PRECOMMITS},
    foreign::{case_of, small, KINDS},
    *,
};
use crate::{KeyKind, PointHash};

/// The role of the open cells of the vertical gate.
const OPEN: &str = "open";

/// The free cells of a circuit by their roles.
type Roles = BTreeMap<String, usize>;

/// One test at a time reads and writes the file.
static FILE: Mutex<()> = Mutex::new(());

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/freedom.json")
}

fn read() -> BTreeMap<String, Roles> {
    let text = std::fs::read_to_string(path()).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).expect("the file is JSON")
}

/// Holds the freedom of these cases against the file; writes it there if `MUSTER_UPDATE_GOLDEN` is set.
fn assert_freedom(cases: impl IntoIterator<Item = (String, Case)>) {
    let mut found = BTreeMap::new();
    for (name, case) in cases {
        let circuit = case.circuit().expect("the inputs fit the shape");
        let Case { shape, statement, signatures, committee } = case;
        let mut roles = freedom(&circuit, &statement.public_inputs());
        let layout = &shape.layout;
        let all = layout.advice_columns();
        let public = vec![statement.public_inputs().to_vec()];
        let vertical = all - layout.vertical_columns..all;
        let open = open_cells(shape.degree(), &circuit, public, vertical, &[]);
        // The inverse of a weight that is 0 may be anything: 1 is written, in MuSig twice a slot. So may that of a
        // precommit's round, which is 0.
        let rounds = usize::from(shape.message == PRECOMMITS);
        let (open, left): (Vec<_>, Vec<_>) = open.into_iter().partition(|open| open.is_passed_on);
        let signing = signatures.members().len();
        let absent = committee.members().len() - signing;
        let in_slots = if shape.mode == Mode::Complement { absent } else { signing };
        let unused = shape.slots - in_slots;
        assert!(
            left.len() <= 2 * unused + rounds && left.iter().all(|open| open.value == Fr::one()),
            "{name}, {unused} unused: {left:?}"
        );
        roles.insert(OPEN.to_owned(), open.len());
        found.insert(name, roles);
    }
    let guard = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = read();
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some() {
        known.extend(found.clone());
        let text = serde_json::to_string_pretty(&known).expect("counts are JSON");
        std::fs::write(path(), text + "\n").expect("the file is writable");
    }
    drop(guard);
    let changed: Vec<_> =
        found.iter().filter(|(name, roles)| known.get(*name) != Some(roles)).collect();
    assert!(changed.is_empty(), "other counts than in {}: {changed:#?}", path().display());
}

#[test]
fn embedded_schemes() {
    let mut cases = vec![];
    for scheme in EMBEDDED {
        for mode in [Mode::WholeSet, Mode::Path] {
            for (slots, signers) in [("all slots", &[0, 2][..]), ("a slot unused", &[2])] {
                let name = format!("{scheme} {mode:?}, {slots}");
                cases.push((name, case(&request(scheme, 4, 2, mode), signers, 1)));
            }
        }
    }
    assert_freedom(cases);
}

#[test]
fn two_lanes() {
    let wanted = Request { degree: Some(10), ..request(Scheme::Schnorr, 9, 7, Mode::WholeSet) };
    assert_freedom([("two lanes".to_owned(), case(&wanted, &[1, 2, 3, 5, 7, 8], 3))]);
}

/// All slots, and one unused.
fn assert_foreign(kind: (Scheme, KeyKind)) {
    assert_foreign_in(&fit(&small(kind, 4, 2)), "", kind);
}

fn assert_foreign_in(shape: &Shape, mode: &str, kind: (Scheme, KeyKind)) {
    let (scheme, keys) = kind;
    let cases = [("all slots", &[1, 3][..]), ("a slot unused", &[1])];
    let named = cases.map(|(slots, signers)| {
        let name = format!("{scheme} by {keys:?}{mode}, {slots}");
        (name, case_of(shape.clone(), kind, signers))
    });
    assert_freedom(named);
}

#[test]
fn ecdsa_over_secp256k1() {
    assert_foreign(KINDS[0]);
}

#[test]
fn digest_schemes_in_a_whole_set() {
    for kind in sampled(KINDS, 2) {
        let wanted = Request { mode: Some(Mode::WholeSet), ..small(kind, 4, 2) };
        assert_foreign_in(&fit(&wanted), " WholeSet", kind);
    }
}

#[test]
fn ecdsa_by_addresses() {
    assert_foreign(KINDS[1]);
}

#[test]
fn ecdsa_over_p256() {
    assert_foreign(KINDS[2]);
}

#[test]
fn bip340() {
    assert_foreign(KINDS[3]);
}

/// One signer, and with a second slot that is not used.
fn assert_ed25519(rule: Rule, form: MessageForm, slots: usize) {
    let unused = if slots == 1 { "all slots" } else { "a slot unused" };
    let name = format!("ed25519 {} {form}, {unused}", rule.name());
    assert_freedom([(name, ed25519::case_of(&ed25519::wanted(rule, form, slots), &[2]))]);
}

#[test]
fn ed25519_by_zip215() {
    assert_ed25519(Rule::Zip215, BYTES, 1);
}

#[test]
#[ignore = "slow: thousands of cells of SHA-512"]
fn ed25519_by_rfc8032() {
    assert_ed25519(Rule::Rfc8032, BYTES, 1);
}

#[test]
#[ignore = "slow: thousands of cells of SHA-512"]
fn ed25519_strictly() {
    assert_ed25519(Rule::Strict, BYTES, 1);
}

#[test]
#[ignore = "slow: thousands of cells of SHA-512"]
fn ed25519_with_a_slot_unused() {
    assert_ed25519(Rule::Zip215, BYTES, 2);
}

#[test]
#[ignore = "slow: thousands of cells of SHA-512"]
fn ed25519_of_precommits() {
    assert_ed25519(Rule::Zip215, PRECOMMITS, 1);
}

/// The members who sign, and one in a slot that the other one leaves free.
const SIGNERS: [(&str, &[usize]); 2] = [("all slots", &[1, 3]), ("a slot unused", &[3])];

fn assert_bls<S: CiphersuiteChip>(mode: Mode, (slots, signers): (&str, &[usize])) {
    let case = Signed::<S>::new(mode, 2, signers).case;
    assert_freedom([(format!("{} {mode:?}, {slots}", S::SCHEME), case)]);
}

#[test]
fn bls_over_bn254_with_a_slot_unused() {
    assert_bls::<MinPkBn254>(Mode::Path, SIGNERS[1]);
}

/// Points that are public, those that a search finds, and hashes with Keccak, in place of hashes with SHA-256.
#[test]
fn bls_over_bn254_on_points() {
    let wanted = request(Scheme::BlsBn254MinSig, 4, 2, Mode::Path);
    let of_points = Request { message: Some(MessageForm::Point), ..wanted.clone() };
    let found = Request { hash: PointHash::Search { most: 3 }, ..wanted.clone() };
    let keccak = Request { hash: "keccak:own".parse().expect("a hash"), ..wanted };
    let message = HashedMessage::from([8; 32]);
    let point = MinSigPopBn254::signed_point(&message, PointHash::default()).into();
    let cases = [(of_points, point), (found, message.clone()), (keccak, message)];
    let cases = sampled(cases, 3).into_iter().map(|(wanted, message)| {
        let shape = fit(&wanted);
        let name = format!("{} Path, a slot unused", shape.scheme_name());
        (name, Signed::<MinSigPopBn254>::about(shape, &[3], message).case)
    });
    assert_freedom(cases);
}

#[test]
#[ignore = "slow: thousands of relations"]
fn bls_over_bn254() {
    for mode in [Mode::Path, Mode::WholeSet] {
        SIGNERS.into_iter().for_each(|signers| assert_bls::<MinPkBn254>(mode, signers));
        assert_bls::<MinSigPopBn254>(mode, SIGNERS[0]);
    }
}

#[test]
#[ignore = "slow: thousands of relations"]
fn bls_over_bls12381() {
    assert_bls::<MinPkPopBls12381>(Mode::Path, SIGNERS[0]);
    assert_bls::<MinSigPopBls12381>(Mode::WholeSet, SIGNERS[1]);
}

#[test]
#[ignore = "slow: thousands of relations"]
fn bls_by_the_absent() {
    for (slots, absent) in [("all slots", &[2, 5][..]), ("a slot unused", &[5])] {
        let case = complement::case_of::<MinPkBn254>(8, 2, absent).case;
        assert_freedom([(format!("{} Complement, {slots}", Scheme::BlsBn254), case)]);
    }
    let masked = Request { mask: true, ..complement::wanted(Scheme::BlsBn254, 8, 2) };
    let case = complement::under::<MinPkBn254>(fit(&masked), 8, &[2, 5]).case;
    assert_freedom([(format!("{} Complement with a mask, all slots", Scheme::BlsBn254), case)]);
}

#[test]
fn masks() {
    let modes = [Mode::Path, Mode::WholeSet];
    let cases = modes.map(|mode| {
        let wanted = Request { mask: true, ..request(Scheme::Schnorr, 4, 2, mode) };
        SIGNERS.map(|(slots, signers)| {
            (format!("schnorr-babyjubjub {mode:?} with a mask, {slots}"), case(&wanted, signers, 1))
        })
    });
    assert_freedom(cases.into_iter().flatten());
}
