//! The test vectors of BIP-340 (`bip-0340/test-vectors.csv`), 0 to 14. The remaining four, 15 to 18,
//! sign messages of 0, 1, 17 and 100 bytes, which [`Bip340`](muster_schemes::signature::bip340::Bip340) does not take.

// The tests of the schemes and those of the gadgets each take a part of it.
#![allow(dead_code)]

/// A row of the table, in hexadecimal.
pub(crate) struct Vector {
    /// The index in the table.
    pub(crate) index: usize,
    /// The secret key and the auxiliary random data, where the table has them.
    pub(crate) signing: Option<(&'static str, &'static str)>,
    /// The public key.
    pub(crate) public_key: &'static str,
    /// The message.
    pub(crate) message: &'static str,
    /// x(R), then s.
    pub(crate) signature: [&'static str; 2],
    /// The verdict.
    pub(crate) valid: bool,
}

/// The table.
pub(crate) const VECTORS: [Vector; 15] = [
    Vector {
        index: 0,
        signing: Some((
            "0000000000000000000000000000000000000000000000000000000000000003",
            "0000000000000000000000000000000000000000000000000000000000000000",
        )),
        public_key: "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
        message: "0000000000000000000000000000000000000000000000000000000000000000",
        signature: [
            "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215",
            "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0",
        ],
        valid: true,
    },
    Vector {
        index: 1,
        signing: Some((
            "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef",
            "0000000000000000000000000000000000000000000000000000000000000001",
        )),
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341",
            "8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a",
        ],
        valid: true,
    },
    Vector {
        index: 2,
        signing: Some((
            "c90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b14e5c9",
            "c87aa53824b4d7ae2eb035a2b5bbbccc080e76cdc6d1692c4b0b62d798e6d906",
        )),
        public_key: "dd308afec5777e13121fa72b9cc1b7cc0139715309b086c960e18fd969774eb8",
        message: "7e2d58d8b3bcdf1abadec7829054f90dda9805aab56c77333024b9d0a508b75c",
        signature: [
            "5831aaeed7b44bb74e5eab94ba9d4294c49bcf2a60728d8b4c200f50dd313c1b",
            "ab745879a5ad954a72c45a91c3a51d3c7adea98d82f8481e0e1e03674a6f3fb7",
        ],
        valid: true,
    },
    // Fails if the message is reduced modulo p or n.
    Vector {
        index: 3,
        signing: Some((
            "0b432b2677937381aef05bb02a66ecd012773062cf3fa2549e44f58ed2401710",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        )),
        public_key: "25d1dff95105f5253c4022f628a996ad3a0d95fbf21d468a1b33f8c160d8f517",
        message: "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        signature: [
            "7eb0509757e246f19449885651611cb965ecc1a187dd51b64fda1edc9637d5ec",
            "97582b9cb13db3933705b32ba982af5af25fd78881ebb32771fc5922efc66ea3",
        ],
        valid: true,
    },
    Vector {
        index: 4,
        signing: None,
        public_key: "d69c3509bb99e412e68b0fe8544e72837dfa30746d8be2aa65975f29d22dc7b9",
        message: "4df3c3f68fcc83b27e9d42c90431a72499f17875c81a599b566c9889b9696703",
        signature: [
            "00000000000000000000003b78ce563f89a0ed9414f5aa28ad0d96d6795f9c63",
            "76afb1548af603b3eb45c9f8207dee1060cb71c04e80f593060b07d28308d7f4",
        ],
        valid: true,
    },
    // The key is not on the curve.
    Vector {
        index: 5,
        signing: None,
        public_key: "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769",
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b",
        ],
        valid: false,
    },
    // R has an odd y.
    Vector {
        index: 6,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a1460297556",
            "3cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2",
        ],
        valid: false,
    },
    // Negated message.
    Vector {
        index: 7,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "1fa62e331edbc21c394792d2ab1100a7b432b013df3f6ff4f99fcb33e0e1515f",
            "28890b3edb6e7189b630448b515ce4f8622a954cfe545735aaea5134fccdb2bd",
        ],
        valid: false,
    },
    // Negated s.
    Vector {
        index: 8,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769",
            "961764b3aa9b2ffcb6ef947b6887a226e8d7c93e00c5ed0c1834ff0d0c2e6da6",
        ],
        valid: false,
    },
    // S*G - e*A is the identity; fails if its x counts as 0.
    Vector {
        index: 9,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "123dda8328af9c23a94c1feecfd123ba4fb73476f0d594dcb65c6425bd186051",
        ],
        valid: false,
    },
    // S*G - e*A is the identity; fails if its x counts as 1.
    Vector {
        index: 10,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "0000000000000000000000000000000000000000000000000000000000000001",
            "7615fbaf5ae28864013c099742deadb4dba87f11ac6754f93780d5a1837cf197",
        ],
        valid: false,
    },
    // No point has the x of R.
    Vector {
        index: 11,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "4a298dacae57395a15d0795ddbfd1dcb564da82b0f269bc70a74f8220429ba1d",
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b",
        ],
        valid: false,
    },
    // X of R is p.
    Vector {
        index: 12,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b",
        ],
        valid: false,
    },
    // S is n.
    Vector {
        index: 13,
        signing: None,
        public_key: "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769",
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        ],
        valid: false,
    },
    // The key is p + 1, not canonical.
    Vector {
        index: 14,
        signing: None,
        public_key: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30",
        message: "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        signature: [
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769",
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b",
        ],
        valid: false,
    },
];
