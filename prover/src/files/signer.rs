//! How a signature says whose it is: by the number of a member, by a key or an address or, where the key can be recovered
//! from the signature, not at all.

use std::{borrow::Cow, collections::HashMap, fmt};

use muster_circuits::{Message, Rejection, Signature, Suite};
use muster_schemes::{
    curve::weierstrass::{Address, Curve, Point},
    decimal,
    membership::PublicKey,
    signature::{
        ecdsa::{decode_recoverable, EcdsaSecp256k1},
        KeyKind, SignatureError,
    },
};
use serde::{
    de::{self, Visitor},
    Deserialize, Deserializer,
};

use super::committee::CommitteeFile;
use crate::encoding::from_hex;

/// Bytes of an address.
const ADDRESS: usize = 20;
/// Most characters of a signer's name that are shown: a key with a proof of possession is longer.
const SHOWN: usize = 140;
/// Bytes of a signature of ECDSA with the byte that lets the key be recovered.
const RECOVERABLE: usize = 65;

/// A signer as a file names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawSigner<'a> {
    /// The member's number.
    Number(usize),
    /// The key or the address, in hex.
    Key(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for RawSigner<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrKey)
    }
}

struct NumberOrKey;

impl NumberOrKey {
    fn read<'a>(text: Cow<'a, str>) -> Result<RawSigner<'a>, String> {
        match decimal::read(&text) {
            Ok(number) => Ok(RawSigner::Number(number)),
            Err(_) if text.starts_with("0x") => match from_hex(&text) {
                Ok(_) => Ok(RawSigner::Key(text)),
                Err(reason) => Err(reason.into()),
            },
            Err(_) => Err(format!("{text:?} is no member's number, and no key or address in hex")),
        }
    }
}

impl<'de> Visitor<'de> for NumberOrKey {
    type Value = RawSigner<'de>;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a member's number, or a key or an address in hex")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        // Wherever a number of 64 bits is none of the machine's, no set has so many members.
        Ok(RawSigner::Number(usize::try_from(number).unwrap_or(usize::MAX)))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Self::read(text.into()).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Self::read(text.to_owned().into()).map_err(E::custom)
    }
}

/// The members of a committee, found by what signatures say of their signers.
pub(super) struct Signers<'a> {
    suite: Suite,
    message: &'a Message,
    members: usize,
    /// The members with each key or address.
    named: HashMap<PublicKey, Vec<usize>>,
}

/// Why a signature counts for nobody, and whose it is if that is known.
type Nobody = (Option<usize>, Rejection);

impl<'a> Signers<'a> {
    /// Those of a committee of the suite. They are found by number alone unless `by_key` is set, which takes a table.
    pub(super) fn new(
        (committee, suite): (&CommitteeFile, Suite),
        message: &'a Message,
        by_key: bool,
    ) -> Self {
        let members = committee.committee.members();
        let mut named = HashMap::<_, Vec<_>>::new();
        let mut add = |name: PublicKey, number: usize| named.entry(name).or_default().push(number);
        for (number, member) in members.iter().enumerate().filter(|_| by_key) {
            let key = &member.public_key;
            if let Some(point) = key.of::<Point>().filter(|_| recovers(suite)) {
                add(point.address().into(), number);
            }
            add(key.clone(), number);
        }
        Self { suite, message, members: members.len(), named }
    }

    /// The member whom a file names.
    pub(super) fn member(&self, signer: &RawSigner) -> Result<usize, Rejection> {
        let text = match signer {
            RawSigner::Number(number) => return Ok(*number),
            RawSigner::Key(text) => text,
        };
        let bytes = from_hex(text).unwrap_or_default();
        let name = if recovers(self.suite) && bytes.len() == ADDRESS {
            text.parse::<Address>().ok().map(PublicKey::from)
        } else {
            self.suite.decode_key(&bytes).ok()
        };
        self.one(name.as_ref(), text)
    }

    /// A signature and its member: the one who is named or, if nobody is, the one whose key it tells.
    pub(super) fn read(
        &self,
        signer: Option<&RawSigner>,
        bytes: &[u8],
    ) -> Result<(usize, Signature), Nobody> {
        let member = match signer {
            Some(signer) => self.member(signer),
            None => self.recover(bytes),
        };
        let member = member.map_err(|rejection| (None, rejection))?;
        let broken = |rule| (Some(member), Rejection::Signature { member, rule });
        Ok((member, self.decode(bytes).map_err(broken)?))
    }

    /// A signature of the scheme. Wallets make it with the byte that tells its key, of which sets by key have no need.
    fn decode(&self, bytes: &[u8]) -> Result<Signature, SignatureError> {
        let is_by_key = self.suite.keys().is_coordinates();
        if is_by_key && recovers(self.suite) && bytes.len() == RECOVERABLE {
            return Ok(decode_recoverable(Curve::Secp256k1, bytes)?.0.into());
        }
        self.suite.decode_signature(bytes)
    }

    /// The member whose key a signature tells.
    fn recover(&self, bytes: &[u8]) -> Result<usize, Rejection> {
        let recovered = decode_recoverable(Curve::Secp256k1, bytes).and_then(|(signature, id)| {
            let digest = self.message.digest().ok_or(SignatureError::NotRecoverable)?;
            EcdsaSecp256k1::recover(&digest, &signature, id)
        });
        let address = recovered.map_err(Rejection::Unrecovered)?.address();
        self.one(Some(&address.into()), &address.to_string())
    }

    /// The one member of this name, which a file has as `text`.
    fn one(&self, name: Option<&PublicKey>, text: &str) -> Result<usize, Rejection> {
        let signer = || {
            let shown: String = text.chars().take(SHOWN).collect();
            if shown.len() < text.len() {
                shown + "…"
            } else {
                shown
            }
        };
        match name.and_then(|name| self.named.get(name)).map(Vec::as_slice) {
            Some(&[number]) => Ok(number),
            Some([..]) => Err(Rejection::Seats(signer())),
            None => Err(Rejection::Stranger { signer: signer(), members: self.members }),
        }
    }
}

/// Whether signatures of the scheme can tell whose they are.
pub(super) fn recovers(suite: Suite) -> bool {
    suite.scheme().names_members_by(KeyKind::Address)
}
