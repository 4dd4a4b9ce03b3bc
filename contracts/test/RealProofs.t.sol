// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Harness} from "./base/Harness.sol";
import {Test} from "./base/Test.sol";

/// @dev A light client over the verifier itself, with proofs that tools/vectors made: of a circuit that asks
/// nothing of its three inputs, but for exactly those that the client derives. What they cost is
/// what proofs with five packs cost, as those of most keys are.
contract RealProofsTest is Test {
    uint256 private constant LIMIT = 324_000;

    MusterVerifier private _verifier;
    MultisigLightClient private _client;
    string private _json;

    function setUp() public {
        _json = vm.readFile("test/vectors/light-client.json");
        vm.chainId(number(".chain"));
        vm.warp(number(".valid_until"));
        _verifier = new MusterVerifier();
        assertEq(_verifier.register(data(".first_evm_key")), committee(".first").key, "first key");
        assertEq(_verifier.register(data(".next_evm_key")), committee(".next").key, "next key");
        _client = deploy(MultisigLightClient.Terms(1 days, 1 hours, 30 days, role(".guardian")));
    }

    /// @dev The committee signs the client's address: the constructor runs where the vectors have it.
    function deploy(MultisigLightClient.Terms memory terms) private returns (MultisigLightClient) {
        bytes memory arguments = abi.encode(
            _verifier, number(".source_chain"), uint64(number(".epoch")), committee(".first"), terms
        );
        address at = role(".client");
        vm.etch(at, bytes.concat(type(MultisigLightClient).creationCode, arguments));
        (bool ok, bytes memory runtime) = at.call("");
        assertTrue(ok, "constructed");
        vm.etch(at, runtime);
        return MultisigLightClient(at);
    }

    function testEachWordOfAProofCounts() public {
        bytes memory proof = data(".message");
        for (uint256 place = 0; place < proof.length; place += 32) {
            bytes memory bad = bytes.concat(proof);
            bad[place + 31] ^= 0x01;
            expectRejected();
            _client.submit(message(""), 1, until(), bad);
        }
        bytes memory longer = bytes.concat(proof, hex"00");
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongProofLength.selector, 1536, 1537)
        );
        _client.submit(message(""), 1, until(), longer);
        _client.submit(message(""), 1, until(), proof);
    }

    function testAProofIsOfOneThing() public {
        string[3] memory others = [".batch", ".handover", ".acceptance"];
        for (uint256 i = 0; i < 3; ++i) {
            bytes memory proof = data(others[i]);
            expectRejected();
            _client.submit(message(""), 1, until(), proof);
        }
        bytes memory own = data(".message");
        expectRejected();
        _client.submit(message("batch_"), 1, until(), own);
        expectRejected();
        _client.submit(message(""), 1, until() + 1, own);
        expectRejected();
        _client.submit(message(""), 1, 0, own);
    }

    function testAHandover() public {
        uint64 sequence = uint64(number(".sequence"));
        bytes memory acceptance = data(".acceptance");
        _client.propose(committee(".next"), sequence, until(), data(".handover"));
        bytes memory wrong = data(".handover");
        expectRejected();
        _client.accept(until(), wrong);
        _client.accept(until(), acceptance);
        assertEq(_client.epoch(), 2, "epoch");
        assertEq(_client.committee().root, committee(".next").root, "in office");
        // The committee before is still good for it.
        _client.submit(message(""), 1, until(), data(".message"));
    }

    // ------------------------------------------------------------------------------ Gas

    /// @dev `forge test --match-contract RealProofsTest --match-test Cost -vv` prints the figures: of the whole
    /// transaction, with what it pays for its calldata. Each is taken.
    function testCostOfSubmit() public {
        bytes memory input =
            abi.encodeCall(_client.submit, (message(""), 1, until(), data(".message")));
        assertEq(data(".message").length, 1536, "five packs");
        assertBelow(costOf("submit", input), LIMIT, "submit");
        assertTrue(_client.isProcessed(_client.messageId(message(""))), "processed");
    }

    /// @dev What a good message of the committee before costs more: two words of storage.
    function testCostOfTheRest() public {
        bytes memory proof = data(".handover");
        MusterDigest.Committee memory next = committee(".next");
        costOf("propose", abi.encodeCall(_client.propose, (next, 1, until(), proof)));
        costOf("accept", abi.encodeCall(_client.accept, (until(), data(".acceptance"))));
        proof = data(".message");
        bytes memory input = abi.encodeCall(_client.submit, (message(""), 1, until(), proof));
        assertBelow(costOf("submit, the committee before", input), LIMIT + 3_000, "submit");
        bytes32 root = bytes32(number(".batch_root"));
        input = abi.encodeCall(_client.submitBatch, (root, 1, until(), data(".batch")));
        costOf("submitBatch", input);
        bytes32[] memory path = vm.parseJsonBytes32Array(_json, ".path");
        input = abi.encodeCall(_client.submitFromBatch, (message("batch_"), root, path));
        costOf("submitFromBatch, of two", input);
        assertTrue(_client.isProcessed(_client.messageId(message("batch_"))), "processed");
    }

    /// @dev Forge counts the intrinsic gas of a transaction, too; else the figures would be too small.
    function testCostsAreOfWholeTransactions() public {
        (bool ok,) = address(0xabcd).call(new bytes(100));
        assertTrue(ok, "nobody");
        assertEq(vm.lastCallGas().gasTotalUsed, 21_000 + 10 * 100, "the floor");
    }

    /// @dev A bad proof costs no more than a good one, and the good one writes. This one's points are on the
    /// curve, and its inverse is right.
    function testCostOfABadProof() public {
        bytes memory proof = data(".message");
        // The first of the values.
        proof[900] ^= 0x01;
        setInverse(proof);
        bytes memory input = abi.encodeCall(_client.submit, (message(""), 1, until(), proof));
        (bool ok,) = address(_client).call(input);
        assertTrue(!ok, "refused");
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint("submit, a bad proof: all in", used);
        assertBelow(used, LIMIT, "a bad proof");
    }

    function setInverse(bytes memory proof) private {
        Harness harness = new Harness();
        bytes32 name = harness.register(data(".first_evm_key"));
        uint256[] memory inputs = new uint256[](3);
        (inputs[0], inputs[1]) = (committee(".first").root, committee(".first").threshold);
        inputs[2] = _client.messageDigest(message(""), 1, until());
        uint256[3] memory own;
        uint256 inverse = harness.inverseOf(name, inputs, proof, own);
        assembly ("memory-safe") {
            mstore(add(proof, mload(proof)), inverse)
        }
    }

    /// @dev Under `isolate` a call is a transaction of its own, and forge counts all of it: 21,000, calldata at
    /// EIP-2028's prices, and execution. EIP-7623's floor must lie below.
    function costOf(string memory what, bytes memory input) private returns (uint256 total) {
        (bool ok,) = address(_client).call(input);
        assertTrue(ok, what);
        total = vm.lastCallGas().gasTotalUsed;
        uint256 tokens = 0;
        for (uint256 i = 0; i < input.length; ++i) {
            tokens += input[i] == 0 ? 1 : 4;
        }
        emit log_named_uint(string.concat(what, ": all in"), total);
        emit log_named_uint(string.concat(what, ": of it execution"), total - 21_000 - 4 * tokens);
        assertBelow(21_000 + 10 * tokens, total, "the floor does not bind");
    }

    // ------------------------------------------------------------------------------ Helpers

    function message(string memory which) private view returns (MusterDigest.Message memory) {
        return MusterDigest.Message({
            nonce: uint64(number(string.concat(".", which, "nonce"))),
            payload: data(string.concat(".", which, "payload"))
        });
    }

    function committee(string memory at) private view returns (MusterDigest.Committee memory) {
        return MusterDigest.Committee({
            key: bytes32(number(string.concat(at, ".key"))),
            root: number(string.concat(at, ".root")),
            threshold: uint64(number(string.concat(at, ".threshold"))),
            form: MusterDigest.Form(number(string.concat(at, ".form")))
        });
    }

    function until() private view returns (uint64) {
        return uint64(number(".valid_until"));
    }

    function number(string memory at) private view returns (uint256) {
        return vm.parseJsonUint(_json, at);
    }

    function data(string memory at) private view returns (bytes memory) {
        return vm.parseJsonBytes(_json, at);
    }

    function role(string memory at) private view returns (address) {
        return vm.parseJsonAddress(_json, at);
    }

    function expectRejected() private {
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.ProofRejected.selector));
    }
}
