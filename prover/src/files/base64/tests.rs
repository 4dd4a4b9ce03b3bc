use super::{decode, encode};

/// RFC 4648, section 10.
#[test]
fn published_encodings() {
    assert_eq!(decode::<0>(""), Ok([]));
    assert_eq!(decode("Zg=="), Ok(*b"f"));
    assert_eq!(decode("Zm8="), Ok(*b"fo"));
    assert_eq!(decode("Zm9v"), Ok(*b"foo"));
    assert_eq!(decode("Zm9vYg=="), Ok(*b"foob"));
    assert_eq!(decode("Zm9vYmE="), Ok(*b"fooba"));
    assert_eq!(decode("Zm9vYmFy"), Ok(*b"foobar"));
    assert_eq!(decode("++//"), Ok([0xfb, 0xef, 0xff]));
}

#[test]
fn bytes_have_one_encoding() {
    for bad in
        ["Zg", "Zg=", "Zg===", "Zh==", "Zm9", "Zm9v=", "Z", "=Zg=", "Zg==\n", "Z-_v", "Zm 9v"]
    {
        let reason = "not base64";
        assert_eq!(decode::<1>(bad).unwrap_err(), reason, "{bad}");
        assert_eq!(decode::<3>(bad).unwrap_err(), reason, "{bad}");
    }
    assert_eq!(decode::<2>("Zm9v"), Err("expected 2 bytes in base64, found 3".to_owned()));
    for length in 0..70u8 {
        let bytes: [u8; 70] = std::array::from_fn(|i| (i as u8).wrapping_mul(73) ^ length);
        let text = encode(&bytes);
        assert_eq!(decode(&text), Ok(bytes));
    }
}
