// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Test} from "./base/Test.sol";

/// @dev The vectors were computed by `cast calldata`; the encoder in Rust reads the same file.
contract CalldataTest is Test {
    string private _json;
    bytes private _proof;
    bytes32 private _hash;
    uint256[] private _inputs;

    function setUp() public {
        _json = vm.readFile("test/vectors/calldata.json");
        _proof = vm.parseJsonBytes(_json, ".proof");
        _hash = vm.parseJsonBytes32(_json, ".hash");
        bytes32[] memory inputs = vm.parseJsonBytes32Array(_json, ".publicInputs");
        for (uint256 i = 0; i < inputs.length; ++i) {
            _inputs.push(uint256(inputs[i]));
        }
    }

    function test_calldata_of_the_wrapper() public view {
        expect(abi.encodeCall(IMusterVerifier.verify, (_proof, _inputs)), ".verify");
        bytes memory values = abi.encodePacked(_inputs);
        expect(abi.encodeCall(IMusterVerifier.verifyProof, (_hash, values, _proof)), ".verifyProof");
    }

    function test_calldata_of_the_light_client() public view {
        MusterDigest.Message memory message = MusterDigest.Message({
            nonce: uint64(number(".message.nonce")),
            payload: vm.parseJsonBytes(_json, ".message.payload")
        });
        bytes32[] memory path = vm.parseJsonBytes32Array(_json, ".path");
        expect(abi.encodeCall(MultisigLightClient.submit, (message, _proof)), ".submit");
        expect(abi.encodeCall(MultisigLightClient.submitBatch, (_hash, _proof)), ".submitBatch");
        expect(
            abi.encodeCall(MultisigLightClient.submitFromBatch, (message, _hash, path)),
            ".submitFromBatch"
        );
    }

    function test_calldata_of_a_handover() public view {
        bytes memory call = abi.encodeCall(
            MultisigLightClient.rotate,
            (
                number(".next.root"),
                uint64(number(".next.threshold")),
                uint64(number(".next.totalWeight")),
                uint64(number(".next.epoch")),
                _proof
            )
        );
        expect(call, ".rotate");
    }

    function number(string memory key) private view returns (uint256) {
        return vm.parseJsonUint(_json, key);
    }

    function expect(bytes memory call, string memory key) private view {
        bytes memory expected = vm.parseJsonBytes(_json, string.concat(".calldata", key));
        assertEq(keccak256(call), keccak256(expected), key);
    }
}
