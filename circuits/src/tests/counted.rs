//! What is counted is what is recorded, and what does not fit is refused.

use muster_gates::Layout;
use muster_schemes::signature::MessageForm;
use muster_testing::sampled;

use super::*;
use crate::{parts, CircuitShape, Columns, KeyKind, PointHash};

/// Every scheme, form of messages and way to find members, with slots that come out odd.
fn requests() -> Vec<Request> {
    let all = Scheme::ALL
        .iter()
        .flat_map(|&scheme| [Mode::WholeSet, Mode::Path].map(|mode| request(scheme, 7, 3, mode)));
    let of = |scheme| Request::new(scheme, 7, 3);
    let ed25519 = |form| Request { message: Some(form), ..of(Scheme::Ed25519) };
    let absent = |scheme| Request { absent: Some(2), mode: Some(Mode::Complement), ..of(scheme) };
    let point = Request { message: Some(MessageForm::Point), ..of(Scheme::BlsBls12381) };
    let others = [
        Request { keys: KeyKind::Address, ..of(Scheme::EcdsaSecp256k1) },
        Request::new(Scheme::EcdsaP256, 7, 1),
        Request { mask: true, arity: 16, ..of(Scheme::SchnorrSecp256k1) },
        Request { mask: true, ..of(Scheme::Musig) },
        ed25519(MessageForm::Bytes { most: 41 }),
        ed25519(MessageForm::Sha256 { most: 200 }),
        ed25519(MessageForm::CometbftPrecommit),
        absent(Scheme::BlsBls12381MinSig),
        Request { mask: true, ..absent(Scheme::BlsBn254) },
        Request { hash: PointHash::Search { most: 8 }, ..of(Scheme::BlsBn254MinSig) },
        Request { hash: "keccak:own".parse().expect("a hash"), ..of(Scheme::BlsBn254MinSig) },
        point,
    ];
    all.chain(others).collect()
}

/// A plan takes its numbers from a count, in which gates compute nothing and hints are zeros.
#[test]
fn a_count_is_that_of_the_filled_circuit() {
    for request in sampled(requests(), 12) {
        let shape = Shape::fit(&request).expect("the shape is legal");
        let circuit = shape.keygen_circuit();
        assert_eq!(shape.usage(), circuit.gates.usage(), "{request:?}");
        assert!(circuit.fits(), "{request:?}");
        assert_eq!(shape.layout.constant_rows, circuit.gates.usage().constants, "{request:?}");
    }
}

/// Every scheme and way to find members, of sizes that leave leaves, nodes and lanes full or not.
fn larger() -> Vec<Request> {
    let sizes = [(4, 4), (6, 5), (16, 16), (37, 20), (81, 64), (300, 33)];
    let all = sizes.into_iter().flat_map(|(capacity, slots)| {
        let modes = move |&scheme: &Scheme| {
            let of = |mode| request(scheme, capacity, slots, mode);
            let absent = || Request { absent: Some(slots), ..of(Mode::Complement) };
            let absent = scheme.adds_keys().then(absent);
            [of(Mode::WholeSet), of(Mode::Path)].into_iter().chain(absent).collect::<Vec<_>>()
        };
        Scheme::ALL.iter().flat_map(modes).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.collect();
    let masked = all.iter().map(|one| Request { mask: true, arity: 2, ..one.clone() });
    let long = |most, scheme| {
        let message = Some(MessageForm::Sha256 { most });
        Request { message, ..Request::new(scheme, 5, 3) }
    };
    let long = [300, 1000].into_iter().flat_map(|most| {
        [Scheme::Ed25519, Scheme::BlsBls12381MinSig, Scheme::BlsBn254MinSig]
            .map(|scheme| long(most, scheme))
    });
    masked.chain(long).chain(all.clone()).collect()
}

/// A plan counts with loops that add up what is alike: the total is that of every turn.
#[test]
fn a_total_is_the_count_of_each_turn() {
    for request in sampled(larger(), 10) {
        let Ok(shape) = Shape::fit(&request) else { continue };
        assert_eq!(
            shape.usage(),
            shape.unused_circuit(Gates::counting(&shape.layout)).gates.usage(),
            "{request:?}"
        );
    }
}

/// A plan adds up the columns of gates: they are those of the whole layout.
#[test]
fn columns_of_gates_add_up() {
    for request in sampled([requests(), larger()].concat(), 24) {
        let Ok(shape) = Shape::fit(&request) else { continue };
        let layout = &shape.layout;
        assert_eq!(parts::columns(layout), Columns::of(layout), "{request:?}");
        assert_eq!(parts::usable_rows(layout), layout.usable_rows(), "{request:?}");
    }
}

/// Had a plan counted too little, there would be no keys.
#[test]
fn a_circuit_that_does_not_fit_is_refused() {
    let wanted = Request { degree: Some(13), ..request(Scheme::Schnorr, 1000, 32, Mode::Path) };
    let shape = Shape::fit(&wanted).expect("the shape is legal");
    assert!(shape.layout.vertical_columns > 1, "{shape:?}");
    let narrow: [fn(&mut Layout); 4] = [
        |layout| layout.constant_rows -= 1,
        |layout| layout.vertical_columns -= 1,
        |layout| layout.k -= 1,
        |layout| layout.constant_rows += 1 << 12,
    ];
    for narrow in narrow {
        let mut other = shape.clone();
        narrow(&mut other.layout);
        assert!(!other.keygen_circuit().fits(), "{other:?}");
    }
    assert!(shape.keygen_circuit().fits());
}
