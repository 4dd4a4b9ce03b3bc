//! BLS with messages hashed to points in other ways than the default one.

use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::{
    hash::to_curve::bn254::find_point,
    signature::{
        bls::{
            member::Bls, HashedMessage, MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254,
            OtherHash,
        },
        AnySignature, FarPoint, SignatureError,
    },
};
use muster_testing::sampled;

use super::{
    bls::{scalar, scheme_of, signed_under, Signed},
    keys::key_material,
    *,
};
use crate::{MessageForm, PointHash, Rejection};

/// A search among three numbers.
const SEARCH: PointHash = PointHash::Search { most: 3 };

/// A hash with a tag of its own, by its text.
fn named(text: &str) -> PointHash {
    text.parse().expect("a hash")
}

/// Bytes from which on so many numbers have no point.
fn passing(passed: usize) -> [u8; 32] {
    let bytes = (0..=255).map(|byte| [byte; 32]).find(|bytes| find_point(bytes).1 == passed);
    bytes.expect("there are many")
}

fn wanted(scheme: Scheme, hash: PointHash) -> Request {
    Request { hash, ..request(scheme, 4, 2, Mode::Path) }
}

fn shape<S: CiphersuiteChip>(hash: PointHash) -> Shape {
    fit(&wanted(S::SCHEME.parse().expect("a scheme"), hash))
}

/// Members 1 and 3 sign these bytes.
fn signed<S>(hash: PointHash, bytes: [u8; 32]) -> Signed<S>
where
    S: CiphersuiteChip<Message = HashedMessage<S>>,
{
    Signed::about(shape::<S>(hash), &[1, 3], bytes.into())
}

/// Their signature under another hash.
fn by<S>(hash: PointHash, bytes: [u8; 32]) -> AnySignature
where
    S: CiphersuiteChip<Message = HashedMessage<S>>,
{
    let scheme: Bls<S> = scheme_of(&shape::<S>(hash));
    signed_under(&scheme, &[1, 3].map(scalar::<S>), &bytes.into())
}

/// And refused with any public input altered, of the message one half at a time.
#[test]
fn statements_are_accepted_under_the_other_tag() {
    let suites = [
        accepts_its_own::<MinSigPopBn254>,
        accepts_its_own::<MinSigPopBls12381>,
        accepts_its_own::<MinPkPopBls12381>,
    ];
    sampled(suites, 2).into_iter().for_each(|accepts| accepts(PointHash::Basic, [7; 32]));
    accepts_its_own::<MinSigPopBn254>(named("tag:own"), [7; 32]);
}

/// With a lane of Keccak in place of SHA-256.
#[test]
fn statements_are_accepted_with_keccak() {
    let keccak = named("keccak:own");
    accepts_its_own::<MinSigPopBn254>(keccak, [7; 32]);
    let layout = shape::<MinSigPopBn254>(keccak).layout;
    assert!(layout.sha256.is_none() && layout.keccak_lanes > 0);
}

/// The first number has a point, or the last that the circuit looks at is the first that has. Nothing is hashed otherwise.
#[test]
fn statements_are_accepted_about_points_that_are_found() {
    accepts_its_own::<MinSigPopBn254>(SEARCH, passing(0));
    accepts_its_own::<MinSigPopBn254>(SEARCH, passing(2));
    assert_eq!(shape::<MinSigPopBn254>(SEARCH).layout.sha256, None);
}

/// Natively by name; in circuit there is no witness.
#[test]
fn points_that_are_too_far_are_refused() {
    let signed = signed::<MinSigPopBn254>(SEARCH, passing(3));
    let far = FarPoint { passed: 3, most: 3 };
    assert_eq!(signed.case.witness().err(), Some(Error::FarPoint(far)));
    let own = by::<MinSigPopBn254>(SEARCH, passing(3));
    assert!(!signed.holds(&signed.inputs(&own)));
    let wider = PointHash::Search { most: 4 };
    let terms = wanted(Scheme::BlsBn254MinSig, wider).terms().expect("it has this hash");
    let Case { statement, committee, signatures, .. } = &signed.case;
    assert!(terms.verify(statement, committee, signatures).is_ok());
}

fn accepts_its_own<S>(hash: PointHash, bytes: [u8; 32])
where
    S: CiphersuiteChip<Message = HashedMessage<S>>,
{
    let signed = signed::<S>(hash, bytes);
    let case = &signed.case;
    let circuit = case.circuit().expect("the signature is good");
    let public = case.statement.public_inputs();
    let swapped = vec![public[0], public[1], public[3], public[2] + Fr::one()];
    assert_accepts_its_own(&circuit, &case.shape, &public, &[swapped]);
}

