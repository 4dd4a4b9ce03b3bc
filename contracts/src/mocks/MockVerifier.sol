// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IMusterVerifier} from "../interfaces/IMusterVerifier.sol";

/// @title Stands for `MusterVerifier` in tests of contracts that use it.
/// @notice Takes the proofs that anybody gave it before, for the key and the inputs that came with them,
/// and no others. Never use it where anything is at stake: it proves nothing. It cannot be deployed on
/// Ethereum's chain.
contract MockVerifier is IMusterVerifier {
    /// @dev Of a key with two packs of round 0.
    uint256 private constant KEY_LENGTH = 384;

    mapping(bytes32 => uint256) private _inputsOf;
    mapping(bytes32 => bool) private _isGood;

    /// @notice This chain is in earnest.
    error NotATestChain();
    /// @notice As `MusterVerifier` has it.
    error NoClaims();
    /// @notice As `MusterVerifier` has it.
    error UnknownKey(bytes32 name);
    /// @notice As `MusterVerifier` has it.
    error WrongInputs(uint256 expected, uint256 actual);
    /// @notice As `MusterVerifier` has it.
    error ProofRejected();

    constructor() {
        if (block.chainid == 1) revert NotATestChain();
    }

    /// @notice From now on there is a key of this name, which takes so many inputs; zero takes it away.
    function addKey(bytes32 name, uint256 inputs) external {
        _inputsOf[name] = inputs;
    }

    /// @notice From now on this proof holds.
    function addProof(bytes32 name, uint256[] calldata inputs, bytes calldata proof) external {
        _isGood[_statement(name, abi.encodePacked(inputs), proof)] = true;
    }

    /// @inheritdoc IMusterVerifier
    function verify(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (bool)
    {
        return _verify(name, abi.encodePacked(inputs), proof);
    }

    /// @inheritdoc IMusterVerifier
    function verifyAll(Claim[] calldata claims) external view returns (bool holds) {
        if (claims.length == 0) revert NoClaims();
        holds = true;
        for (uint256 i = 0; holds && i < claims.length; ++i) {
            bytes memory inputs = abi.encodePacked(claims[i].inputs);
            holds = _verify(claims[i].name, inputs, claims[i].proof);
        }
    }

    /// @inheritdoc IMusterVerifier
    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view {
        if (!_verify(name, inputs, proof)) revert ProofRejected();
    }

    /// @inheritdoc IMusterVerifier
    function isRegistered(bytes32 name) external view returns (bool) {
        return _inputsOf[name] != 0;
    }

    /// @inheritdoc IMusterVerifier
    /// @dev With the number of inputs where a key has it, and all other bits of the first word set.
    function keyBytes(bytes32 name) external view returns (bytes memory) {
        uint256 inputs = _inputsOf[name];
        if (inputs == 0) return "";
        uint256 head = type(uint256).max ^ uint256(type(uint32).max) << 64 | inputs << 64;
        return abi.encodePacked(head, new bytes(KEY_LENGTH - 32));
    }

    function _verify(bytes32 name, bytes memory inputs, bytes calldata proof)
        private
        view
        returns (bool)
    {
        uint256 expected = 32 * _inputsOf[name];
        if (expected == 0) revert UnknownKey(name);
        if (inputs.length != expected) revert WrongInputs(expected, inputs.length);
        return _isGood[_statement(name, inputs, proof)];
    }

    function _statement(bytes32 name, bytes memory inputs, bytes calldata proof)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(name, inputs, proof));
    }
}
