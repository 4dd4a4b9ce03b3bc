// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";

/// @title Blocks of CometBFT, and votes for them (`types/block.go`, `types/canonical.go`, `crypto/merkle/tree.go`;
/// `proto/tendermint/types/types.proto` and `canonical.proto`).
/// @notice Nothing is decoded from protobuf: bytes are made of the fields, so there is one encoding of each.
library CometBft {
    /// @notice A precommit for a block, without what each validator adds to it.
    struct Precommit {
        /// From 1 to 2^63 - 1.
        uint64 height;
        /// Below 2^31.
        uint32 round;
        /// Hash of the block's header.
        bytes32 blockHash;
        /// How many parts the block was gossiped in, at least 1.
        uint32 partsTotal;
        /// Root of the parts.
        bytes32 partsHash;
        /// The chain, of 1 to 50 bytes.
        bytes chainId;
    }

    /// @notice Seconds since 1970, and nanoseconds after these.
    struct Time {
        int64 secs;
        uint32 nanos;
    }

    /// @notice The block before; hashes are empty for the first one.
    struct BlockId {
        bytes blockHash;
        uint32 partsTotal;
        bytes partsHash;
    }

    /// @notice A header: its 14 fields, in the order in which they are hashed.
    struct Header {
        uint64 versionBlock;
        uint64 versionApp;
        bytes chainId;
        uint64 height;
        Time time;
        BlockId lastBlockId;
        /// Hashes of: last commit, data, validators, next validators, consensus, app, last results, evidence; and
        /// the proposer's address. An application may leave its hash empty or give it any length.
        bytes[9] hashes;
    }

    /// @notice A height of 0, or of 2^63 or more.
    error HeightOutOfRange(uint64 height);
    /// @notice A round of 2^31 or more.
    error RoundOutOfRange(uint32 round);
    /// @notice A block has at least one part.
    error NoParts();
    /// @notice So many nanoseconds are a second or more.
    error NanosOutOfRange(uint32 nanos);

    /// @dev Bytes of a precommit before the name of the chain.
    uint256 private constant FIXED = 80;
    /// @dev `MaxChainIDLen` of `types/genesis.go`.
    uint256 private constant MAX_CHAIN_ID = 50;
    uint256 private constant FIELDS = 14;
    uint32 private constant SECOND = 1_000_000_000;

    // ------------------------------------------------------------------------------ Precommits

    /// @notice Reads `height (8) || round (4) || blockHash (32) || partsTotal (4) || partsHash (32) || chainId`,
    /// numbers big-endian.
    function read(bytes calldata bytes_) internal pure returns (Precommit memory precommit) {
        uint256 length = bytes_.length;
        if (length <= FIXED) revert IDigest.TooShort(FIXED + 1, length);
        if (length > FIXED + MAX_CHAIN_ID) revert IDigest.TooLong(FIXED + MAX_CHAIN_ID, length);
        precommit.height = uint64(bytes8(bytes_[:8]));
        precommit.round = uint32(bytes4(bytes_[8:12]));
        precommit.blockHash = bytes32(bytes_[12:44]);
        precommit.partsTotal = uint32(bytes4(bytes_[44:48]));
        precommit.partsHash = bytes32(bytes_[48:FIXED]);
        precommit.chainId = bytes_[FIXED:];
        requireInRange(precommit);
    }

    /// @notice What all validators share who vote for a block, in 160 bytes: numbers of consensus little-endian, as
    /// they are signed, and a tag that no vote begins with. Keys of the form `cometbft-precommit` have its SHA-256.
    function encode(Precommit memory precommit) internal pure returns (bytes memory) {
        bytes memory name = precommit.chainId;
        return abi.encodePacked(
            _fixed64(precommit.height),
            _fixed64(precommit.round),
            precommit.blockHash,
            precommit.partsHash,
            "precommit/1",
            precommit.partsTotal,
            uint8(name.length),
            name,
            new bytes(64 - name.length)
        );
    }

    /// @notice What a validator signs who voted at this time (`VoteSignBytes`): `CanonicalVote` with its length.
    function signBytes(Precommit memory precommit, Time memory time)
        internal
        pure
        returns (bytes memory)
    {
        return _vote(precommit, _field(5, timeBytes(time)));
    }

    /// @notice What all validators sign whose signatures a commit adds up: the same without a time.
    function signBytesTogether(Precommit memory precommit) internal pure returns (bytes memory) {
        return _vote(precommit, "");
    }

    function _vote(Precommit memory precommit, bytes memory time)
        private
        pure
        returns (bytes memory)
    {
        bytes memory round = precommit.round == 0
            ? bytes("")
            : abi.encodePacked(hex"19", _fixed64(precommit.round));
        bytes memory vote = abi.encodePacked(
            hex"0802",
            hex"11",
            _fixed64(precommit.height),
            round,
            _field(
                4,
                _blockId(
                    abi.encodePacked(precommit.blockHash),
                    precommit.partsTotal,
                    abi.encodePacked(precommit.partsHash)
                )
            ),
            time,
            _field(6, precommit.chainId)
        );
        return abi.encodePacked(varint(vote.length), vote);
    }

    /// @notice Reverts for numbers that no precommit has.
    function requireInRange(Precommit memory precommit) internal pure {
        requireHeight(precommit.height);
        if (precommit.round >> 31 != 0) revert RoundOutOfRange(precommit.round);
        if (precommit.partsTotal == 0) revert NoParts();
    }

    /// @notice Reverts for a height that no block has.
    function requireHeight(uint64 height) internal pure {
        if (height == 0 || height >> 63 != 0) revert HeightOutOfRange(height);
    }

    // ------------------------------------------------------------------------------ Headers

    /// @notice `Header.Hash`, by which votes name the block: the root over the fields, each in an encoding of its own.
    function hashOf(Header memory header) internal pure returns (bytes32) {
        bytes32[] memory level = new bytes32[](FIELDS);
        level[0] =
            _leaf(abi.encodePacked(_number(1, header.versionBlock), _number(2, header.versionApp)));
        level[1] = _leaf(_given(1, header.chainId));
        level[2] = _leaf(_number(1, header.height));
        level[3] = _leaf(timeBytes(header.time));
        BlockId memory last = header.lastBlockId;
        level[4] = _leaf(_blockId(last.blockHash, last.partsTotal, last.partsHash));
        // Most of the others have 32 bytes: the leaf's 0, the tag, the length, and the hash, each over the one before.
        bytes memory leaf = abi.encodePacked(hex"000a20", bytes32(0));
        for (uint256 i = 5; i < FIELDS; ++i) {
            bytes memory hash = header.hashes[i - 5];
            if (hash.length == 32) {
                assembly ("memory-safe") {
                    mstore(add(leaf, 35), mload(add(hash, 32)))
                }
                level[i] = sha256(leaf);
            } else {
                level[i] = _leaf(_given(1, hash));
            }
        }
        return _root(level);
    }

    /// @dev RFC 6962, section 2.1. Where it splits at the greatest power of 2, pairing neighbours and letting an odd
    /// last one go up makes the same tree.
    function _root(bytes32[] memory level) private pure returns (bytes32) {
        uint256 length = level.length;
        // A node's 1, and two hashes, each two over those before.
        bytes memory node = abi.encodePacked(hex"01", bytes32(0), bytes32(0));
        while (length > 1) {
            uint256 pairs = length / 2;
            for (uint256 i = 0; i < pairs; ++i) {
                assembly ("memory-safe") {
                    let pair := add(level, add(32, shl(6, i)))
                    mstore(add(node, 33), mload(pair))
                    mstore(add(node, 65), mload(add(pair, 32)))
                }
                level[i] = sha256(node);
            }
            if (length % 2 == 1) level[pairs] = level[length - 1];
            length = pairs + length % 2;
        }
        return level[0];
    }

    function _leaf(bytes memory encoded) private pure returns (bytes32) {
        return sha256(abi.encodePacked(hex"00", encoded));
    }

    // ------------------------------------------------------------------------------ Protobuf
    //
    // A tag is the number of the field times 8, plus 0 for a varint, 1 for eight bytes, 2 for bytes with their
    // length. Numbers that are 0 are left out.

    /// @notice `google.protobuf.Timestamp`. A negative number has ten bytes.
    function timeBytes(Time memory time) internal pure returns (bytes memory) {
        if (time.nanos >= SECOND) revert NanosOutOfRange(time.nanos);
        // The bits of the two's complement.
        return abi.encodePacked(_number(1, uint64(time.secs)), _number(2, time.nanos));
    }

    /// @notice Seven bits a byte, the lowest first; the top bit says that more follow.
    function varint(uint256 value) internal pure returns (bytes memory bytes_) {
        // Written at the end of memory, since a header has 30 of these bytes; `mstore8` takes the lowest one of a word.
        assembly ("memory-safe") {
            bytes_ := mload(0x40)
            let start := add(bytes_, 32)
            let end := start
            for {} gt(value, 0x7f) {} {
                mstore8(end, or(value, 0x80))
                value := shr(7, value)
                end := add(end, 1)
            }
            mstore8(end, value)
            end := add(end, 1)
            mstore(bytes_, sub(end, start))
            mstore(0x40, and(add(end, 31), not(31)))
        }
    }

    /// @dev `BlockID`, and `CanonicalBlockID`, which has the same fields. The parts are never left out.
    function _blockId(bytes memory blockHash, uint32 partsTotal, bytes memory partsHash)
        private
        pure
        returns (bytes memory)
    {
        bytes memory parts = abi.encodePacked(_number(1, partsTotal), _given(2, partsHash));
        return abi.encodePacked(_given(1, blockHash), _field(2, parts));
    }

    function _number(uint8 field, uint64 value) private pure returns (bytes memory) {
        return value == 0 ? bytes("") : abi.encodePacked(field << 3, varint(value));
    }

    function _field(uint8 field, bytes memory content) private pure returns (bytes memory) {
        return abi.encodePacked(field << 3 | 2, varint(content.length), content);
    }

    /// @dev The same, left out if there is nothing.
    function _given(uint8 field, bytes memory content) private pure returns (bytes memory) {
        return content.length == 0 ? content : _field(field, content);
    }

    /// @dev Eight bytes, the lowest first.
    function _fixed64(uint64 value) private pure returns (bytes8) {
        uint64 swapped = 0;
        for (uint256 i = 0; i < 8; ++i) {
            swapped = swapped << 8 | value & 0xff;
            value >>= 8;
        }
        return bytes8(swapped);
    }
}
