pulp::simd_type! {
    /// Proof that the processor has the instructions.
    pub(crate) struct Ifma {
        pub(super) avx512f: "avx512f",
        pub(super) avx512vl: "avx512vl",
        pub(super) ifma: "avx512ifma",
    }
}
