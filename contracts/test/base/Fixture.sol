// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../../src/MultisigLightClient.sol";
import {MusterDigest} from "../../src/MusterDigest.sol";
import {MusterVerifier} from "../../src/MusterVerifier.sol";
import {StubHalo2} from "./StubHalo2.sol";
import {Test} from "./Test.sol";

/// @dev The means to deploy a light client over a wrapper over a stub, and to sign for any committee.
abstract contract Signing is Test {
    uint256 internal constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    uint256 internal constant SOURCE = 11_155_111;
    uint256 internal constant PROOF_LENGTH = 96;
    uint256 internal constant GAS_CAP = 100_000;
    bytes32 internal constant KEY_DIGEST = keccak256("a verifying key");

    address internal halo2;
    MusterVerifier internal verifier;
    MultisigLightClient internal client;

    function deploy() internal {
        halo2 = deployStub();
        verifier = new MusterVerifier(halo2, KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        client = new MultisigLightClient(verifier, SOURCE, firstKeySet());
    }

    function firstKeySet() internal pure returns (MusterDigest.KeySet memory) {
        return MusterDigest.KeySet({root: 0xc0ffee, threshold: 11, totalWeight: 16, epoch: 1});
    }

    function nextKeySet() internal pure returns (MusterDigest.KeySet memory) {
        return MusterDigest.KeySet({root: 0xbeef, threshold: 5, totalWeight: 8, epoch: 2});
    }

    /// @dev A stub as large as a generated verifier must be; the padding is never run.
    function deployStub() internal returns (address stub) {
        stub = address(new StubHalo2());
        vm.etch(stub, padded(stub.code));
    }

    function padded(bytes memory code) internal pure returns (bytes memory) {
        return bytes.concat(code, new bytes(1024));
    }

    /// @dev A proof that the stub takes for these public inputs and for no others.
    function prove(uint256 root, uint256 threshold, uint256 message)
        internal
        returns (bytes memory proof)
    {
        bytes32 seed = keccak256(abi.encode("proof", root, threshold, message));
        proof = abi.encode(seed, keccak256(abi.encode(seed)), uint256(seed) >> 1);
        (bool ok,) = halo2.call(abi.encodePacked(root, threshold, message, proof));
        assertTrue(ok, "registered");
    }

    /// @dev A proof by the committee in office.
    function sign(uint256 digest) internal returns (bytes memory) {
        return prove(client.keySetRoot(), client.threshold(), digest);
    }

    function signMessage(MusterDigest.Message memory message) internal returns (bytes memory) {
        return sign(client.messageDigest(message));
    }

    /// @dev The committee in office hands over to `next`.
    function rotate(MusterDigest.KeySet memory next) internal {
        rotate(next, sign(client.handoverDigest(next)));
    }

    function rotate(MusterDigest.KeySet memory next, bytes memory proof) internal {
        client.rotate(next.root, next.threshold, next.totalWeight, next.epoch, proof);
    }

    function aMessage() internal pure returns (MusterDigest.Message memory) {
        return MusterDigest.Message({nonce: 7, payload: "release 5 tokens to alice"});
    }

    function expectProofRejected() internal {
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.ProofRejected.selector));
    }
}

/// @dev What most tests start from.
abstract contract Fixture is Signing {
    function setUp() public virtual {
        deploy();
    }
}
