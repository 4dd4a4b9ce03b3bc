//! What other systems took, measured beside ours: one core of an AMD EPYC (Zen 4, 2.6 GHz), medians, 2026-11-26; see
//! `threshold/README.md` for what each leaves out.

/// A system, and the commit or version of its code.
pub(super) struct Peer {
    /// What the legend calls it.
    pub(super) name: &'static str,
    /// By number of shares.
    pub(super) figures: &'static [Figure],
}

/// One size of a system. Verification does not include decoding.
pub(super) struct Figure {
    /// Number of shares.
    pub(super) shares: f64,
    /// Size of a dealing in KiB.
    pub(super) size_kib: f64,
    /// Milliseconds to deal.
    pub(super) deal_ms: f64,
    /// Milliseconds to verify.
    pub(super) verify_ms: f64,
}

const fn figure(shares: f64, size_kib: f64, deal_ms: f64, verify_ms: f64) -> Figure {
    Figure { shares, size_kib, deal_ms, verify_ms }
}

/// All of them.
pub(super) const PEERS: [Peer; 5] = [
    Peer {
        name: "Groth21, 16-bit chunks (groth21-rs 018c2a91)",
        figures: &[figure(128.0, 135.3, 495.0, 310.0), figure(256.0, 265.3, 994.0, 600.0)],
    },
    Peer {
        name: "cgVSS (cgdkg_artifact 387b3274)",
        figures: &[figure(128.0, 70.5, 1078.0, 343.0), figure(256.0, 140.2, 2100.0, 604.0)],
    },
    Peer {
        name: "Cascudo-David (cgdkg_artifact 387b3274)",
        figures: &[figure(256.0, 55.3, 3576.0, 1626.0)],
    },
    Peer {
        name: "GHL21e, bulletproofs alone (cpp-lwevss a40befa7)",
        figures: &[figure(128.0, 192.6, 10417.0, 987.0), figure(256.0, 201.8, 11122.0, 1010.0)],
    },
    Peer {
        name: "Golden (commonware 2026.10.0)",
        figures: &[figure(128.0, 44.6, 256214.0, 21300.0), figure(256.0, 86.6, 507180.0, 42373.0)],
    },
];
