//! Bases 58 and 64, bitmaps, and lines of a text.

use crate::files::{
    bases::{from_base58, from_base64, to_base58, to_base64},
    forms::filled_lines,
    roaring::numbers,
};

/// RFC 4648, section 10.
#[test]
fn published_encodings_in_base_64() {
    assert_eq!(from_base64::<0>(""), Ok([]));
    assert_eq!(from_base64("Zg=="), Ok(*b"f"));
    assert_eq!(from_base64("Zm8="), Ok(*b"fo"));
    assert_eq!(from_base64("Zm9v"), Ok(*b"foo"));
    assert_eq!(from_base64("Zm9vYg=="), Ok(*b"foob"));
    assert_eq!(from_base64("Zm9vYmE="), Ok(*b"fooba"));
    assert_eq!(from_base64("Zm9vYmFy"), Ok(*b"foobar"));
    assert_eq!(from_base64("++//"), Ok([0xfb, 0xef, 0xff]));
}

#[test]
fn bytes_have_one_encoding_in_base_64() {
    for bad in
        ["Zg", "Zg=", "Zg===", "Zh==", "Zm9", "Zm9v=", "Z", "=Zg=", "Zg==\n", "Z-_v", "Zm 9v"]
    {
        let reason = "not base64";
        assert_eq!(from_base64::<1>(bad).unwrap_err(), reason, "{bad}");
        assert_eq!(from_base64::<3>(bad).unwrap_err(), reason, "{bad}");
    }
    assert_eq!(from_base64::<2>("Zm9v"), Err("expected 2 bytes in base64, found 3".to_owned()));
    for length in 0..70u8 {
        let bytes: [u8; 70] = std::array::from_fn(|i| (i as u8).wrapping_mul(73) ^ length);
        let text = to_base64(&bytes);
        assert_eq!(from_base64(&text), Ok(bytes));
    }
}

#[test]
fn bytes_have_one_text_in_base_58() {
    // draft-msporny-base58, section 5.
    for (bytes, text) in
        [(&b"Hello World!"[..], "2NEpo7TZRRrLZSi2U"), (&[0, 0, 0x28, 0x7f, 0xb4, 0xcd], "11233QC4")]
    {
        assert_eq!(to_base58(bytes), text);
    }
    assert_eq!(from_base58::<12>("2NEpo7TZRRrLZSi2U").unwrap(), *b"Hello World!");
    assert_eq!(from_base58::<6>("11233QC4").unwrap(), [0, 0, 0x28, 0x7f, 0xb4, 0xcd]);
    assert_eq!(from_base58::<32>(&"1".repeat(32)).unwrap(), [0; 32]);
    for text in
        ["", "233QC4", "1233QC4", "111233QC4", "11233QC5l", "11233QC0", "11233QC4zz", "über"]
    {
        assert!(from_base58::<6>(text).is_err(), "{text}");
    }
    assert!(from_base58::<6>(&"1".repeat(1 << 20)).unwrap_err().contains("1048576 characters"));
}

#[test]
fn all_bytes_are_read_back_from_base_58() {
    for byte in 0..=255 {
        let bytes = [0, byte, 255, byte, 0, 7, byte ^ 0x5a, 1];
        assert_eq!(from_base58::<8>(&to_base58(&bytes)), Ok(bytes));
    }
}

fn bitmap(text: &str, bound: usize) -> Result<Vec<usize>, String> {
    numbers(&hex::decode(text).unwrap(), bound)
}

#[test]
fn lists_runs_and_nothing() {
    // Checkpoint 788 of an IOTA network (iotaledger/iota, light client example).
    let signers = "3a300000010000000000020010000000000001000200";
    assert_eq!(bitmap(signers, 4), Ok(vec![0, 1, 2]));
    assert_eq!(bitmap("3a30000000000000", 4), Ok(vec![]));
    // {5, 6, 7, 9}: a container, with runs, key 0, four numbers; two runs.
    let runs = "3b300000010000030002000500020009000000";
    assert_eq!(bitmap(runs, 10), Ok(vec![5, 6, 7, 9]));
}

#[test]
fn whatever_else_is_refused() {
    for (text, bound, part) in [
        ("", 4, "too early"),
        ("3a3000000100000000000200100000000000010002", 4, "too early"),
        ("3a30000001000000000002001000000000000100020000", 4, "1 bytes behind"),
        ("3a300000010000000000020010000000000001000200", 2, "2, but there are only 2"),
        ("3a300000010000000000020010000000000001000100", 4, "1 does not follow 1"),
        ("3a300000010000000100020010000000000001000200", 4, "65,536"),
        ("3a300000ffffffff0000020010000000000001000200", 4, "containers"),
        ("3a300000010000000000ffff10000000000001000200", 4, "65536 numbers"),
        ("39300000010000000000020010000000000001000200", 4, "not a Roaring bitmap"),
        ("3a300100010000000000020010000000000001000200", 4, "not a Roaring bitmap"),
        ("3b300000010000030001000000ffff", 9, "only 9"),
        ("3b3000000100000300010000000000", 9, "1 numbers, but it says 4"),
        ("3b30ffff01", 9, "too early"),
    ] {
        let refused = bitmap(text, bound).unwrap_err();
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

#[test]
fn blank_lines_are_counted_and_passed() {
    let lines: Vec<_> = filled_lines("\n a\r\nb , c\n \n\n\td").collect();
    assert_eq!(lines, [(2, "a\r"), (3, "b , c"), (6, "d")]);
    for blank in ["", "\n", " \r\n\n "] {
        assert_eq!(filled_lines(blank).count(), 0, "{blank:?}");
    }
}
