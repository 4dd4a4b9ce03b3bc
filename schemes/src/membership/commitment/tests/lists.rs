//! Lists that are signed as they are: of Aptos, Sui and IOTA, and Axelar.

use sha3::{Digest, Sha3_256};

use super::*;
use crate::{
    curve::weierstrass::{Curve, Point},
    signature::bls::{MinSigBasicBls12381, PublicKey as PublicKeyOf, Signature},
};

/// An epoch change of a chain of Aptos' software with one validator (Movement), as `test_aptos_full_verification` of unionlabs/union has it:
/// address, key and power of the validator, and its signature. It signs the hash of `APTOS::LedgerInfo` and the ledger's info, of which these are the
/// parts before the list (epoch, round, block, state, version, time, that there is a next epoch, and its number) and behind it.
const APTOS_ADDRESS: &str = "d2982978cec002dfb4b3b7921de20b828e82e20ad5600d8989cd58150bb2a15c";
const APTOS_KEY: &str =
    "8f31062af1a3eddcaebd429a413c89b4dd7059c00a5355311a88ac9a0691868a40c236397456433e7a98a5f32ef3c43b";
const APTOS_POWER: u64 = 10;
const APTOS_SIGNATURE: &str =
    "ae4180f98d41ba4adccc25f1f28d598e9909199fdc61a95f85796f175612a1051138ee3005b378982018582a8b799dc003021c03a72eb3f237d88de1cdf72e2afe95aa3b36cdeb48b197c8a310bf2fb2c60e381fce4a98cbd32571dc27bc9622";
const APTOS_BLOCK: &str = "edb6d1cbb9e05e64a5e61453f941a8746ac51ea0b37277c84da791eb5772903c";
const APTOS_STATE: &str = "6e22c941807bd825e192f7d32845b2e885ca446bfddecbec9d760fb5668c830b";
const APTOS_NUMBERS: [u64; 5] = [117, 59, 13_125, 1_740_872_013_560_533, 118];
/// Where the list begins among the signed bytes, with the number of its entries, and how long an entry is.
const APTOS_LIST: usize = 137;
const APTOS_ENTRY: usize = 89;
/// The SHA-256 of the key and the power, by hashlib.
const APTOS_HASH: &str = "df4c3992bf0f595f17fd4050aa48408d5fc61bbfb006e67f2860ed6671b7f6f7";

/// Checkpoint 788 of a test network of IOTA, the last of epoch 2, with the validators of the next one (iotaledger/iota, example of the light client:
/// `788.chk`). Each has this power. The first three have signed it; before the list and behind it stand these digests.
const IOTA_KEYS: [&str; 4] = [
    "8dcff6d155040a656f4819b13111b52c5746a86ba72f395fbafe2ec3847d1e8140e624a751fdf6b5f2050bc7205cf9d30004c90b0c740affd326ce673cc2b23a2d24d53e2afeb286dfc668fd4060089d6d2b17b799dd36f90d332e54a7a338d4",
    "99f25ef61f8032b914636460982c5cc6f134ef1ddae76657f2cbfec1ebfc8d097374080df6fcf0dcb8bc4b0d8e0af5d80ebbff2b4c599f54f42d6312dfc314276078c1cc347ebbbec5198be258513f386b930d02c2749a803e2330955ebd1a10",
    "addeef94d898c88e40dbdeff91c5f105f9cf2c747fb6f2bc37ec03d6c91edb2e1a578cf544be8b0931e25f243d59b0c30d98a16ce3ba1d6cf1d7f50426992eb0adb3134b055be8140d2db5f25fb00d83f8e4222bf01fd6ac93a1ff4d79da58f2",
    "b3fd5efb5c872403a4ad13f1199513606d23354a845249aea157564c23ff3c15c6c9e652b72d740e8cacb93cbcc0686b0ec0cc0c1c760bfb42b436519fc5a8054b76533a97a9f23987d097ef96b1f2526bb2073fa10a7719941772347ef274f4",
];
const IOTA_POWER: u64 = 2500;
const IOTA_SIGNATURE: &str =
    "88b093c74f5d26d5ee61ae544a041e6cfc392e4e84388e0f982a3bc06df9616343f0b0b6b63d073e77a74ef5871fa221";
