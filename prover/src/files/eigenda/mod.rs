//! EigenDA: a batch that its operators signed, as a disperser answers `GetBlobStatus` (`api/proto/disperser/v2` of
//! Layr-Labs/eigenda), and who they are.
//!
//! The signature is the sum of those of all quorums, an operator's once for each quorum that it is in (`BLSSignatureChecker` of
//! eigenlayer-middleware). So the committee has a seat for each operator of each quorum. A statement is about one quorum: its seats
//! weigh what their stakes are, all others 1, and the threshold is higher by the number of those.

mod operators;
#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use muster_circuits::{Committee, Message, PointHash, Rule, Scheme, Suite};
use muster_schemes::{
    hash::keccak::keccak256,
    membership::{PublicKey, Seats, WeightShift, WEIGHT_BITS},
};
use serde::{de::Error as _, Deserialize, Deserializer};
use serde_json::json;

use self::operators::{FirstKey, Id, Operators, FIRST, LIMIT, MAX_QUORUMS};
use super::{
    bases::from_base64,
    imported::{trusting, word, Imported, Importer, Said, Together},
    members::in_words,
    weight::to_json,
    CommitteeFile,
};
use crate::{encoding::to_hex, input, Error, Number};

/// How many candidates a circuit tries: none is found for one batch in `2^64`.
const CANDIDATES: usize = 64;
/// Where a batch's fields stand.
const AT: &str = "signedBatch.attestation";

/// A batch, and the operators of its quorums.
#[derive(Clone, Debug)]
pub struct EigenDa {
    /// The answer of `GetBlobStatus`, as grpcurl prints it.
    pub batch: PathBuf,
    /// What `getOperatorState` returned for the batch's quorums, in order, at its block: an answer of `eth_call`, or hex.
    pub operators: PathBuf,
    /// Answers of `eth_getLogs` with the operators' registrations.
    pub keys: Vec<PathBuf>,
    /// The quorum that the statement is about, if the batch has several.
    pub quorum: Option<u8>,
    /// How much of the quorum's stake has to sign, in percent.
    pub confirmation: u8,
}

#[derive(Deserialize)]
struct Reply {
    #[serde(rename = "signedBatch", alias = "signed_batch")]
    batch: Option<Batch>,
}

#[derive(Deserialize)]
struct Batch {
    header: Header,
    attestation: Attestation,
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "batchRoot", alias = "batch_root")]
    root: Bytes<32>,
    #[serde(rename = "referenceBlockNumber", alias = "reference_block_number")]
    block: Number<u32>,
}

#[derive(Deserialize)]
struct Attestation {
    #[serde(rename = "nonSignerPubkeys", alias = "non_signer_pubkeys", default)]
    absent: Vec<Bytes<FIRST>>,
    #[serde(rename = "quorumApks", alias = "quorum_apks")]
    sums: Vec<Bytes<FIRST>>,
    sigma: Bytes<FIRST>,
    #[serde(rename = "quorumNumbers", alias = "quorum_numbers")]
    quorums: Vec<Number<u8>>,
}

/// Bytes in base64.
struct Bytes<const N: usize>([u8; N]);

impl<'de, const N: usize> Deserialize<'de> for Bytes<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_base64(&text).map(Self).map_err(D::Error::custom)
    }
}

/// The seats of all quorums.
struct Seated {
    file: CommitteeFile,
    /// Those who signed.
    members: Vec<usize>,
    threshold: u128,
    /// Stake of the quorum that the statement is about: of who signed, and of all.
    signed: u128,
    total: u128,
    shift: WeightShift,
    /// Seats that weigh 1 whatever their stakes are.
    others: u64,
}

impl Importer for EigenDa {
    fn import(&self) -> Result<Imported, Error> {
        if !(1..=100).contains(&self.confirmation) {
            return Err(Error::Usage("--confirmation: from 1 to 100 percent".into()));
        }
        let path = &self.batch;
        let batch = Batch::read(path)?;
        let about = self.about(&batch.attestation)?;
        let quorums = batch.attestation.quorums.len();
        let operators = Operators::read(&self.operators, &self.keys, quorums)?;
        batch.attestation.check_sums(path, &operators)?;
        let absent = batch.attestation.absent(path, &operators)?;
        let hash = PointHash::Search { most: CANDIDATES };
        let suite = trusting(Scheme::BlsBn254MinSig, None, Some(hash))?;
        let seated = self.seated(suite, &operators, &absent, about)?;
        let digest = batch.header.hash();
        let (at, signer) = (format!("{AT}.sigma"), "the operators who are not named as absent");
        let (members, signature) = (seated.members.clone(), &batch.attestation.sigma.0);
        let signed = Together { path, at: &at, signer, members, signature };
        let signatures = signed.verified(&seated.file, suite, Message::Digest(digest))?;
        let said = self.said(&batch, about, &seated, absent.len(), suite);
        Ok(Imported::new(seated.file, signatures, said))
    }
}

