//! The states of a transcript, which a Keccak-256 in Python computed.

use crate::{scalar_to_bytes, Transcript};

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn states_are_those_of_another_program() {
    let mut transcript = Transcript::new();
    assert_eq!(
        hex(transcript.state()),
        "5ddffcfb62852761754932d55a3580cdabba89e679a86ea5e1149572414a0e2c"
    );
    transcript.absorb(b"abc");
    assert_eq!(
        hex(transcript.state()),
        "6704c1229cd356b359f9e411f6b853c4df60b1bd8030b0feaa393ad285c1a669"
    );
    let challenge = transcript.squeeze();
    assert_eq!(
        hex(transcript.state()),
        "3aec398892b887b5432fd20fc865635348ff82d9fbb6488a79f4789777c12c95"
    );
    assert_eq!(
        hex(scalar_to_bytes(&challenge)),
        "0a87eb15b186e78b8adf8c5946e40af620cb9a9181fcd7f93612830387c12c94"
    );
    let challenge = transcript.squeeze();
    assert_eq!(
        hex(transcript.state()),
        "ae163622cebf3d8ebf4434871f25e3571937142beb60b5c6686038d4a6df7142"
    );
    assert_eq!(
        hex(scalar_to_bytes(&challenge)),
        "1ce94aca2b2a5d11965363639aa1da3fa09b5b527e3464129cba5818d6df713f"
    );
    transcript.absorb(&[0; 300]);
    assert_eq!(
        hex(transcript.state()),
        "90a898724dd23292b0ce8b86561d87a42be935b771c9f010465464a433cff613"
    );
}

#[test]
fn an_empty_item_is_an_item() {
    let mut transcript = Transcript::new();
    let before = transcript.clone();
    transcript.absorb(&[]);
    assert_ne!(transcript, before);
}
