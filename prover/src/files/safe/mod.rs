//! Safe: the owners of an account, and their confirmations of a transaction, as the transaction service answers. The
//! hashes are those of `Safe.sol` from version 1.3.0 on, the kinds of signatures those of its `checkNSignatures`.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use muster_schemes::{curve::weierstrass::Address, hash::keccak::keccak256};
use serde::Deserialize;

use super::imported::{
    eth_signed, of_addresses, word, Aside, Claimed, Imported, Importer, Said, NO_QUORUM,
};
use crate::{
    encoding::{from_hex, from_hex_exact, to_hex},
    input, Error, Number,
};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 24;
/// `EIP712Domain(uint256 chainId,address verifyingContract)`, and the type of a transaction.
const DOMAIN: &[u8] = b"EIP712Domain(uint256 chainId,address verifyingContract)";
const SAFE_TX: &[u8] = b"SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)";
/// Bytes of a signature: r, s and v.
const SIGNATURE: usize = 65;
/// What `Safe` adds to v where `eth_sign` signed.
const ETH_SIGN_ADDS: u8 = 4;

/// A Safe and a transaction.
#[derive(Clone, Debug)]
pub struct Safe {
    /// The answer of `/safes/ADDRESS/`.
    pub safe: PathBuf,
    /// The answer of `/multisig-transactions/HASH/`.
    pub transaction: PathBuf,
    /// The chain, from which the transaction's hash follows.
    pub chain_id: Option<u64>,
    /// Whether to take the signatures by `eth_sign`, whose message is another one.
    pub eth_sign: bool,
}

#[derive(Deserialize)]
struct RawSafe {
    address: String,
    owners: Vec<String>,
    threshold: Number<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawTransaction {
    safe: String,
    to: String,
    value: Number<u128>,
    data: Option<String>,
    operation: Number<u8>,
    safe_tx_gas: Number<u128>,
    base_gas: Number<u128>,
    gas_price: Number<u128>,
    gas_token: Option<String>,
    refund_receiver: Option<String>,
    nonce: Number<u128>,
    safe_tx_hash: String,
    confirmations: Vec<RawConfirmation>,
}

#[derive(Deserialize)]
struct RawConfirmation {
    owner: String,
    signature: Option<String>,
}

impl Importer for Safe {
    fn import(&self) -> Result<Imported, Error> {
        let (path, from) = (&self.safe, &self.transaction);
        let safe: RawSafe = input::parse(path, &input::read(path, LIMIT)?)?;
        let transaction: RawTransaction = input::parse(from, &input::read(from, LIMIT)?)?;
        let (account, owners) = safe.decode(path)?;
        let hash = self.signed_hash(&transaction, &account)?;
        let members: Vec<_> = owners.iter().map(|owner| (*owner, 1)).collect();
        let committee = of_addresses(&members).map_err(Error::at(path, "owners"))?;
        let (claims, asides) = self.claims(&owners, &transaction.confirmations)?;
        let message = if self.eth_sign { eth_signed(&hash) } else { hash };
        let threshold = safe.threshold.0;
        let mut compared = vec![
            "the account of the transaction with that of the owners".to_owned(),
            "each signature with the address of its owner".into(),
        ];
        let mut believed = vec![format!(
            "that these are the owners of {account}, and that {threshold} of them are enough"
        )];
        match self.chain_id {
            Some(chain) => compared.push(format!("the hash with the transaction on chain {chain}")),
            None => believed
                .push("that the hash is that of the transaction: --chain-id compares it".into()),
        }
        let text = threshold.to_string();
        let mut said = Said { threshold: text, asides, compared, believed, ..Said::default() };
        said.say("safe", "safe", account.to_string());
        said.say("nonce", "nonce", transaction.nonce.0.to_string());
        said.say("transaction", "transaction", to_hex(&hash));
        said.say("threshold", "threshold", threshold);
        Imported::by_addresses(committee, message, claims, said)
    }
}

impl Safe {
    /// The hash that was signed, if the transaction is one of the account and, on the chain that is given, has it.
    fn signed_hash(
        &self,
        transaction: &RawTransaction,
        account: &Address,
    ) -> Result<[u8; 32], Error> {
        let path = &self.transaction;
        if word_of(path, "safe", &transaction.safe)? != word(&account.to_bytes()) {
            let reason = format!("{}, but the owners are those of {account}", transaction.safe);
            return Err(Error::field(path, "safe", reason));
        }
        let hash =
            from_hex_exact(&transaction.safe_tx_hash).map_err(Error::at(path, "safeTxHash"))?;
        let Some(chain) = self.chain_id else { return Ok(hash) };
        let computed = transaction.hash(path, chain, account)?;
        if computed == hash {
            return Ok(hash);
        }
        let [hash, computed] = [hash, computed].map(|hash| to_hex(&hash));
        let reason =
            format!("{hash}, but on chain {chain} the transaction has the hash {computed}");
        Err(Error::field(path, "safeTxHash", reason))
    }

