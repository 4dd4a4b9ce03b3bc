// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBft} from "../../src/digests/CometBft.sol";
import {CometBftVoteDigest} from "../../src/digests/CometBftVoteDigest.sol";
import {EthereumDigest} from "../../src/digests/EthereumDigest.sol";
import {HyperlaneDigest} from "../../src/digests/HyperlaneDigest.sol";
import {WormholeDigest} from "../../src/digests/WormholeDigest.sol";
import {IDigest} from "../../src/interfaces/IDigest.sol";
import {Test} from "./Test.sol";

/// @dev Makes the internal functions of the digests callable with calldata.
contract Digests {
    function wormhole(bytes calldata body) external pure returns (WormholeDigest.Body memory) {
        return WormholeDigest.parse(body);
    }

    function hyperlaneDomain(uint32 origin, bytes32 hook) external pure returns (bytes32) {
        return HyperlaneDigest.domainHash(origin, hook);
    }

    function headerRoot(bytes calldata header) external pure returns (bytes32) {
        return EthereumDigest.headerRoot(header);
    }

    function cometBftHeader(CometBft.Header calldata header) external pure returns (bytes32) {
        return CometBft.hashOf(header);
    }

    function cometBftVote(bytes calldata statement) external pure returns (bytes memory) {
        return CometBftVoteDigest.signBytes(statement);
    }

    function cometBftPrecommit(bytes calldata statement) external pure returns (bytes memory) {
        return CometBft.encode(CometBft.read(statement));
    }

    function varint(uint256 value) external pure returns (bytes memory) {
        return CometBft.varint(value);
    }
}

/// @dev What tests of digests share.
abstract contract Adapters is Test {
    Digests internal adapters = new Digests();

    /// @dev Each cut of a statement is refused, and so is a byte more.
    function refusesOtherLengths(IDigest adapter, bytes memory statement) internal {
        uint256 expected = statement.length;
        bytes memory longer = bytes.concat(statement, hex"00");
        for (uint256 length = 0; length <= expected + 1; ++length) {
            if (length == expected) continue;
            bytes memory other = slice(longer, 0, length);
            vm.expectRevert(abi.encodeWithSelector(IDigest.WrongLength.selector, expected, length));
            adapter.digestOf(other);
        }
    }

    function expectTooShort(uint256 least, uint256 actual) internal {
        vm.expectRevert(abi.encodeWithSelector(IDigest.TooShort.selector, least, actual));
    }

    function slice(bytes memory from, uint256 start, uint256 length)
        internal
        pure
        returns (bytes memory part)
    {
        part = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            part[i] = from[start + i];
        }
    }

    /// @dev r, s and v, which is 27 or 28.
    function recover(bytes32 digest, bytes memory signature) internal pure returns (address) {
        bytes32 r = bytes32(slice(signature, 0, 32));
        return ecrecover(digest, uint8(signature[64]), r, bytes32(slice(signature, 32, 32)));
    }

    /// @dev EIP-191, version 0x45.
    function personal(bytes32 message) internal pure returns (bytes32) {
        return keccak256(bytes.concat("\x19", "Ethereum Signed Message:\n", "32", message));
    }

    /// @dev A number in a chunk of SSZ.
    function little(uint64 value) internal pure returns (bytes32 chunk) {
        for (uint256 i = 0; i < 8; ++i) {
            chunk |= bytes32(uint256(uint8(value >> 8 * i)) << (248 - 8 * i));
        }
    }
}
