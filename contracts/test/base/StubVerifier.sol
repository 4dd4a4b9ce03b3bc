// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../../src/MusterVerifier.sol";
import {IMusterVerifier} from "../../src/interfaces/IMusterVerifier.sol";

/// @dev Stands for `MusterVerifier`: takes the proofs that were given to it before, for the key and the
/// inputs that came with them, and no others. What these tests are about is what a contract does
/// with a verdict; `RealProofs.t.sol` has the verifier itself.
contract StubVerifier is IMusterVerifier {
    uint256 private constant KEY_LENGTH = 384;

    mapping(bytes32 => uint256) private _inputsOf;
    mapping(bytes32 => bool) private _isGood;

    function addKey(bytes32 name, uint256 inputs) external {
        _inputsOf[name] = inputs;
    }

    function addProof(bytes32 name, uint256[] calldata inputs, bytes calldata proof) external {
        _isGood[keccak256(abi.encode(name, inputs, proof))] = true;
    }

    function verify(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        public
        view
        returns (bool)
    {
        uint256 expected = 32 * _inputsOf[name];
        if (expected == 0) revert MusterVerifier.UnknownKey(name);
        if (32 * inputs.length != expected) {
            revert MusterVerifier.WrongInputs(expected, 32 * inputs.length);
        }
        return _isGood[keccak256(abi.encode(name, inputs, proof))];
    }

    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view {
        uint256[] memory words =
            abi.decode(bytes.concat(abi.encode(32, inputs.length / 32), inputs), (uint256[]));
        if (!this.verify(name, words, proof)) revert MusterVerifier.ProofRejected();
    }

    function isRegistered(bytes32 name) external view returns (bool) {
        return _inputsOf[name] != 0;
    }

    /// @dev With the number of inputs where a key has it, and all other bits set around it.
    function keyBytes(bytes32 name) external view returns (bytes memory evmKey) {
        uint256 inputs = _inputsOf[name];
        if (inputs == 0) return evmKey;
        evmKey = new bytes(KEY_LENGTH);
        uint256 head = type(uint256).max ^ (uint256(type(uint32).max) << 64) | inputs << 64;
        assembly ("memory-safe") {
            mstore(add(evmKey, 32), head)
        }
    }
}
