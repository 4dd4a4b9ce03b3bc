//! Verifying keys that somebody changed.

use halo2_base::halo2_proofs::halo2curves::{bn256::G1Affine, group::Curve};
use muster_params::Srs;
use muster_verifier::{Key, KeyParts, Node, Protocol, ProtocolParts, Scalar};

use crate::{
    keys::SrsReference,
    logup::{point, point_bytes},
};

/// A change.
type Edit = fn(&mut KeyParts);

/// What a key is made of.
fn parts_of(key: &Key) -> KeyParts {
    KeyParts {
        protocol: key.protocol().clone(),
        description: key.description().to_vec(),
        is_ceremony: key.is_ceremony(),
        tau_g2: key.tau_g2(),
        fixed: key.fixed().to_vec(),
        sigma: key.sigma().to_vec(),
    }
}

/// The same constraints but for a change.
fn changed(protocol: &Protocol, edit: impl FnOnce(&mut ProtocolParts)) -> Protocol {
    let mut parts = ProtocolParts {
        k: protocol.k(),
        usable: protocol.usable(),
        fixed: protocol.fixed(),
        advice: protocol.advice(),
        inputs: protocol.inputs(),
        nodes: protocol.nodes().to_vec(),
        constraints: protocol.constraints().to_vec(),
        tables: protocol.tables().to_vec(),
        copied: protocol.copied().to_vec(),
    };
    edit(&mut parts);
    Protocol::new(parts).unwrap()
}

/// A key that says this of itself.
pub(crate) fn described(key: &Key, description: Vec<u8>) -> Key {
    Key::new(KeyParts { description, ..parts_of(key) }).unwrap()
}

/// Changes of a key that leave its commitments as they are.
pub(crate) fn other_keys(key: &Key) -> Vec<(&'static str, Key)> {
    let edits: [(&str, Edit); 8] = [
        ("a constant", |parts| {
            parts.protocol = changed(&parts.protocol, |protocol| {
                let constant = |node: &&mut Node| matches!(node, Node::Constant(_));
                let Some(Node::Constant(number)) = protocol.nodes.iter_mut().find(constant) else {
                    panic!("circuits have constants")
                };
                *number += Scalar::from(1);
            });
        }),
        ("usable rows", |parts| parts.protocol = changed(&parts.protocol, |p| p.usable -= 1)),
        ("inputs", |parts| parts.protocol = changed(&parts.protocol, |p| p.inputs += 1)),
        ("order", |parts| parts.protocol = changed(&parts.protocol, |p| p.constraints.swap(0, 1))),
        ("columns", |parts| {
            parts.protocol = changed(&parts.protocol, |protocol| protocol.copied.swap(0, 1));
        }),
        ("description", |parts| parts.description.push(b' ')),
        ("origin", |parts| parts.is_ceremony = !parts.is_ceremony),
        ("tau", |parts| {
            let other = Srs::insecure(4).unwrap();
            parts.tau_g2 = SrsReference::new(&other).tau_bytes();
        }),
    ];
    let other = |(name, edit): (_, Edit)| {
        let mut parts = parts_of(key);
        edit(&mut parts);
        (name, Key::new(parts).unwrap())
    };
    edits.into_iter().map(other).collect()
}

/// The key with another commitment in one place; fixed ones come first.
pub(crate) fn recommitted(key: &Key, place: usize) -> Key {
    let mut parts = parts_of(key);
    let commitment = match place.checked_sub(parts.fixed.len()) {
        Some(place) => &mut parts.sigma[place],
        None => &mut parts.fixed[place],
    };
    let other = (point(commitment).unwrap() + G1Affine::generator()).to_affine();
    *commitment = point_bytes(&other);
    Key::new(parts).unwrap()
}
