//! Base58 as in Bitcoin, for words of known length.

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Reads exactly `N` bytes. The time grows with the square of `N`, whatever the text.
///
/// # Errors
///
/// The reason in words.
pub(super) fn decode<const N: usize>(text: &str) -> Result<[u8; N], String> {
    // A byte takes 1.37 digits.
    if text.len() > 2 * N {
        return Err(format!("{} characters, too many for {N} bytes in base58", text.len()));
    }
    let mut bytes = [0u8; N];
    for digit in text.bytes() {
        let place = ALPHABET.iter().position(|known| *known == digit);
        let mut carry = place.ok_or("not base58")? as u32;
        for byte in bytes.iter_mut().rev() {
            carry += 58 * u32::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return Err(format!("more than {N} bytes in base58"));
        }
    }
    // A zero byte in front is a digit 1, so that bytes have one text.
    let [zeros, ones] = [
        bytes.iter().take_while(|byte| **byte == 0).count(),
        text.bytes().take_while(|digit| *digit == ALPHABET[0]).count(),
    ];
    if zeros == ones {
        Ok(bytes)
    } else {
        Err(format!("not {N} bytes in base58"))
    }
}

/// The text of bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = vec![];
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += u32::from(*digit) << 8;
            *digit = (carry % 58) as u8;
            carry /= 58;
        }
        while carry > 0 {
            digits.push((carry % 58) as u8);
            carry /= 58;
        }
    }
    digits.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| 0));
    digits.iter().rev().map(|digit| char::from(ALPHABET[usize::from(*digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn bytes_have_one_text() {
        // draft-msporny-base58, section 5.
        for (bytes, text) in [
            (&b"Hello World!"[..], "2NEpo7TZRRrLZSi2U"),
            (&[0, 0, 0x28, 0x7f, 0xb4, 0xcd], "11233QC4"),
        ] {
            assert_eq!(encode(bytes), text);
        }
        assert_eq!(decode::<12>("2NEpo7TZRRrLZSi2U").unwrap(), *b"Hello World!");
        assert_eq!(decode::<6>("11233QC4").unwrap(), [0, 0, 0x28, 0x7f, 0xb4, 0xcd]);
        assert_eq!(decode::<32>(&"1".repeat(32)).unwrap(), [0; 32]);
        for text in
            ["", "233QC4", "1233QC4", "111233QC4", "11233QC5l", "11233QC0", "11233QC4zz", "über"]
        {
            assert!(decode::<6>(text).is_err(), "{text}");
        }
        assert!(decode::<6>(&"1".repeat(1 << 20)).unwrap_err().contains("1048576 characters"));
    }

    #[test]
    fn all_bytes_are_read_back() {
        for byte in 0..=255 {
            let bytes = [0, byte, 255, byte, 0, 7, byte ^ 0x5a, 1];
            assert_eq!(decode::<8>(&encode(&bytes)), Ok(bytes));
        }
    }
}
