//! drand: a round of a network, and the key that signs its rounds, as its HTTP API answers (`crypto/schemes.go` of
//! drand/drand). A network's key is one for all of its nodes, so the committee has one member.

use std::path::{Path, PathBuf};

use muster_circuits::{Committee, Message, PointHash, Rule, Scheme, Suite};
use muster_schemes::{
    hash::{keccak::keccak256, sha256::sha256},
    membership::PublicKey,
    signature::{bls::tags, HashTag},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    imported::{trusting, Imported, Importer, Said, Together},
    members::in_words,
    weight::to_json,
    CommitteeFile, SignaturesFile,
};
use crate::{encoding::to_hex, input, Error, Number};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 16;
/// Most characters of a file's text that an error shows.
const SHOWN: usize = 64;
/// The identifier of a network that enters no hash.
const DEFAULT_ID: &str = "default";
/// Bytes of a signature in G2 of BLS12-381: the only ones that rounds are chained by.
const CHAINED: usize = 96;
/// Bytes of a network's seed: the hash of the group that began it.
const SEED: usize = 32;
/// Tag of the networks for the EVM.
const EVM_TAG: &str = "BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_";
/// Networks of the League of Entropy, by the hash of their parameters.
const NETWORKS: [(&str, &str); 5] = [
    ("default", "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"),
    ("quicknet", "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"),
    ("evmnet", "04f1e9062b8a81f848fded9c12306733282b2727ecced50032187751166ec8c3"),
    (
        "fastnet, which was shut down",
        "dbd506d6ef76e5f386f41c651dcb808c5bcbd75471cc4eafa3f4df7ad4e4c493",
    ),
    ("quicknet-t, for tests", "cc9c398442737cbd141526600919edd69f1d6f9b4adb67e4d912fbc64341a9a5"),
];

/// A round, and the network's parameters.
#[derive(Clone, Debug)]
pub struct Drand {
    /// An answer of `/public/ROUND`, or of `/rounds/ROUND` in the second version.
    pub round: PathBuf,
    /// The answer of `/info`.
    pub info: PathBuf,
    /// The hash of the network's parameters, if that is known.
    pub chain_hash: Option<[u8; 32]>,
}

/// Both versions of the API, which name fields differently.
#[derive(Deserialize)]
struct RawInfo {
    public_key: String,
    period: Number<u32>,
    genesis_time: Number<u64>,
    #[serde(alias = "chain_hash")]
    hash: Option<String>,
    #[serde(rename = "groupHash", alias = "genesis_seed")]
    group_hash: String,
    #[serde(rename = "schemeID", alias = "scheme")]
    scheme: String,
    beacon_id: Option<String>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    beacon_id: Option<String>,
}

#[derive(Deserialize)]
struct RawRound {
    round: Number<u64>,
    randomness: Option<String>,
    signature: String,
    previous_signature: Option<String>,
}

/// How a network signs, by the name of its scheme.
struct Kind {
    scheme: Scheme,
    hash: PointHash,
    digest: fn(&[u8]) -> [u8; 32],
    /// Whether a round signs the signature of the one before.
    is_chained: bool,
}

/// A network's parameters.
struct Network {
    kind: Kind,
    key: Vec<u8>,
    seed: Vec<u8>,
    id: String,
    hash: [u8; 32],
}