impl EigenDa {
    /// The place of the quorum that the statement is about.
    fn about(&self, attestation: &Attestation) -> Result<usize, Error> {
        let quorums = &attestation.quorums;
        if let ([_], None) = (&quorums[..], self.quorum) {
            return Ok(0);
        }
        let place = quorums.iter().position(|quorum| Some(quorum.0) == self.quorum);
        place.ok_or_else(|| {
            let quorums: Vec<_> = quorums.iter().map(|quorum| quorum.0.to_string()).collect();
            let reason = format!("--quorum: one of {}, which signed the batch", quorums.join(", "));
            Error::Usage(reason)
        })
    }

    /// The committee, and who of it signed.
    fn seated(
        &self,
        suite: Suite,
        operators: &Operators,
        absent: &HashSet<Id>,
        about: usize,
    ) -> Result<Seated, Error> {
        let path = &self.operators;
        let stakes = || operators.lists[about].iter();
        let total: u128 = stakes().map(|operator| operator.stake).sum();
        if total == 0 {
            return Err(Error::file(path, format!("[{about}]: a quorum without any stake")));
        }
        let signed = stakes().filter(|operator| !absent.contains(&operator.id));
        let signed = signed.map(|operator| operator.stake).sum();
        // One bit less than weights have in all, for the seats that weigh 1.
        let bits = (u128::BITS - total.leading_zeros()).saturating_sub(WEIGHT_BITS - 1);
        let shift = WeightShift::new(bits).unwrap_or_default();
        let (mut seats, mut members, mut others) = (vec![], vec![], 0);
        for (quorum, list) in operators.lists.iter().enumerate() {
            for operator in list {
                let weight = shift.weight(operator.stake) as u64;
                let counts = quorum == about && weight > 0;
                others += u64::from(!counts);
                if !absent.contains(&operator.id) {
                    members.push(seats.len());
                }
                seats.push((&operator.id, if counts { weight } else { 1 }));
            }
        }
        let least = (total * u128::from(self.confirmation)).div_ceil(100);
        let threshold = shift.threshold(least) + u128::from(others);
        let file = committee(path, suite, operators, &seats)?;
        Ok(Seated { file, members, threshold, signed, total, shift, others })
    }

    /// What the files say, what was compared, and what had to be believed.
    fn said(
        &self,
        batch: &Batch,
        about: usize,
        seated: &Seated,
        absent: usize,
        suite: Suite,
    ) -> Said {
        let Seated { threshold, signed, total, shift, others, .. } = seated;
        let (block, quorums) = (batch.header.block.0, &batch.attestation.quorums);
        let (quorum, confirmation, bits) = (quorums[about].0, self.confirmation, shift.bits());
        let percent = signed * 100 / total;
        let json = json!({
            "signed_stake": to_json(*signed),
            "total_stake": to_json(*total),
            "confirmation": confirmation,
            "weight_shift": bits,
            "other_seats": others,
        });
        let compared = vec![
            "each operator's name with the hash of the key that it registered".to_owned(),
            "each operator's key in G2 with the one in G1, of which batches have sums".into(),
            "the sum of each quorum's keys with the one in the batch".into(),
            "the signature with the keys of all who are not named as absent".into(),
        ];
        let mut believed = vec![
            format!("that these are the operators of block {block} with their stakes, and that the registry holds their keys: ask a node that you trust"),
            "that each operator proved possession of its key when it registered, as the registry asks".into(),
            "not in a proof: that a blob is in the batch, which its inclusion proof shows".into(),
        ];
        if quorums.len() > 1 {
            believed.push(format!("not in a proof: how much of the other quorums' stake signed: it is about quorum {quorum}, and --quorum names another one"));
        }
        let hash = suite.hash();
        let options = format!(" --rule {} --seats --hash {hash}", Rule::TrustedKeys.name());
        let threshold = threshold.to_string();
        let mut said = Said { threshold, options, json, compared, believed, ..Said::default() };
        said.say("batch root", "batch_root", to_hex(&batch.header.root.0));
        said.say("reference block", "reference_block", block);
        said.say("quorum", "quorum", quorum);
        said.rows.push(("stake", format!("{signed} of {total} signed, {percent} %")));
        said.say("absent", "absent", absent);
        said.rows.push(("threshold", format!("{confirmation} % of the stake, without its lowest {bits} bits, and {others} for the seats that weigh 1 whatever their stakes are")));
        said.say("digest", "digest", to_hex(&batch.header.hash()));
        said
    }
}

