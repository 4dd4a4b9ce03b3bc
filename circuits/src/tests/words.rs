//! What is said of a scheme is what its parsers take.

use std::{collections::BTreeMap, fs};

use muster_schemes::{membership::PublicKey, signature::SignatureError};

use super::*;
use crate::{KeyKind, MessageForm, PublicMessage, Rejection, Suite, MESSAGE};

/// Lengths up to which encodings are tried.
const LENGTHS: std::ops::Range<usize> = 0..200;

/// The numbers of a text that are lengths: those before "bytes", and before the colon of what comes
/// with addresses.
fn lengths(text: &str) -> Vec<usize> {
    let words: Vec<_> = text.split([' ', ':']).collect();
    let number = |word: &&str| word.parse::<usize>().ok();
    let end = |i: usize| words.get(i + 1).is_some_and(|next| ["bytes", "or", ""].contains(next));
    words.iter().enumerate().filter(|(i, _)| end(*i)).filter_map(|(_, word)| number(word)).collect()
}

#[test]
fn signatures_have_the_lengths_that_are_said() {
    for &scheme in Scheme::ALL {
        let kinds = [KeyKind::Coordinates, KeyKind::Address];
        let read = |length: &usize| {
            kinds.into_iter().filter(|keys| scheme.names_members_by(*keys)).any(|keys| {
                let suite = Suite::new(scheme, keys, None, None).expect("it has such sets");
                let read = suite.decode_signature(&vec![1; *length]);
                !matches!(read, Err(SignatureError::WrongLength { .. }))
            })
        };
        let read: Vec<_> = LENGTHS.filter(read).collect();
        // Behind the length of a recoverable signature the bytes of v follow.
        let said = scheme.description().signature;
        let said = said.split(", 0 to").next().expect("a text").to_owned();
        assert_eq!(lengths(&said), read, "{scheme}: {said}");
    }
}

/// What a statement has for a message, in the words of `docs/src/guide/what-a-proof-says.md`.
fn in_words(message: PublicMessage) -> String {
    match message {
        PublicMessage::Element => "an element of the BN254 scalar field".to_owned(),
        PublicMessage::Digest => "32 bytes in two halves".to_owned(),
        PublicMessage::Plain => "up to 64 bytes and their number, in three words".to_owned(),
        PublicMessage::Point(group) => format!("a point of {group} in {} words", group.inputs()),
    }
}

