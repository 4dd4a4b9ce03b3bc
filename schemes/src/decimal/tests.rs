use super::{is_integer, read, within};

#[test]
fn an_integer_has_one_text() {
    for (text, number) in [("0", 0), ("7", 7), ("10", 10), ("65535", 65_535)] {
        assert_eq!(read::<u16>(text), Ok(number));
        assert_eq!(read::<u128>(text), Ok(number.into()));
    }
    for text in ["", "+77", "077", "00", "-1", "-0", " 7", "7 ", "7_000", "0x7", "1.5", "1e3", "٧"]
    {
        assert!(!is_integer(text), "{text:?}");
        let refused = read::<u64>(text).unwrap_err().to_string();
        assert_eq!(refused, format!("{text:?} is not an integer in decimal digits"));
    }
}

#[test]
fn an_integer_fits_its_type() {
    assert_eq!(read::<u64>(&u64::MAX.to_string()), Ok(u64::MAX));
    assert_eq!(read::<u128>(&u128::MAX.to_string()), Ok(u128::MAX));
    for (refused, bits) in [
        (read::<u16>("65536").map(u64::from), 16),
        (read::<u64>("18446744073709551616"), 64),
        (read::<u128>(&format!("{}0", u128::MAX)).map(|_| 0), 128),
    ] {
        let words = refused.unwrap_err().to_string();
        assert!(words.ends_with(&format!("is not below 2^{bits}")), "{words}");
    }
}

#[test]
fn an_integer_is_within_its_range() {
    let read = within(3..=1000u64);
    assert_eq!([read("3"), read("1000")], [Ok(3), Ok(1000)]);
    for text in ["2", "1001", "0"] {
        let words = read(text).unwrap_err().to_string();
        assert_eq!(words, format!("{text} is not from 3 to 1000"));
    }
    for text in ["+7", "007", "7.0", "18446744073709551616"] {
        assert!(read(text).is_err(), "{text}");
    }
}
