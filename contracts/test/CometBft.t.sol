// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBft} from "../src/digests/CometBft.sol";
import {CometBftDigest} from "../src/digests/CometBftDigest.sol";
import {CometBftVoteDigest} from "../src/digests/CometBftVoteDigest.sol";
import {IDigest} from "../src/interfaces/IDigest.sol";
import {Adapters} from "./base/Adapters.sol";

/// @dev Block 10000 of mocha-4, Celestia's testnet, as its RPC answered (`/signed_block`; succinctlabs/tendermintx,
/// circuits/fixtures/mocha-4/10000).
contract CometBftTest is Adapters {
    IDigest private _precommits = IDigest(address(CometBftDigest));
    IDigest private _votes = IDigest(address(CometBftVoteDigest));

    bytes32 private constant BLOCK =
        0xa0123d5e4b8b8888a61f931ee2252d83568b97c223e0eca9795b29b8bd8cba2d;
    bytes32 private constant PARTS =
        0xab462d20e3a1c2776db06fcd8f0be44467ef22beca60a35d3459cc562599fdd1;
    bytes private constant EMPTY =
        hex"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    bytes private constant VALIDATORS =
        hex"545c0fa1555679391e52ac823e1437008c5076b571b90690da2bccb7106bf534";

    function header() private pure returns (CometBft.Header memory all) {
        (all.versionBlock, all.versionApp) = (11, 1);
        (all.chainId, all.height) = ("mocha-4", 10_000);
        all.time = CometBft.Time(1694090759, 767_207_173);
        all.lastBlockId = CometBft.BlockId(
            hex"dfa47612e05148bffb87cbbca5bc570a2ca535dff487ee929dca61756ee277a0",
            1,
            hex"3278d210e068fcd7e762bfdcd46fe680b201461a07138f737e5ee295caa22266"
        );
        all.hashes = [
            bytes(hex"5b83f0c317868877b9580f78bed660dde675c14a4f07abf344de03018794f1c8"),
            hex"3d96b7d238e7e0456f6af8e7cdf0a67bd6cf9c2089ecb559c659dcaa1f880353",
            VALIDATORS,
            VALIDATORS,
            hex"c0b6a634b72ae9687ea53b6d277a73aba1386ba3cfc6d0f26963602f7f6ffcd6",
            hex"7fd676a47a5902d7f2f5b407e6a878a109ccfe930ca893d258d369dd6b569818",
            EMPTY,
            EMPTY,
            hex"762cba617226a799d898f134dd12661c7f1129eb"
        ];
    }

    function statement() private pure returns (bytes memory) {
        return abi.encodePacked(uint64(10_000), uint32(0), BLOCK, uint32(1), PARTS, "mocha-4");
    }

    function testTheHashOfAHeader() public view {
        assertEq(adapters.cometBftHeader(header()), BLOCK, "hash");
    }

    function testFuzzEveryFieldOfAHeaderCounts(uint256 field, uint64 value) public view {
        CometBft.Header memory other = header();
        bytes memory text = abi.encodePacked(value);
        field = bound(field, 0, 17);
        if (field == 0) other.versionBlock = value;
        if (field == 1) other.versionApp = value;
        if (field == 2) other.chainId = text;
        if (field == 3) other.height = value;
        if (field == 4) other.time.secs = int64(value);
        if (field == 5) other.time.nanos = uint32(value % 1_000_000_000);
        if (field == 6) other.lastBlockId.blockHash = text;
        if (field == 7) other.lastBlockId.partsTotal = uint32(value);
        if (field == 8) other.lastBlockId.partsHash = text;
        if (field > 8) other.hashes[field - 9] = text;
        vm.assume(keccak256(abi.encode(other)) != keccak256(abi.encode(header())));
        assertTrue(adapters.cometBftHeader(other) != BLOCK, "counts");
    }

    /// @dev The digest is what `muster import cometbft` names for this commit.
    function testAPrecommit() public view {
        assertEq(
            _precommits.digestOf(statement()),
            0xab4a8258e05ed65cc7c69a29cb006081216477546bfd4022b5833d47dbac802f,
            "digest"
        );
        assertEq(adapters.cometBftPrecommit(statement()).length, 160, "length");
    }

    /// @dev The validator's signature in the commit holds for these bytes under its key; a program over OpenSSL says so.
    function testAVote() public view {
        bytes memory signed = hex"6b080211102700000000000022480a20a0123d5e4b8b8888a61f931ee2252d83568b97c223e0eca9795b29b8bd8c"
            hex"ba2d122408011220ab462d20e3a1c2776db06fcd8f0be44467ef22beca60a35d3459cc562599fdd1"
            hex"2a0b08938ce7a7061096e4936d32076d6f6368612d34";
        bytes memory vote = bytes.concat(
            abi.encodePacked(uint8(1), int64(1694090771), uint32(228_913_686)), statement()
        );
        assertEq(keccak256(adapters.cometBftVote(vote)), keccak256(signed), "bytes");
        assertEq(_votes.digestOf(vote), sha256(signed), "digest");
    }

    /// @dev The same bytes without the 13 of the time, so that the length before them is 13 less.
    function testVotesThatAreAddedUp() public view {
        bytes memory signed = hex"5e080211102700000000000022480a20a0123d5e4b8b8888a61f931ee2252d83568b97c223e0eca9795b29b8bd8c"
            hex"ba2d122408011220ab462d20e3a1c2776db06fcd8f0be44467ef22beca60a35d3459cc562599fdd1"
            hex"32076d6f6368612d34";
        bytes memory vote = bytes.concat(hex"00", statement());
        assertEq(keccak256(adapters.cometBftVote(vote)), keccak256(signed), "bytes");
    }

    /// @dev A time before 1970 has ten bytes, one of 0 has none, and the time is there all the same; a round is there
    /// if it is not 0. `0001-01-01`, Go's zero time, is what CometBFT's own vectors have.
    function testTimesAndRounds() public view {
        bytes memory rest = abi.encodePacked(uint64(1), uint32(1), BLOCK, uint32(1), PARTS, "c");
        bytes memory vote = adapters.cometBftVote(
            bytes.concat(abi.encodePacked(uint8(1), int64(-62135596800), uint32(0)), rest)
        );
        bytes memory head = hex"08021101000000000000001901000000000000002248";
        assertEq(keccak256(slice(vote, 1, 22)), keccak256(head), "head");
        bytes memory tail = hex"2a0b088092b8c398feffffff01320163";
        assertEq(
            keccak256(slice(vote, vote.length - tail.length, tail.length)), keccak256(tail), "tail"
        );
        vote = adapters.cometBftVote(bytes.concat(hex"01", new bytes(12), rest));
        assertEq(
            keccak256(slice(vote, vote.length - 5, 5)), keccak256(hex"2a00320163"), "the epoch"
        );
    }

    function testAPrecommitIsReadInOneWay() public {
        bytes memory good = statement();
        for (uint256 length = 0; length <= 80; ++length) {
            bytes memory cut = slice(good, 0, length);
            expectTooShort(81, length);
            _precommits.digestOf(cut);
        }
        bytes memory longest = bytes.concat(slice(good, 0, 80), new bytes(50));
        _precommits.digestOf(longest);
        longest = bytes.concat(longest, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDigest.TooLong.selector, 130, 131));
        _precommits.digestOf(longest);
        // A byte more is another chain.
        bytes memory other = bytes.concat(good, hex"00");
        assertTrue(_precommits.digestOf(other) != _precommits.digestOf(good), "another chain");
    }

    function testNumbersAreInTheirRanges() public {
        bytes memory bad = abi.encodePacked(uint64(0), uint32(0), BLOCK, uint32(1), PARTS, "c");
        vm.expectRevert(abi.encodeWithSelector(CometBft.HeightOutOfRange.selector, 0));
        _precommits.digestOf(bad);
        bad = abi.encodePacked(uint64(2 ** 63), uint32(0), BLOCK, uint32(1), PARTS, "c");
        vm.expectRevert(abi.encodeWithSelector(CometBft.HeightOutOfRange.selector, 2 ** 63));
        _precommits.digestOf(bad);
        bad = abi.encodePacked(uint64(1), uint32(2 ** 31), BLOCK, uint32(1), PARTS, "c");
        vm.expectRevert(abi.encodeWithSelector(CometBft.RoundOutOfRange.selector, 2 ** 31));
        _precommits.digestOf(bad);
        bad = abi.encodePacked(uint64(1), uint32(0), BLOCK, uint32(0), PARTS, "c");
        vm.expectRevert(abi.encodeWithSelector(CometBft.NoParts.selector));
        _precommits.digestOf(bad);
        bad = abi.encodePacked(uint8(1), int64(0), uint32(1_000_000_000), statement());
        vm.expectRevert(
            abi.encodeWithSelector(CometBft.NanosOutOfRange.selector, uint32(1_000_000_000))
        );
        _votes.digestOf(bad);
    }

    function testVotesOfOtherKinds() public {
        bytes memory bad = bytes.concat(hex"02", new bytes(12), statement());
        vm.expectRevert(abi.encodeWithSelector(IDigest.UnknownKind.selector, 2));
        _votes.digestOf(bad);
        for (uint256 length = 0; length < 13; ++length) {
            expectTooShort(13, length);
            _votes.digestOf(new bytes(length));
        }
    }

    /// @dev The least number of bytes, so that there is no second form: the last one is not 0 unless it is alone.
    function testFuzzVarints(uint64 value) public view {
        bytes memory encoded = adapters.varint(value);
        uint256 decoded = 0;
        for (uint256 i = 0; i < encoded.length; ++i) {
            uint8 each = uint8(encoded[i]);
            assertTrue(each >> 7 == (i + 1 < encoded.length ? 1 : 0), "more follow");
            decoded |= uint256(each & 0x7f) << 7 * i;
        }
        assertEq(decoded, value, "value");
        assertTrue(encoded.length == 1 || encoded[encoded.length - 1] != 0, "minimal");
    }
}
