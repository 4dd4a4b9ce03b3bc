//! Statements that say who signed, of schemes that `mask` has no circuit for.

use muster_gadgets::signature::{bls::ProvenPublicKey, Rule};

use super::{
    bls::Signed,
    ed25519,
    foreign::{case_of, small, KINDS},
    *,
};

fn masked(request: Request, mode: Mode) -> Request {
    Request { mask: true, mode: Some(mode), ..request }
}

/// Addresses, P-256, and BIP-340.
fn foreign(kind: usize, mode: Mode, signers: &[usize]) -> Case {
    case_of(fit(&masked(small(KINDS[kind], 4, 2), mode)), KINDS[kind], signers)
}

fn by_ed25519(mode: Mode, signers: &[usize]) -> Case {
    let wanted = masked(ed25519::wanted(Rule::Zip215, ed25519::BYTES, 2), mode);
    let mut case = ed25519::case_of(&wanted, signers);
    case.statement.signers = SignerMask::new(4, signers.iter().copied()).ok();
    case
}

fn by_bls12381(mode: Mode, signers: &[usize]) -> Case {
    let shape = fit(&masked(request(Scheme::BlsBls12381, 4, 2, mode), mode));
    Signed::<ProvenPublicKey>::under(shape, signers).case
}

/// Two of four members, or one in two slots: what is public is their bits, and no others are accepted.
#[test]
fn those_who_signed_are_named_in_every_scheme() {
    let cases = [
        (foreign(1, Mode::WholeSet, &[3]), 0b1000),
        (foreign(2, Mode::Path, &[1, 3]), 0b1010),
        (foreign(3, Mode::WholeSet, &[1, 3]), 0b1010),
        (by_ed25519(Mode::Path, &[2]), 0b0100),
        (by_bls12381(Mode::WholeSet, &[1, 3]), 0b1010),
    ];
    for (case, own) in cases {
        let Case { shape, statement, .. } = &case;
        let public = statement.public_inputs();
        let named = |word: u64| {
            let mut public = public.clone();
            public[shape.mask_inputs()].copy_from_slice(&[Fr::from(word)]);
            public
        };
        assert_eq!(named(own), public, "{}", shape.scheme);
        let others = [0, own ^ 1, own ^ 0b1000, own << 1, 0b1111].map(named);
        assert_accepts_its_own(&case.circuit().expect("it fits"), shape, &public, &others);
    }
}