const IOTA_NUMBERS: [u64; 3] = [2, 788, 3455];
const IOTA_CONTENT: &str = "506daee6337f3e7deee7b2072822c0b94deba3cf39d26a77bd8f15084713acd1";
const IOTA_PREVIOUS: &str = "4fce0a5e22900085b624707a273298d1f202585678e065a45899a507d288cdf7";
const IOTA_TIME: u64 = 1_731_087_214_937;
const IOTA_OBJECTS: &str = "8c9c5b5f13e2dadc3f595fc5696325dcaa177906bac2ca182be0dbc2905d30e8";
const IOTA_SUPPLY: u64 = 767_000_000_000_000;
/// Where the list begins among the signed bytes, with the number of its entries, and how long an entry is: in a summary of Sui, which has a number less
/// before it, eight bytes earlier.
const IOTA_LIST: usize = 144;
const SUI_ENTRY: usize = 105;
/// The SHA-256 of keys and powers, by hashlib.
const IOTA_HASH: &str = "64dd1c12f97dfc82581cdb285b2a93fe9ccdc33abcb23143d11024f0e4d486dd";

/// Signers in office of a gateway of Axelar, and those whom they name next, by their keys: of axelarnetwork/axelar-amplifier,
/// `weight_signers_hash` and `rotate_signers_message_hash` of contracts/multisig-prover/src/encoding/abi/mod.rs. Each weighs 1, the threshold is
/// 3 and the nonce 0; there are the hash of those in office, what they sign to name the next ones, and the domain.
const AXELAR_SIGNERS: [[&str; 5]; 2] = [
    [
        "038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75",
        "02ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0",
        "039d9031e97dd78ff8c15aa86939de9b1e791066a0224e331bc962a2099a7b1f04",
        "0220b871f3ced029e14472ec4ebc3c0448164942b123aa6af91a3386c1c403e0eb",
        "03bf6ee64a8d2fdc551ec8bb9ef862ef6b4bcb1805cdc520c3aa5866c0575fd3b5",
    ],
    [
        "02de8b0cc10de1becab121cb1254a7b4075866b6e040d5a4cdd38c7ea6c68c7d0a",
        "025a08780e7b80e64511006ec4db4128e18b31f05e9c8a4ef285322991d5f17332",
        "03935a5be97cf2148cb5cb88d5f097a235859a572f46e53da907e80fd5578f9243",
        "02515a95a89320988ff96f5e990b6d4c0a6807072f9b01c9ae634cf846bae2bd08",
        "02464111b31e5d174ec44c172f5e3913d0a35344ef6c2cd8215494f23648ec3420",
    ],
];
const AXELAR_HASH: &str = "e490c7e55a46b0e1e39a3034973b676eed044fed387f80f4e6377305313f8762";
const AXELAR_SIGNED: &str = "fbb9a154bbafd0be9469d7c83bfe5807d916ec7430f5232f29b967240880f327";
const AXELAR_DOMAIN: &str = "3593643a7d7e917a099eef6c52d1420bb4f33eb074b16439556de5984791262b";
/// The hash of the list of those in office with the weights 7, 7·2¹⁴, …: by solc, in `testAxelarList` of contracts/test/Digests.t.sol.
const AXELAR_WEIGHTED: &str = "e8e5f27f5f337eb74d6363a3a133efaa28d4adc1a7d3c20b3e459f4fffd4f757";
/// Where the list begins among the bytes that name the next signers.
const AXELAR_LIST: usize = 192;

