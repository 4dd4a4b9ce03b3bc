//! Wormhole: messages of guardians, and guardian sets that follow each other, from a folder of VAAs. A VAA is a file
//! NAME.vaa in hex; new ones may come at any time.

mod vaa;

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use alloy_primitives::{keccak256, Address, Bytes};
use alloy_sol_types::SolCall;
use serde_json::json;

use self::vaa::{Upgrade, Vaa};
use crate::{
    chain::Chain,
    config::Config,
    fault::Fault,
    programs::Muster,
    source::write,
    step::{Follower, Step},
};

mod abi {
    alloy_sol_types::sol! {
        struct GuardianSet {
            uint256 root;
            uint64 quorum;
            uint64 expirationTime;
        }

        function getCurrentGuardianSetIndex() external view returns (uint32 index);
        function guardianSet(uint32 index) external view returns (GuardianSet set);
        function submitNewGuardianSet(bytes message) external;
        function submitTranslatedGuardianSet(bytes message, uint256 root, bytes translation) external;

        function isDone(bytes32 hash) external view returns (bool done);
        function take(bytes message) external;
    }
}

/// A client, the folder, and what proves.
#[derive(Debug)]
pub(crate) struct Wormhole {
    chain: Chain,
    client: Address,
    receiver: Address,
    muster: Muster,
    /// Whether there are keys for translations; if not, the contract computes roots.
    translates: bool,
    vaas: PathBuf,
    work: PathBuf,
    first: Upgrade,
    /// Files about which there is nothing left to do.
    done: BTreeSet<String>,
    /// Files with the guardians of the sets that the client knows.
    lists: BTreeMap<u32, PathBuf>,
    /// The file of the last step.
    last: String,
}

impl Wormhole {
    pub(crate) fn new(config: &Config) -> Result<Self, Fault> {
        let missing = |field: &str| Fault::Config(format!("{field}: missing"));
        let first = config.first.clone().ok_or_else(|| missing("first"))?;
        Ok(Self {
            chain: Chain::new(config),
            client: config.client,
            receiver: config.receiver.ok_or_else(|| missing("receiver"))?,
            muster: Muster::new(config),
            translates: config.translation_keys.is_some(),
            vaas: config.source.clone().into(),
            work: config.work.clone(),
            first: Upgrade { index: first.index, guardians: first.addresses },
            done: BTreeSet::new(),
            lists: BTreeMap::new(),
            last: String::new(),
        })
    }

    /// All VAAs that can be read, by the names of their files.
    fn vaas(&mut self) -> Result<Vec<(String, Vaa)>, Fault> {
        let bad =
            |error: std::io::Error| Fault::Source(format!("{}: {error}", self.vaas.display()));
        let mut vaas = vec![];
        for entry in fs::read_dir(&self.vaas).map_err(bad)? {
            let path = entry.map_err(bad)?.path();
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            let (Some(name), true) = (name, path.extension().is_some_and(|end| end == "vaa"))
            else {
                continue;
            };
            match Vaa::read(&fs::read_to_string(&path).map_err(bad)?) {
                Some(vaa) => vaas.push((name, vaa)),
                None if self.done.insert(name.clone()) => println!("{name}: no VAA"),
                None => {}
            }
        }
        vaas.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(vaas)
    }

    /// What there is to do about a VAA, if its time has come.
    fn step(
        &mut self,
        name: &str,
        vaa: &Vaa,
        all: &[(String, Vaa)],
    ) -> Result<Option<Step>, Fault> {
        let current = self.chain.read(self.client, &abi::getCurrentGuardianSetIndexCall {})?;
        let is_done = match &vaa.upgrade {
            Some(next) => next.index <= current,
            None => self.chain.read(self.receiver, &abi::isDoneCall { hash: vaa.digest() })?,
        };
        if is_done {
            println!("{name}: done before");
            self.done.insert(name.to_owned());
            return Ok(None);
        }
        // Those of a set to come have to wait for it; only guardians in office name the next ones.
        if vaa.index > current || (vaa.upgrade.is_some() && vaa.index != current) {
            return Ok(None);
        }
        // What was not signed never will be: other signatures are another file.
        let refused = self.dir(name, vaa).join("refused");
        if refused.exists() {
            self.done.insert(name.to_owned());
            return Ok(None);
        }
        // A set that no VAA names, yet or ever, holds nobody up.
        let Some(list) = self.list(vaa.index, all)? else { return Ok(None) };
        let proof = match self.prove(name, vaa, &list) {
            Err(Fault::Source(reason)) => {
                println!("{name}: not signed by the guardians: {reason}");
                write(&refused, &reason)?;
                self.done.insert(name.to_owned());
                return Ok(None);
            }
            proof => proof?,
        };
        let message = vaa.with(&proof);
        let Some(next) = &vaa.upgrade else {
            let calldata = abi::takeCall { message }.abi_encode().into();
            let what = format!("{name}: delivered");
            return Ok(Some(Step { what, to: self.receiver, calldata }));
        };
        let what = format!("{name}: guardian set {} is in office", next.index);
        let calldata = self.rotation(&self.dir(name, vaa), next, message)?;
        Ok(Some(Step { what, to: self.client, calldata }))
    }

