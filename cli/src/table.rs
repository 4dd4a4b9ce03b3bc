//! Two columns of text.

/// Rows with a name and a value, aligned.
pub(super) fn table<N: AsRef<str>>(rows: &[(N, String)]) -> String {
    let length = |name: &str| name.chars().count();
    let width = rows.iter().map(|(name, _)| length(name.as_ref())).max().unwrap_or(0);
    let line = |(name, value): &(N, String)| {
        let name = name.as_ref();
        let pad = " ".repeat(width - length(name));
        format!("  {name}{pad}  {value}\n")
    };
    rows.iter().map(line).collect()
}

/// Bytes in the unit that suits them.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..10_240 => format!("{count} B"),
        10_240..10_485_760 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

/// A duration in the unit that suits it.
pub(super) fn time(duration: std::time::Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
        seconds => format!("{seconds:.2} s"),
    }
}