/// A signature with one hash is none with the other, natively and in circuit.
fn refuses_another<S>(own: PointHash, other: PointHash)
where
    S: CiphersuiteChip<Message = HashedMessage<S>>,
{
    let bytes = passing(1);
    let signed = signed::<S>(own, bytes);
    let theirs = by::<S>(other, bytes);
    assert!(signed.holds(&signed.inputs(&by::<S>(own, bytes))), "{} {own}", S::SCHEME);
    assert!(!signed.holds(&signed.inputs(&theirs)), "{} {own} {other}", S::SCHEME);
    let Signed { mut case, .. } = signed;
    case.signatures = Signatures::Aggregate { members: vec![1, 3], signature: theirs };
    // Named are the hashes that schemes have, and not every tag that anybody may choose.
    let rule = match (other, S::tag(&other)) {
        (PointHash::Keccak(_), _) => SignatureError::Equation,
        (_, None) => SignatureError::OtherHash(OtherHash::Search),
        (_, Some(tag)) => {
            let known = S::TAGS.iter().find(|known| **known == tag.bytes());
            known.map_or(SignatureError::Equation, |known| {
                SignatureError::OtherHash(OtherHash::Tag(known))
            })
        }
    };
    let refused = Rejection::Aggregate { members: vec![1, 3], rule };
    assert_eq!(case.witness().err(), Some(refused.into()));
}

#[test]
fn hashes_are_kept_apart() {
    let (proven, basic) = (PointHash::Proven, PointHash::Basic);
    let [own, other, keccak] = ["tag:own", "tag:other", "keccak:own"].map(named);
    let refusals: [&dyn Fn(); 8] = [
        &|| refuses_another::<MinSigPopBls12381>(basic, proven),
        &|| refuses_another::<MinSigPopBn254>(proven, basic),
        &|| refuses_another::<MinPkPopBls12381>(basic, proven),
        &|| refuses_another::<MinSigPopBn254>(SEARCH, proven),
        &|| refuses_another::<MinSigPopBn254>(basic, SEARCH),
        &|| refuses_another::<MinSigPopBn254>(own, other),
        &|| refuses_another::<MinSigPopBn254>(own, keccak),
        &|| refuses_another::<MinSigPopBn254>(keccak, own),
    ];
    sampled(refusals, 3).into_iter().for_each(|refuses| refuses());
}

/// A hash is a constant of the circuit, and a part of the shape, where it is not the default one.
#[test]
fn hashes_are_in_the_keys() {
    let [proven, basic] = [PointHash::Proven, PointHash::Basic].map(shape::<MinSigPopBn254>);
    assert_eq!(Shape { hash: proven.hash, ..basic.clone() }, proven);
    let [one, other] = [&proven, &basic].map(|shape| key_material(&shape.keygen_circuit(), shape));
    assert!(one != other);
    let [one, other] =
        [&proven, &basic].map(|shape| serde_json::to_value(shape).expect("plain data"));
    assert!(one.get("hash").is_none());
    assert_eq!(other["hash"], "nul");
    for (shape, mut json) in [(&proven, one), (&basic, other)] {
        let read = |json: &serde_json::Value| serde_json::from_value::<Shape>(json.clone());
        assert_eq!(read(&json).expect("it was written"), *shape);
        json["hash"] = "NUL".into();
        assert!(read(&json).is_err());
    }
    assert!(basic.scheme_name().ends_with(", nul") && !proven.scheme_name().contains("pop"));
}

/// Where bytes are hashed to points.
#[test]
fn schemes_without_a_hash_have_no_choice_of_it() {
    let hash = PointHash::Basic;
    for scheme in [Scheme::BlsBn254, Scheme::Ed25519, Scheme::Schnorr, Scheme::EcdsaP256] {
        assert_eq!(wanted(scheme, hash).suite(), Err(Error::Hash { scheme, hash }));
        assert!(wanted(scheme, PointHash::default()).suite().is_ok());
    }
    let scheme = Scheme::BlsBls12381;
    let of_points = Request { message: Some(MessageForm::Point), ..wanted(scheme, hash) };
    assert_eq!(of_points.suite(), Err(Error::Hash { scheme, hash }));
    let bytes = MessageForm::Sha256 { most: 40 };
    let of_bytes = Request { message: Some(bytes), ..wanted(scheme, hash) };
    assert_eq!(of_bytes.suite().map(|suite| suite.hash()), Ok(hash));
    // A search is one of BN254, from the bytes that are public, and so is Keccak.
    for hash in [SEARCH, named("keccak:own")] {
        let refused = |request: Request| {
            let scheme = request.scheme;
            assert_eq!(request.suite(), Err(Error::Hash { scheme, hash }));
        };
        refused(wanted(Scheme::BlsBls12381MinSig, hash));
        refused(wanted(Scheme::BlsBls12381, hash));
        refused(wanted(Scheme::BlsBn254, hash));
        for form in [bytes, MessageForm::Point] {
            refused(Request { message: Some(form), ..wanted(Scheme::BlsBn254MinSig, hash) });
        }
    }
}