/// The one table of public inputs, in the documents, has a row for each number of them.
#[test]
fn public_inputs_are_those_of_the_table() {
    let forms = [
        MessageForm::Public,
        MessageForm::Sha256 { most: 1 },
        MessageForm::Bytes { most: 1 },
        MessageForm::Point,
        MessageForm::CometbftPrecommit,
    ];
    let mut rows = BTreeMap::<usize, (String, Vec<String>)>::new();
    for &scheme in Scheme::ALL.iter().filter(|scheme| !scheme.name().starts_with("toy-")) {
        let usual = scheme.suite().public_message();
        let mut add = |message: PublicMessage, name: String| {
            let row = rows.entry(MESSAGE + message.inputs());
            let (words, names) = row.or_insert_with(|| (in_words(message), vec![]));
            assert_eq!(*words, in_words(message), "two kinds of a message in one row");
            names.push(name);
        };
        add(usual, format!("`{scheme}`"));
        for form in forms {
            let Ok(suite) = Suite::new(scheme, KeyKind::Coordinates, None, Some(form)) else {
                continue;
            };
            assert_eq!(suite.public_inputs(), MESSAGE + suite.public_message().inputs());
            if suite.public_message() != usual {
                let form = form.to_string().replace(":1", ":N");
                add(suite.public_message(), format!("`{scheme}` (`{form}`)"));
            }
        }
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/guide/what-a-proof-says.md");
    let page = fs::read_to_string(page).expect("the page is readable");
    for (inputs, (message, names)) in rows {
        let row = format!("| {inputs} | {message} | {} |\n", names.join(", "));
        assert!(page.contains(&row), "the page lacks the row\n{row}");
    }
    assert_eq!([248, 249].map(SignerMask::words_of), [1, 2]);
    assert!(page.contains("248 members to a word"));
}

#[test]
fn choices_are_those_that_are_said() {
    for &scheme in Scheme::ALL {
        let about = scheme.description();
        for rule in crate::Rule::ALL {
            let is_choice = Suite::new(scheme, KeyKind::Coordinates, Some(rule), None).is_ok();
            let said = about.signature_rules.contains(rule.name());
            assert_eq!(said, is_choice, "{scheme} {}", rule.name());
        }
        if let Some(default) = scheme.default_rule() {
            let said = format!("--rule {}, the default", default.name());
            assert!(about.signature_rules.contains(&said), "{scheme}");
        }
        let addresses = about.public_key.contains("--keys address");
        assert_eq!(addresses, scheme.names_members_by(KeyKind::Address), "{scheme}");
    }
}

/// The first error of an aggregate names whose signature it is said to be.
#[test]
fn rejections_name_signers() {
    let mut case = case(&request(Scheme::Musig, 6, 4, Mode::WholeSet), &[4, 0, 2], 31);
    case.statement.message = Fr::zero().into();
    let verdict = verify(&case.shape, &case.statement, &case.committee, &case.signatures);
    let rule = SignatureError::Equation;
    let expected = Rejection::Aggregate { members: vec![0, 2, 4], rule };
    assert!(expected.to_string().starts_with("aggregate signature of members 0, 2, 4: "));
    assert_eq!(verdict, Err(Error::Rejected(expected)));
}

/// No scheme lets a member be whose secret is known.
#[test]
fn the_padding_key_is_no_member() {
    use muster_schemes::{
        curve::weierstrass::{Curve, Point},
        membership::{KeySetError, PublishedSecret},
    };
    let edwards = PublicKey::from(SubgroupPoint::generator());
    let points = [Curve::Secp256k1, Curve::P256].map(Point::generator);
    let address = PublicKey::from(points[0].address());
    for key in [edwards, points[0].into(), points[1].into(), address] {
        let expected = KeySetError::PublishedKey { member: 0, secret: PublishedSecret::Number(1) };
        assert_eq!(Committee::new(&[(key, 1)]).err(), Some(Error::KeySet(expected)));
    }
}

/// A fresh key in the encoding of its scheme.
struct FreshKey;

impl crate::SchemeVisitor for FreshKey {
    type Output = Vec<u8>;

    fn visit<S: SignatureInstructions>(self, _: S) -> Vec<u8> {
        let secret = S::keygen(&mut rng(1));
        S::encode_public_key(&S::public_key(&secret))
    }
}

/// What is refused by its length would be refused by its point too, for the same reason. Whole keys are not.
#[test]
fn keys_are_told_by_length_before_any_point() {
    for &scheme in Scheme::ALL {
        let suite = scheme.suite();
        let key = suite.visit(FreshKey);
        let part = suite.key_part(&key).expect("it has the length of a key");
        assert!(key.starts_with(part), "{scheme}");
        for length in LENGTHS {
            let bytes = vec![1; length];
            if let Err(rule) = suite.key_part(&bytes) {
                assert_eq!(suite.decode_key(&bytes).err(), Some(rule), "{scheme}: {length} bytes");
                assert_ne!(length, key.len(), "{scheme}");
            }
        }
    }
}

/// One key of BLS with and without its proof is one key, and so it is with another proof behind it.
#[test]
fn proofs_of_possession_are_no_part_of_a_key() {
    for &scheme in Scheme::ALL.iter().filter(|scheme| scheme.adds_keys()) {
        let suite = scheme.suite();
        let mut key = suite.visit(FreshKey);
        let part = suite.key_part(&key).expect("it has the length of a key").to_vec();
        *key.last_mut().expect("a key has bytes") ^= 1;
        assert_eq!(suite.key_part(&key).ok(), Some(&part[..]), "{scheme}");
        assert_eq!(suite.key_part(&part).ok(), Some(&part[..]), "{scheme}");
    }
}