    /// The signatures on the message that is asked for, and why the others are not.
    fn claims(
        &self,
        owners: &[Address],
        confirmations: &[RawConfirmation],
    ) -> Result<(Vec<Claimed>, Vec<Aside>), Error> {
        // Both lists are strangers'.
        let members: HashMap<_, _> = owners.iter().zip(0..).collect();
        let (mut claims, mut asides) = (vec![], vec![]);
        for (number, confirmation) in confirmations.iter().enumerate() {
            let RawConfirmation { owner, signature } = confirmation;
            let at = |field: &str| format!("confirmations[{number}].{field}");
            let address: Address =
                owner.parse().map_err(Error::at(&self.transaction, at("owner")))?;
            let who = format!("owner {address}");
            let Some(&member) = members.get(&address) else {
                asides.push(Aside::new(who, "not one of the owners"));
                continue;
            };
            let signature = signature.as_deref().unwrap_or("0x");
            let bytes =
                from_hex(signature).map_err(Error::at(&self.transaction, at("signature")))?;
            let why = match by_key(bytes) {
                Ok((signature, eth_sign)) if eth_sign == self.eth_sign => {
                    claims.push(Claimed { who, member: Some(member), signature });
                    continue;
                }
                Ok((_, true)) => {
                    "it was made with eth_sign, which signs another message: --eth-sign takes those"
                }
                Ok((_, false)) => "it was not made with eth_sign, and signs another message",
                Err(why) => why,
            };
            asides.push(Aside::new(who, why));
        }
        Ok((claims, asides))
    }
}

impl RawSafe {
    /// The account and its owners.
    fn decode(&self, path: &Path) -> Result<(Address, Vec<Address>), Error> {
        if self.threshold.0 == 0 {
            return Err(Error::field(path, "threshold", NO_QUORUM));
        }
        let account = self.address.parse().map_err(Error::at(path, "address"))?;
        let owner = |(number, text): (usize, &String)| {
            text.parse().map_err(Error::at(path, format!("owners[{number}]")))
        };
        let owners = self.owners.iter().enumerate().map(owner).collect::<Result<_, _>>()?;
        Ok((account, owners))
    }
}

impl RawTransaction {
    /// `getTransactionHash` of the account on a chain (EIP-712).
    fn hash(&self, path: &Path, chain: u64, account: &Address) -> Result<[u8; 32], Error> {
        let address = |field: &str, text: &Option<String>| {
            text.as_deref().map_or(Ok([0; 32]), |text| word_of(path, field, text))
        };
        let data =
            from_hex(self.data.as_deref().unwrap_or("0x")).map_err(Error::at(path, "data"))?;
        let number = |number: u128| word(&number.to_be_bytes());
        let fields = [
            keccak256(SAFE_TX),
            word_of(path, "to", &self.to)?,
            number(self.value.0),
            keccak256(&data),
            number(self.operation.0.into()),
            number(self.safe_tx_gas.0),
            number(self.base_gas.0),
            number(self.gas_price.0),
            address("gasToken", &self.gas_token)?,
            address("refundReceiver", &self.refund_receiver)?,
            number(self.nonce.0),
        ];
        let domain = [keccak256(DOMAIN), number(chain.into()), word(&account.to_bytes())];
        let [domain, transaction] = [keccak256(&domain.concat()), keccak256(&fields.concat())];
        Ok(keccak256(&[&[0x19, 1], &domain[..], &transaction].concat()))
    }
}

/// A signature by a key, with the v of ECDSA, and whether it is of the hash behind the prefix of `eth_sign`: the last byte of the first
/// 65 says so, or that no key signed.
fn by_key(mut bytes: Vec<u8>) -> Result<(Vec<u8>, bool), &'static str> {
    match bytes.get(SIGNATURE - 1) {
        Some(0) => Err("a contract answers for it (EIP-1271): there is no key that signed"),
        Some(1) => Err("its owner approved the hash on the chain: there is no signature"),
        None if bytes.is_empty() => Err("there is no signature"),
        Some(v) if *v > 30 => {
            bytes[SIGNATURE - 1] -= ETH_SIGN_ADDS;
            Ok((bytes, true))
        }
        _ => Ok((bytes, false)),
    }
}

/// An address as a word. It may be zero, which means nobody.
fn word_of(path: &Path, field: &str, text: &str) -> Result<[u8; 32], Error> {
    let bytes = from_hex_exact::<20>(text).map_err(Error::at(path, field))?;
    Ok(word(&bytes))
}

#[cfg(test)]
mod tests;