    /// The proof that its guardians signed it.
    fn prove(&self, name: &str, vaa: &Vaa, list: &Path) -> Result<Bytes, Fault> {
        let dir = self.dir(name, vaa);
        let file = dir.join("signed.vaa");
        write(&file, &vaa.text)?;
        let args = ["--vaa".as_ref(), file.as_os_str(), "--guardians".as_ref(), list.as_os_str()];
        self.muster.import("vaa", &args, &dir.join("import"))?;
        let [committee, signatures] =
            ["committee", "signatures"].map(|name| dir.join(format!("import/{name}.json")));
        self.muster.prove(&committee, &signatures, ">2/3", &dir.join("proof.json"))
    }

    /// Calldata that puts the next guardians in office, by a translation if there are keys for it.
    fn rotation(&self, dir: &Path, next: &Upgrade, message: Bytes) -> Result<Bytes, Fault> {
        if !self.translates {
            return Ok(abi::submitNewGuardianSetCall { message }.abi_encode().into());
        }
        let file = dir.join("translation.json");
        let translated = self.muster.translate(&self.committee(next)?, &file)?;
        let (root, translation) = (translated.root, translated.proof);
        let call = abi::submitTranslatedGuardianSetCall { message, root, translation };
        Ok(call.abi_encode().into())
    }

    /// The list of a set that the client knows: the first one, or the one in an upgrade whose root the client has.
    fn list(&mut self, index: u32, all: &[(String, Vaa)]) -> Result<Option<PathBuf>, Fault> {
        if let Some(list) = self.lists.get(&index) {
            return Ok(Some(list.clone()));
        }
        let set = self.chain.read(self.client, &abi::guardianSetCall { index })?;
        let upgrades = all.iter().filter_map(|(_, vaa)| vaa.upgrade.as_ref());
        for one in [&self.first].into_iter().chain(upgrades).filter(|one| one.index == index) {
            if self.muster.root(&self.committee(one)?)? == set.root {
                let list = self.work.join(format!("guardians-{index}.json"));
                let names = json!({ "index": index, "addresses": texts(&one.guardians) });
                write(&list, &json!({ "guardianSet": names }).to_string())?;
                self.lists.insert(index, list.clone());
                return Ok(Some(list));
            }
        }
        Ok(None)
    }

    /// A folder for what is made of a VAA. Another one under this name has another.
    fn dir(&self, name: &str, vaa: &Vaa) -> PathBuf {
        self.work.join(format!("{name}-{}", hex::encode(&keccak256(&vaa.text)[..8])))
    }

    /// The file of the guardians' committee.
    fn committee(&self, of: &Upgrade) -> Result<PathBuf, Fault> {
        let member = |address: &String| json!({ "address": address, "weight": 1 });
        let members: Vec<_> = texts(&of.guardians).iter().map(member).collect();
        let committee =
            json!({ "scheme": "ecdsa-secp256k1", "keys": "address", "members": members });
        let file = self.work.join(format!("committee-{}.json", of.index));
        write(&file, &committee.to_string())?;
        Ok(file)
    }
}

impl Follower for Wormhole {
    fn next(&mut self) -> Result<Option<Step>, Fault> {
        let all = self.vaas()?;
        for (name, vaa) in &all {
            if self.done.contains(name) {
                continue;
            }
            if let Some(step) = self.step(name, vaa, &all)? {
                self.last.clone_from(name);
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    fn refused(&mut self, _: &Step) {
        self.done.insert(self.last.clone());
    }
}

fn texts(addresses: &[Address]) -> Vec<String> {
    addresses.iter().map(ToString::to_string).collect()
}
