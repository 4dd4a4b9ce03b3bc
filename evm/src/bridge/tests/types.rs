//! Addresses, chains and epochs as text.

use crate::bridge::{BridgeFault, ChainId, Client, Epoch};

#[test]
fn addresses_in_mixed_case_carry_a_checksum() {
    // From EIP-55.
    for address in [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0xde709f2102306220921060314715629080e2fb77",
    ] {
        let client: Client = address.parse().unwrap();
        assert_eq!(client.to_string(), address);
        assert_eq!(address.to_lowercase().parse(), Ok(client));
        assert_eq!(format!("0x{}", address[2..].to_uppercase()).parse(), Ok(client));
    }
    for bad in [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
        "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea",
        "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed00",
        "0xzzaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "0x",
        "",
    ] {
        let fault = bad.parse::<Client>().unwrap_err();
        assert!(matches!(fault, BridgeFault::Address(_)), "{bad}");
    }
}

#[test]
fn chains_have_decimal_or_hex_numbers() {
    assert_eq!("31337".parse(), Ok(ChainId::from(31337)));
    assert_eq!("0x7a69".parse(), Ok(ChainId::from(31337)));
    assert_eq!("0".parse(), Ok(ChainId::from(0)));
    let most = format!("0x{}", "f".repeat(64));
    assert!(most.parse::<ChainId>().is_ok());
    for bad in ["", "0x", "-1", "+1", "1_0", " 1", "0x1g", "1e3", "01", "00", &format!("{most}0")] {
        assert_eq!(bad.parse::<ChainId>(), Err(BridgeFault::ChainId), "{bad}");
    }
}

#[test]
fn epochs_begin_at_one_and_end() {
    assert_eq!(Epoch::new(0), Err(BridgeFault::EpochZero));
    assert_eq!(Epoch::new(1).unwrap().next(), Epoch::new(2));
    assert_eq!(Epoch::new(u64::MAX).unwrap().next(), Err(BridgeFault::LastEpoch));
}
