//! `EthereumClient`.

#![allow(missing_docs, reason = "the contract says what these are")]
#![allow(clippy::upper_case_acronyms, reason = "immutable variables of a contract")]

alloy_sol_types::sol! {
    struct Fork {
        uint64 epoch;
        bytes4 version;
        uint16 finalizedRoot;
        uint16 currentCommittee;
        uint16 nextCommittee;
    }

    #[derive(Debug, PartialEq)]
    struct Header {
        uint64 slot;
        uint64 proposerIndex;
        bytes32 parentRoot;
        bytes32 stateRoot;
        bytes32 bodyRoot;
    }

    struct Committee {
        bytes32 hashTreeRoot;
        bytes32[] branch;
        uint256 root;
        bytes proof;
    }

    struct Update {
        Header attested;
        uint64 signatureSlot;
        uint64 participants;
        Header finalized;
        bytes32[] finalityBranch;
        bytes proof;
    }

    function GENESIS_VALIDATORS_ROOT() external view returns (bytes32 root);
    function SLOTS_PER_EPOCH() external view returns (uint64 slots);
    function SLOTS_PER_PERIOD() external view returns (uint64 slots);
    function COMMITTEE_SIZE() external view returns (uint64 seats);
    function latestSlot() external view returns (uint64 slot);
    function blockRoot(uint64 slot) external view returns (bytes32 root);
    function committeeRoot(uint64 period) external view returns (uint256 root);
    function forkAt(uint64 epoch) external view returns (Fork fork);
    function follow(Update update) external;
    function rotate(Update update, Committee next) external;
}
