// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../../src/MusterVerifier.sol";
import {Harness} from "./Harness.sol";
import {Test} from "./Test.sol";

/// @dev Proofs that verifier/reference/trace.py made, and how to present them.
abstract contract Vectors is Test {
    uint256 internal constant Q =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    uint256 internal constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    uint256 internal constant RANDOM_VECTORS = 32;

    struct Vector {
        string label;
        bytes evmKey;
        bytes32 name;
        uint256[] inputs;
        bytes proof;
        bool accepted;
        uint256[] trace;
    }

    Harness internal verifier;

    function setUp() public virtual {
        verifier = deploy();
    }

    /// @dev A verifier without keys; with other code where tools/mutate or tools/matrix say so.
    function deploy() internal returns (Harness deployed) {
        deployed = new Harness();
        etch(address(deployed), "MUSTER_CODE");
    }

    /// @dev Gives a contract the code in the file that a variable names, if it names one.
    function etch(address at, string memory variable) internal {
        string memory file = vm.envOr(variable, string(""));
        if (bytes(file).length != 0) vm.etch(at, vm.parseBytes(vm.readFile(file)));
    }

    function honestLabels() internal pure returns (string[9] memory) {
        return [
            "small",
            "stride-7",
            "large",
            "copies",
            "lookups",
            "three-inputs",
            "six-packs",
            "no-inputs",
            "no-first-round"
        ];
    }

    function honest(string memory label) internal returns (Vector memory) {
        return load(string.concat("honest-", label));
    }

    /// @dev Reads a file, and registers its key.
    function load(string memory label) internal returns (Vector memory vector) {
        string memory json = vm.readFile(string.concat("test/vectors/", label, ".json"));
        vector.label = label;
        vector.evmKey = vm.parseJsonBytes(json, ".evm_key");
        vector.name = vm.parseJsonBytes32(json, ".name");
        vector.inputs = vm.parseJsonUintArray(json, ".inputs");
        vector.proof = vm.parseJsonBytes(json, ".proof");
        vector.accepted = vm.parseJsonBool(json, ".accepted");
        vector.trace = vm.parseJsonUintArray(json, ".trace");
        assertEq(verifier.register(vector.evmKey), vector.name, label);
    }

    /// @dev What both functions say, which has to be the same: whether a proof is accepted, or with what
    /// they revert.
    function outcome(bytes32 name, uint256[] memory inputs, bytes memory proof)
        internal
        view
        returns (bool accepted, bytes memory reason)
    {
        (bool success, bytes memory result) = address(verifier)
            .staticcall(abi.encodeCall(MusterVerifier.verify, (name, inputs, proof)));
        (bool also, bytes memory other) = address(verifier)
            .staticcall(
                abi.encodeCall(MusterVerifier.verifyProof, (name, abi.encodePacked(inputs), proof))
            );
        if (!success) {
            assertTrue(!also, "one reverts");
            assertEq(keccak256(result), keccak256(other), "for the same reason");
            return (false, result);
        }
        accepted = abi.decode(result, (bool));
        assertTrue(also == accepted, "both agree");
        bytes memory rejected = abi.encodePacked(MusterVerifier.ProofRejected.selector);
        if (!also) assertEq(keccak256(other), keccak256(rejected), "rejected");
    }

    function verify(Vector memory vector) internal view returns (bool accepted) {
        bytes memory reason;
        (accepted, reason) = outcome(vector.name, vector.inputs, vector.proof);
        assertEq(reason.length, 0, vector.label);
    }

    /// @dev A bad proof: false, and no other reason to revert. With the inverse that it has to have, too:
    /// else that would be wrong after any change, and no test would see what other checks notice.
    function assertRefused(Vector memory vector, bytes memory proof, string memory what)
        internal
        view
    {
        assertRefused(vector, vector.inputs, proof, what);
    }

    function assertRefused(
        Vector memory vector,
        uint256[] memory inputs,
        bytes memory proof,
        string memory what
    ) internal view {
        for (uint256 i = 0; i < 2; ++i) {
            (bool accepted, bytes memory reason) = outcome(vector.name, inputs, proof);
            if (accepted || reason.length != 0) {
                revert NotTrue(string.concat(vector.label, ": ", what));
            }
            proof = withInverse(vector, inputs, proof);
            // Where nothing else was changed.
            if (keccak256(proof) == keccak256(vector.proof)) return;
        }
    }

    /// @dev The proof with the inverse that it has to have for these inputs.
    function withInverse(Vector memory vector, uint256[] memory inputs, bytes memory proof)
        internal
        view
        returns (bytes memory)
    {
        uint256[3] memory own;
        uint256 inverse = verifier.inverseOf(vector.name, inputs, proof, own);
        return withWord(proof, proof.length - 32, inverse);
    }

    /// @dev A call that is wrong: this reason, and no verdict.
    function assertReverts(
        bytes32 name,
        uint256[] memory inputs,
        bytes memory proof,
        bytes memory expected
    ) internal view {
        (, bytes memory reason) = outcome(name, inputs, proof);
        assertEq(keccak256(reason), keccak256(expected), "the reason");
    }

    /// @dev Whether to run everything, and not only what shows most in a minute.
    function all() internal view returns (bool) {
        return vm.envOr("MUSTER_ALL", false);
    }

    function wordAt(bytes memory data, uint256 place) internal pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 32), place))
        }
    }

    function setWord(bytes memory data, uint256 place, uint256 word) internal pure {
        assembly ("memory-safe") {
            mstore(add(add(data, 32), place), word)
        }
    }

    /// @dev A copy with one word changed.
    function withWord(bytes memory data, uint256 place, uint256 word)
        internal
        pure
        returns (bytes memory changed)
    {
        changed = bytes.concat(data);
        setWord(changed, place, word);
    }

    /// @dev A number of four bytes in a key.
    function number(bytes memory evmKey, uint256 place) internal pure returns (uint256) {
        return wordAt(evmKey, place) >> 224;
    }

    /// @dev Where the points of a proof begin, and where its scalars, of which the inverse is the last.
    function places(Vector memory vector)
        internal
        pure
        returns (uint256[] memory points, uint256[] memory scalars)
    {
        uint256 committed = number(vector.evmKey, 24) + number(vector.evmKey, 28);
        uint256 packs = committed + (vector.evmKey.length - 256) / 64;
        points = new uint256[](committed + 9);
        scalars = new uint256[](packs + 19);
        uint256 place = 0;
        uint256 p = 0;
        uint256 s = 0;
        for (; p < committed + 4; place += 64) {
            points[p++] = place;
        }
        for (; s < packs + 1; place += 32) {
            scalars[s++] = place;
        }
        for (; p < committed + 7; place += 64) {
            points[p++] = place;
        }
        for (; s < packs + 18; place += 32) {
            scalars[s++] = place;
        }
        for (; p < committed + 9; place += 64) {
            points[p++] = place;
        }
        scalars[s] = place;
        place += 32;
        assertEq(place, vector.proof.length, "length");
    }
}