/// A committee of these operators, with weights.
fn committee(
    path: &Path,
    suite: Suite,
    operators: &Operators,
    seats: &[(&Id, u64)],
) -> Result<CommitteeFile, Error> {
    let bad = |id: &Id, reason: String| {
        Error::file(path, format!("operator {}: {reason}", to_hex(&id[..])))
    };
    let members = seats.iter().map(|(id, weight)| {
        let keys = operators.keys.get(*id).ok_or_else(|| bad(id, "without a key".into()))?;
        let key: Result<PublicKey, _> = suite.decode_key(&keys.second);
        Ok((key.map_err(|rule| bad(id, in_words(rule)))?, *weight))
    });
    let members = members.collect::<Result<Vec<_>, Error>>()?;
    let committee = Committee::with_seats(&members, Seats::Several);
    let committee = committee.map_err(|error| Error::file(path, error.to_string()))?;
    Ok(CommitteeFile::whole(suite, committee))
}

impl Batch {
    fn read(path: &Path) -> Result<Self, Error> {
        let Reply { batch } = input::parse(path, &input::read(path, LIMIT)?)?;
        let batch = batch.ok_or_else(|| {
            let reason = "missing: there is one once operators have signed the blob's batch";
            Error::field(path, "signedBatch", reason)
        })?;
        let Attestation { quorums, sums, .. } = &batch.attestation;
        let count = quorums.len();
        let bad =
            |field: &str, reason: String| Err(Error::field(path, format!("{AT}.{field}"), reason));
        if !(1..=MAX_QUORUMS).contains(&count) {
            return bad("quorumNumbers", format!("{count} quorums, not 1 to {MAX_QUORUMS}"));
        }
        let distinct: HashSet<_> = quorums.iter().map(|Number(quorum)| quorum).collect();
        if distinct.len() < count {
            return bad("quorumNumbers", "a quorum twice".into());
        }
        if sums.len() != count {
            return bad("quorumApks", format!("{} for {count} quorums", sums.len()));
        }
        Ok(batch)
    }
}

impl Header {
    /// What operators sign: `hashBatchHeaderV2` of `EigenDACertVerificationLib`.
    fn hash(&self) -> [u8; 32] {
        keccak256(&[self.root.0, word(&self.block.0.to_be_bytes())].concat())
    }
}

impl Attestation {
    /// Checks that the operators' keys add up to those of their quorums.
    fn check_sums(&self, path: &Path, operators: &Operators) -> Result<(), Error> {
        for (quorum, Bytes(sum)) in self.sums.iter().enumerate() {
            let at = format!("{AT}.quorumApks[{quorum}]");
            let sum = FirstKey::from_bytes(sum).map_err(Error::at(path, &at))?;
            if operators.sum(quorum) != Some(sum) {
                let reason = "not the sum of the keys of the operators given: are they those of the reference block, with the quorums in order?";
                return Err(Error::field(path, at, reason));
            }
        }
        Ok(())
    }

    /// The names of those who did not sign.
    fn absent(&self, path: &Path, operators: &Operators) -> Result<HashSet<Id>, Error> {
        let mut absent = HashSet::new();
        for (number, Bytes(key)) in self.absent.iter().enumerate() {
            let bad = |reason: &str| {
                Err(Error::field(path, format!("{AT}.nonSignerPubkeys[{number}]"), reason))
            };
            let id = keccak256(key);
            if !operators.keys.contains_key(&id) {
                return bad("not the key of an operator in these quorums");
            }
            if !absent.insert(id) {
                return bad("named before");
            }
        }
        Ok(absent)
    }
}
