//! What was published: Tomescu's notes of April 2026, one thread of an M4 Max but for Golden, which uses all
//! cores.

/// Numbers of shares of the figures, in order; a scheme may have fewer of them.
const SHARES: [f64; 7] = [8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1024.0];

/// A scheme's figures.
pub(super) struct Published {
    /// Its name.
    pub(super) name: &'static str,
    size_kib: &'static [f64],
    deal_ms: &'static [f64],
    verify_ms: &'static [f64],
}

/// One size of a scheme.
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

/// All schemes.
pub(super) const PUBLISHED: [Published; 5] = [
    Published {
        name: "Chunky",
        size_kib: &[13.37, 22.56, 40.94, 77.69, 151.19, 298.19, 1177.6],
        deal_ms: &[29.83, 49.19, 84.7, 150.63, 281.35, 521.81, 1972.8],
        verify_ms: &[7.87, 11.24, 16.79, 26.17, 44.24, 76.97, 252.06],
    },
    Published {
        name: "Groth21",
        size_kib: &[20.15, 34.27, 62.52, 119.02, 232.02, 458.02],
        deal_ms: &[27.8, 49.9, 92.1, 181.4, 355.7, 688.4],
        verify_ms: &[12.4, 20.7, 34.9, 68.0, 121.0, 232.4],
    },
    Published {
        name: "Golden",
        size_kib: &[5.29, 10.5, 20.97, 41.88, 83.69, 167.32],
        deal_ms: &[8060.0, 17594.0, 37458.0, 73967.0, 151163.0, 308051.0],
        verify_ms: &[10.25, 21.31, 50.56, 145.74, 518.78, 1854.27],
    },
    Published {
        name: "GHL21e",
        size_kib: &[178.13, 180.94, 183.13, 187.5, 192.63, 201.81],
        deal_ms: &[5553.0, 5591.0, 5836.0, 6039.0, 6093.0, 6899.0],
        verify_ms: &[466.0, 551.0, 481.0, 483.0, 490.0, 509.0],
    },
    Published {
        name: "cgVSS",
        size_kib: &[5.16, 9.51, 18.26, 35.66, 70.52, 140.23],
        deal_ms: &[50.25, 64.54, 85.74, 137.22, 273.84, 664.3],
        verify_ms: &[60.18, 72.4, 98.76, 151.54, 273.01, 580.35],
    },
];

impl Published {
    /// Its figures by size.
    pub(super) fn figures(&self) -> impl Iterator<Item = Figure> + '_ {
        let times = self.deal_ms.iter().zip(self.verify_ms);
        let rows = SHARES.iter().zip(self.size_kib).zip(times);
        rows.map(|((&shares, &size_kib), (&deal_ms, &verify_ms))| Figure {
            shares,
            size_kib,
            deal_ms,
            verify_ms,
        })
    }
}