impl Importer for Drand {
    fn import(&self) -> Result<Imported, Error> {
        let network = Network::read(&self.info)?;
        if let Some(expected) = self.chain_hash
            && expected != network.hash
        {
            let [found, expected] = [network.hash, expected].map(hex::encode);
            let reason = format!("the network is {found}, not {expected}");
            return Err(Error::file(&self.info, reason));
        }
        let path = &self.round;
        let round: RawRound = input::parse(path, &input::read(path, LIMIT)?)?;
        let digest = network.digest(path, &round)?;
        let suite = trusting(network.kind.scheme, None, Some(network.kind.hash))?;
        let committee = network.committee(&self.info, suite)?;
        let message = Message::Digest(digest);
        let (signatures, randomness) = round.signed(path, (&committee, suite), &message)?;
        let Network { id, hash, .. } = &network;
        let json = json!({
            "network": id,
            "chain_hash": to_hex(hash),
            "randomness": to_hex(&randomness),
        });
        let (compared, believed) = self.said(&network, &round);
        let options = format!(" --rule {} --hash {}", Rule::TrustedKeys.name(), suite.hash());
        let threshold = "1".into();
        let mut said = Said { threshold, options, json, compared, believed, ..Said::default() };
        said.rows.push(("network", format!("{id}, {}", hex::encode(hash))));
        said.say("round", "round", to_json(round.round.0.into()));
        said.rows.push(("randomness", hex::encode(randomness)));
        said.say("digest", "digest", to_hex(&digest));
        Ok(Imported::new(committee, signatures, said))
    }
}

impl Drand {
    /// What was compared, and what had to be believed.
    fn said(&self, network: &Network, round: &RawRound) -> (Vec<String>, Vec<String>) {
        let mut compared = vec![
            "the network's period, start, key, seed and name with the hash that names it"
                .to_owned(),
            "the signature with the network's key, and so the scheme, which the hash leaves out"
                .into(),
        ];
        if round.randomness.is_some() {
            compared.push("the randomness with the signature, of which it is the hash".into());
        }
        let mut believed = vec![];
        match (self.chain_hash, network.known()) {
            (Some(_), _) => compared.push("the hash with the one expected".into()),
            (None, Some(name)) => compared.push(format!("the hash with that of {name}")),
            (None, None) => believed.push(
                "that this is the network meant, which Muster does not know: --chain-hash compares it"
                    .into(),
            ),
        }
        believed.push(
            "that so many nodes signed as the network's threshold says: they have one key together, and a signature does not tell whose shares made it"
                .into(),
        );
        believed.push(if network.kind.is_chained {
            "not in a proof: the randomness of this round. The statement has the digest of the round before it, so whoever knows that round's signature learns from the digest that it was signed"
        } else {
            "not in a proof: the randomness, which is the hash of the signature. The statement says that the round was signed, and hides how"
        }.into());
        (compared, believed)
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        let kind = |scheme, hash| Self { scheme, hash, digest: sha256, is_chained: false };
        let tag = |tag: &[u8]| HashTag::new(std::str::from_utf8(tag).ok()?);
        Some(match name {
            "pedersen-bls-chained" => {
                Self { is_chained: true, ..kind(Scheme::BlsBls12381, PointHash::Basic) }
            }
            "pedersen-bls-unchained" => kind(Scheme::BlsBls12381, PointHash::Basic),
            // Its signatures are in G1, but the tag is that of G2.
            "bls-unchained-on-g1" => {
                kind(Scheme::BlsBls12381MinSig, PointHash::Tagged(tag(tags::BLS12381_G2)?))
            }
            "bls-unchained-g1-rfc9380" => kind(Scheme::BlsBls12381MinSig, PointHash::Basic),
            "bls-bn254-unchained-on-g1" => Self {
                digest: keccak256,
                ..kind(Scheme::BlsBn254MinSig, PointHash::Keccak(HashTag::new(EVM_TAG)?))
            },
            _ => return None,
        })
    }
}

