use super::{dealt, MESSAGE};
use crate::bls::{
    BlsError, Ciphersuite, Error, Identities, MinPkBasicBls12381, MinSigBasicBls12381,
    MinSigBasicBn254, SecretShare,
};

fn there_and_back<S: Ciphersuite<Signed = [u8]>>() {
    let (group, secrets) = dealt::<S>(Identities::Consecutive, 1, 2);
    for (secret, index) in secrets.iter().zip(1..) {
        assert_eq!(secret.index(), index);
        assert_eq!(group.signer(index), Ok(&secret.public_key()));
        let again = SecretShare::<S>::from_bytes(index, *secret.to_bytes()).unwrap();
        assert_eq!(again.sign(MESSAGE), secret.sign(MESSAGE));
    }
    assert_eq!(SecretShare::<S>::from_bytes(0, [1; 32]).unwrap_err(), Error::ZeroIndex);
    for bad in [[0; 32], [0xff; 32]] {
        let error = SecretShare::<S>::from_bytes(1, bad).unwrap_err();
        assert_eq!(error, Error::Scheme(BlsError::BadSecret));
    }
}

#[test]
fn shares_go_there_and_back() {
    there_and_back::<MinSigBasicBls12381>();
    there_and_back::<MinPkBasicBls12381>();
    there_and_back::<MinSigBasicBn254>();
}
