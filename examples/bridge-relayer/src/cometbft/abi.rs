//! `CometBftClient`, and the application of the example.

#![allow(missing_docs, reason = "the contracts say what these are")]

alloy_sol_types::sol! {
    #[derive(Debug)]
    struct Time {
        int64 secs;
        uint32 nanos;
    }

    #[derive(Debug)]
    struct BlockId {
        bytes blockHash;
        uint32 partsTotal;
        bytes partsHash;
    }

    #[derive(Debug)]
    struct Header {
        uint64 versionBlock;
        uint64 versionApp;
        bytes chainId;
        uint64 height;
        Time time;
        BlockId lastBlockId;
        bytes[9] hashes;
    }

    #[derive(Debug)]
    struct Checkpoint {
        uint64 height;
        Time time;
        bytes32 blockHash;
        bytes32 nextValidatorsHash;
    }

    struct Update {
        Checkpoint trusted;
        Header header;
        uint32 round;
        uint32 partsTotal;
        bytes32 partsHash;
        bytes proof;
        bytes trustedProof;
    }

    struct Translation {
        bytes32 validatorsHash;
        uint256 root;
        uint64 members;
        uint64 total;
        bytes proof;
    }

    struct ValidatorSet {
        uint256 root;
        uint64 members;
        uint64 total;
    }

    function status() external view returns (uint8 now);
    function latest() external view returns (uint64 height, Time time);
    function isVerified(Checkpoint checkpoint) external view returns (bool known);
    function validatorSet(bytes32 validatorsHash) external view returns (ValidatorSet set);
    function chainId() external view returns (bytes name);
    function register(Translation translation) external;
    function submit(Update update) external;
    function registerAndSubmit(Translation translation, Update update) external;
    function report(Update update, Checkpoint other) external;

    event HeaderVerified(uint64 indexed height, bytes32 indexed blockHash, Checkpoint checkpoint, bytes32 appHash);

    function isDone(uint64 sequence) external view returns (bool done);
    function take(uint64 height, uint64 sequence, bytes payload, bytes32[] path) external;
}
