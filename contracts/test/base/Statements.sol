// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../../src/MusterStatement.sol";

/// @dev The functions of the library from outside, so that a test sees with what they revert. Arguments
/// lie in calldata, as those of a contract that uses them do.
contract Statements {
    function ofElement(uint256 root, uint256 threshold, uint256 element)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofElement(root, threshold, element);
    }

    function ofDigest(uint256 root, uint256 threshold, bytes32 digest)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofDigest(root, threshold, digest);
    }

    function ofPlain(uint256 root, uint256 threshold, bytes calldata message)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofPlain(root, threshold, message);
    }

    function ofBn254G1(uint256 root, uint256 threshold, uint256[2] calldata point)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofBn254G1(root, threshold, point);
    }

    function ofBn254G2(uint256 root, uint256 threshold, uint256[4] calldata point)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofBn254G2(root, threshold, point);
    }

    function ofBls12381G1(uint256 root, uint256 threshold, uint256[4] calldata point)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofBls12381G1(root, threshold, point);
    }

    function ofBls12381G2(uint256 root, uint256 threshold, uint256[8] calldata point)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofBls12381G2(root, threshold, point);
    }

    function withSigners(uint256[] calldata statement, uint256 members, uint256[] calldata mask)
        external
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.withSigners(statement, members, mask);
    }

    function isSigner(uint256 members, uint256[] calldata mask, uint256 member)
        external
        pure
        returns (bool)
    {
        return MusterStatement.isSigner(members, mask, member);
    }
}
