//! VAAs in their parts. Whether anybody signed one is for `muster` to say.

use alloy_primitives::{keccak256, Address, Bytes, B256};

/// version (1) || index (4) || signatures (1), and each signature.
const HEADER: usize = 6;
const SIGNATURE: usize = 66;
/// Bytes of a body before its payload; where its chain and its emitter stand.
const BODY: usize = 51;
const CHAIN: std::ops::Range<usize> = 8..10;
const EMITTER: std::ops::Range<usize> = 10..42;
/// Bytes of an upgrade before its list, and where the index stands: behind module, action and chain.
const LIST: usize = 40;
const INDEX: std::ops::Range<usize> = 35..39;
const ADDRESS: usize = 20;
/// The first byte of what a client is passed.
const VERSION: u8 = 0x4d;

/// The guardians that a message puts in office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upgrade {
    pub(super) index: u32,
    pub(super) guardians: Vec<Address>,
}

/// A VAA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vaa {
    /// As it stands in its file.
    pub(super) text: String,
    /// Whose signatures it has.
    pub(super) index: u32,
    /// The guardians that it puts in office, if it is such a message.
    pub(super) upgrade: Option<Upgrade>,
    body: Vec<u8>,
}

impl Vaa {
    /// Nothing if it cannot be read.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bytes = hex::decode(text.trim()).ok()?;
        let index = number(bytes.get(1..5)?)?;
        let body = bytes.get(HEADER + SIGNATURE * usize::from(*bytes.get(5)?)..)?.to_vec();
        let payload = body.get(BODY..)?;
        let upgrade = upgrade(body.get(CHAIN)?, body.get(EMITTER)?, payload);
        Some(Self { text: text.trim().to_owned(), index, upgrade, body })
    }

    /// What guardians sign.
    pub(super) fn digest(&self) -> B256 {
        keccak256(keccak256(&self.body))
    }

    /// What `WormholeClient` is passed: the body with a proof in place of signatures.
    pub(super) fn with(&self, proof: &Bytes) -> Bytes {
        // A proof has some 1,500 bytes.
        let length = u16::try_from(proof.len()).unwrap_or(u16::MAX).to_be_bytes();
        [&[VERSION][..], &self.index.to_be_bytes(), &length, proof, &self.body].concat().into()
    }
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.try_into().ok().map(u32::from_be_bytes)
}

/// Governance's message that puts guardians in office on all chains.
fn upgrade(chain: &[u8], emitter: &[u8], payload: &[u8]) -> Option<Upgrade> {
    let is_governance = chain == [0, 1] && emitter == B256::with_last_byte(4).as_slice();
    let module = [&[0; 28][..], b"Core", &[2, 0, 0]].concat();
    if !is_governance || !payload.starts_with(&module) {
        return None;
    }
    let list = payload.get(LIST..)?.chunks_exact(ADDRESS);
    let guardians = list.map(Address::from_slice).collect();
    Some(Upgrade { index: number(payload.get(INDEX)?)?, guardians })
}
