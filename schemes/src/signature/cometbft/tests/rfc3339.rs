use super::{super::PrecommitError, time, Timestamp};

/// Seconds as `date -u -d TEXT +%s` has them; the third is of a block of Oraichain.
#[test]
fn times_are_those_of_the_calendar() {
    let known = [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1969-12-31T23:59:59.999999999Z", -1, 999_999_999),
        ("2024-05-06T07:34:41.870738786Z", 1_714_980_881, 870_738_786),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
        ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
        ("2000-02-29T12:00:00.5Z", 951_825_600, 500_000_000),
        ("1900-03-01T00:00:00.000000001Z", -2_203_891_200, 1),
        ("2100-03-01T00:00:00.1234567Z", 4_107_542_400, 123_456_700),
    ];
    for (text, seconds, nanos) in known {
        assert_eq!(text.parse(), Ok(time(seconds, nanos)), "{text}");
    }
}

/// Days follow each other, over 800 years with the century that is a leap year and those that are none.
#[test]
fn days_follow_each_other() {
    let mut expected = "1600-01-01T00:00:00Z".parse::<Timestamp>().unwrap().seconds();
    for year in 1600..2400 {
        for month in 1..=12 {
            for day in 1..=31 {
                let text = format!("{year}-{month:02}-{day:02}T00:00:00Z");
                if let Ok(read) = text.parse::<Timestamp>() {
                    assert_eq!(read.seconds(), expected, "{text}");
                    expected += 86_400;
                }
            }
        }
    }
    let end = "2400-01-01T00:00:00Z".parse::<Timestamp>().unwrap().seconds();
    assert_eq!(end, expected);
}

#[test]
fn other_texts_are_no_times() {
    for text in [
        "",
        "Z",
        "2024-05-06",
        "2024-05-06T07:34:41",
        "2024-05-06t07:34:41Z",
        "2024-05-06 07:34:41Z",
        "2024-05-06T07:34:41+00:00",
        "2024-05-06T07:34:41.Z",
        "2024-05-06T07:34:41.1234567890Z",
        "2024-05-06T07:34:41,5Z",
        "2024-05-06T07:34:41.-5Z",
        "2024-05-06T07:34Z",
        "2024-05-06T07:34:41:00Z",
        "2024-05-06T24:00:00Z",
        "2024-05-06T23:60:00Z",
        "2024-05-06T23:59:60Z",
        "2024-00-06T07:34:41Z",
        "2024-13-06T07:34:41Z",
        "2024-04-31T07:34:41Z",
        "2023-02-29T07:34:41Z",
        "1900-02-29T07:34:41Z",
        "2024-05-00T07:34:41Z",
        "0000-05-06T07:34:41Z",
        "24-05-06T07:34:41Z",
        "12024-05-06T07:34:41Z",
        "+024-05-06T07:34:41Z",
        "2024-5-6T07:34:41Z",
        "２024-05-06T07:34:41Z",
    ] {
        assert_eq!(text.parse::<Timestamp>(), Err(PrecommitError::Time(text.to_owned())), "{text}");
    }
}