/// The list in BCS; before each key stand these bytes.
fn list_of<C: Commitment>(before: &[u8], members: &[Member]) -> Vec<u8> {
    // ULEB128 of a number below 2^14.
    let count = members.len();
    let mut list =
        if count < 128 { vec![count as u8] } else { vec![count as u8 | 128, (count >> 7) as u8] };
    for (place, member) in members.iter().enumerate() {
        list.extend([before, &C::leaf(place, member).expect("held")].concat());
    }
    list
}

/// Address and length.
fn aptos_list(address: [u8; 32], members: &[Member]) -> Vec<u8> {
    list_of::<AptosValidators>(&[&address[..], &[48]].concat(), members)
}

/// What a client hashes of the signed bytes from the list on: of each of as many entries as the number says, its last bytes.
fn keys_and_powers(signed: &[u8], (entry, leaf): (usize, usize)) -> Vec<u8> {
    let (mut count, mut read) = (0, 0);
    while {
        count |= usize::from(signed[read] & 127) << (7 * read);
        read += 1;
        signed[read - 1] > 127
    } {}
    let entries = signed[read..].chunks_exact(entry).take(count);
    entries.flat_map(|bytes| bytes[entry - leaf..].to_vec()).collect()
}

const APTOS: (usize, usize) = (APTOS_ENTRY, AptosValidators::LEAF);
const SUI: (usize, usize) = (SUI_ENTRY, SuiValidators::LEAF);

#[test]
fn validators_of_aptos_have_the_hash_of_what_is_signed() {
    let key = OwnedKey::<MinPkPopBls12381>::from_bytes(&bytes::<48>(APTOS_KEY)).unwrap();
    let [epoch, round, version, time, next] = APTOS_NUMBERS.map(u64::to_le_bytes);
    let member = Member { public_key: key.into(), weight: APTOS_POWER };
    let list = aptos_list(bytes(APTOS_ADDRESS), std::slice::from_ref(&member));
    let [block, state] = [APTOS_BLOCK, APTOS_STATE].map(bytes::<32>);
    let tag = <[u8; 32]>::from(Sha3_256::digest(b"APTOS::LedgerInfo"));
    let info = [&epoch[..], &round, &block, &state, &version, &time, &[1], &next];
    let signed = [&tag[..], &info.concat(), &list, &[0; 32]].concat();
    let signature = Signature::<MinPkPopBls12381>::from_bytes(&bytes::<96>(APTOS_SIGNATURE));
    assert!(key.key().verify(&signed, &signature.unwrap()));
    let hash = AptosValidators::hash(&[member]).unwrap();
    assert_eq!(hash, sha256(&keys_and_powers(&signed[APTOS_LIST..], APTOS)));
    assert_eq!(hex::encode(hash), APTOS_HASH);
}

#[test]
fn validators_of_iota_have_the_hash_of_what_is_signed() {
    let keys = IOTA_KEYS.map(bytes::<96>);
    let member = |key: &[u8; 96]| {
        let key = OwnedKey::<MinSigPopBls12381>::from_bytes(key).unwrap();
        Member { public_key: key.into(), weight: IOTA_POWER }
    };
    let members = keys.each_ref().map(member);
    let digest = |text: &str| [&[32][..], &bytes::<32>(text)].concat();
    let numbers = IOTA_NUMBERS.map(u64::to_le_bytes).concat();
    let (content, previous) = (digest(IOTA_CONTENT), digest(IOTA_PREVIOUS));
    let (time, supply) = (IOTA_TIME.to_le_bytes(), IOTA_SUPPLY.to_le_bytes());
    let before = [&[2, 0, 0][..], &numbers, &content, &[1], &previous, &[0; 40], &time, &[0, 1]];
    let list = list_of::<SuiValidators>(&[96], &members);
    let version = 1u64.to_le_bytes();
    let behind = [&version[..], &[1, 0], &digest(IOTA_OBJECTS), &supply, &[2, 0, 0], &numbers[..8]];
    let signed = [before.concat(), list, behind.concat()].concat();
    type Suite = MinSigBasicBls12381;
    let signers = keys[..3].iter().map(|key| PublicKeyOf::<Suite>::from_bytes(key).unwrap());
    let sum = PublicKeyOf::sum(&signers.collect::<Vec<_>>()).unwrap();
    let signature = Signature::<Suite>::from_bytes(&bytes::<48>(IOTA_SIGNATURE)).unwrap();
    assert!(sum.verify(&signed, &signature));
    let hash = SuiValidators::hash(&members).unwrap();
    assert_eq!(hash, sha256(&keys_and_powers(&signed[IOTA_LIST..], SUI)));
    assert_eq!(hex::encode(hash), IOTA_HASH);
}