impl Network {
    fn read(path: &Path) -> Result<Self, Error> {
        let raw: RawInfo = input::parse(path, &input::read(path, LIMIT)?)?;
        let named = |field: &str, text: &str| bytes(text).map_err(Error::at(path, field));
        let kind = Kind::named(&raw.scheme).ok_or_else(|| {
            let shown: String = raw.scheme.chars().take(SHOWN).collect();
            Error::field(path, "schemeID", format!("{shown:?} is no known scheme of drand"))
        })?;
        let key = named("public_key", &raw.public_key)?;
        let seed = named("groupHash", &raw.group_hash)?;
        // Nothing parts the seed from the name in what is hashed: bytes of one could be said to be the other's.
        if seed.len() != SEED {
            return Err(Error::field(path, "groupHash", format!("not {SEED} bytes")));
        }
        let id = raw.beacon_id.or(raw.metadata.and_then(|metadata| metadata.beacon_id));
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| DEFAULT_ID.to_owned());
        if id.len() > 64 || !id.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::field(path, "beaconID", "not a short word of ASCII"));
        }
        // `Info.Hash` of drand's `common/chain/info.go`.
        let genesis = raw.genesis_time.0.to_be_bytes();
        let hashed_id = if id == DEFAULT_ID { &[][..] } else { id.as_bytes() };
        let parts = [&raw.period.0.to_be_bytes()[..], &genesis, &key, &seed, hashed_id];
        let hash = sha256(&parts.concat());
        if let Some(claimed) = &raw.hash
            && named("hash", claimed)? != hash
        {
            let claimed: String = claimed.chars().take(SHOWN).collect();
            let reason = format!("{claimed}, but the parameters have {}", hex::encode(hash));
            return Err(Error::field(path, "hash", reason));
        }
        Ok(Self { kind, key, seed, id, hash })
    }

    /// The name of a network that is known.
    fn known(&self) -> Option<&'static str> {
        let hash = hex::encode(self.hash);
        NETWORKS.iter().find_map(|(name, known)| (*known == hash).then_some(*name))
    }

    /// What the network's nodes sign in a round.
    fn digest(&self, path: &Path, round: &RawRound) -> Result<[u8; 32], Error> {
        let number = round.round.0;
        if number == 0 {
            return Err(Error::field(path, "round", "0, but rounds count from 1"));
        }
        let bad = |reason: String| Error::field(path, "previous_signature", reason);
        let before = match (&round.previous_signature, self.kind.is_chained) {
            (Some(text), true) => bytes(text).map_err(bad)?,
            (None, true) => {
                return Err(bad("missing: rounds of this network sign the one before".into()))
            }
            (Some(text), false) if !text.is_empty() => {
                return Err(bad(
                    "there, but rounds of this network do not sign the one before".into()
                ))
            }
            (_, false) => vec![],
        };
        // The first round signs the seed.
        let is_seed = number == 1 && before == self.seed;
        if self.kind.is_chained && before.len() != CHAINED && !is_seed {
            let reason = format!("{} bytes, not {CHAINED}, nor the network's seed", before.len());
            return Err(bad(reason));
        }
        Ok((self.kind.digest)(&[&before[..], &number.to_be_bytes()].concat()))
    }

    /// The network as a committee of one.
    fn committee(&self, path: &Path, suite: Suite) -> Result<CommitteeFile, Error> {
        let key = suite.decode_key(&self.key).map_err(in_words);
        let key: PublicKey = key.map_err(Error::at(path, "public_key"))?;
        let committee = Committee::new(&[(key, 1)]).map_err(Error::at(path, "public_key"))?;
        Ok(CommitteeFile::whole(suite, committee))
    }
}

impl RawRound {
    /// The network's signature, which has to hold, and its hash.
    fn signed(
        &self,
        path: &Path,
        (committee, suite): (&CommitteeFile, Suite),
        message: &Message,
    ) -> Result<(SignaturesFile, [u8; 32]), Error> {
        let found = bytes(&self.signature).map_err(Error::at(path, "signature"))?;
        let (at, signer) = ("signature", "the network");
        let signed = Together { path, at, signer, members: vec![0], signature: &found };
        let signatures = signed.verified(committee, suite, message.clone())?;
        let randomness = sha256(&found);
        if let Some(text) = &self.randomness
            && bytes(text).map_err(Error::at(path, "randomness"))? != randomness
        {
            let reason = format!("not {}, the hash of the signature", hex::encode(randomness));
            return Err(Error::field(path, "randomness", reason));
        }
        Ok((signatures, randomness))
    }
}

/// Bytes in hex, as Go writes them, or with `0x` before them.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    hex::decode(digits).map_err(|error| error.to_string().to_lowercase())
}