/// From 128 entries on their number takes two bytes.
#[test]
fn lists_of_any_length_have_the_hash_of_their_entries() {
    for count in [1, 2, 127, 128, 150] {
        let of = |member: fn(u64, u64) -> Member| {
            (1..=count).map(|number| member(number + 300, number << 40)).collect::<Vec<_>>()
        };
        let members = of(aptos);
        let list = [aptos_list([7; 32], &members), vec![0; 32]].concat();
        let hash = AptosValidators::hash(&members).unwrap();
        assert_eq!(hash, sha256(&keys_and_powers(&list, APTOS)), "{count}");
        let members = of(sui);
        let list = [list_of::<SuiValidators>(&[96], &members), vec![0; 200]].concat();
        let hash = SuiValidators::hash(&members).unwrap();
        assert_eq!(hash, sha256(&keys_and_powers(&list, SUI)), "{count}");
    }
}

/// Signers by their keys, in the order of their accounts.
fn axelar(keys: [&str; 5]) -> Vec<Member> {
    let address = |key: &str| {
        let point = Point::from_sec1(Curve::Secp256k1, &bytes::<33>(key));
        point.expect("a key").address()
    };
    let mut addresses = keys.map(address);
    addresses.sort_by_key(Address::to_bytes);
    addresses.map(|address| Member { public_key: address.into(), weight: 1 }).to_vec()
}

/// `abi.encode(signers)` without its offset: that of the list, threshold, nonce, and the list with its length.
fn weighted_signers(signers: &[Member]) -> Vec<u8> {
    let words = [96, 3, 0, signers.len() as u64].map(word).concat();
    let leaves = signers.iter().enumerate().map(|(place, one)| AxelarSigners::leaf(place, one));
    [vec![words], leaves.collect::<Result<_, _>>().expect("held")].concat().concat()
}

fn word(number: u64) -> Vec<u8> {
    [&[0; 24][..], &number.to_be_bytes()].concat()
}

#[test]
fn signers_of_axelar_have_the_hash_of_what_is_signed() {
    let [own, next] = AXELAR_SIGNERS.map(axelar);
    let own = keccak256(&[word(32), weighted_signers(&own)].concat());
    assert_eq!(hex::encode(own), AXELAR_HASH);
    // Command and offset before the next signers.
    let data = [word(1), word(64), weighted_signers(&next)].concat();
    let words = [bytes::<32>(AXELAR_DOMAIN), own, keccak256(&data)].concat();
    let signed = keccak256(&[b"\x19Ethereum Signed Message:\n96", &words[..]].concat());
    assert_eq!(hex::encode(signed), AXELAR_SIGNED);
    assert_eq!(AxelarSigners::hash(&next).unwrap(), keccak256(&data[AXELAR_LIST..]));
    let mut heavy = axelar(AXELAR_SIGNERS[0]);
    for (place, signer) in heavy.iter_mut().enumerate() {
        signer.weight = 7 << (14 * place);
    }
    assert_eq!(hex::encode(AxelarSigners::hash(&heavy).unwrap()), AXELAR_WEIGHTED);
}
