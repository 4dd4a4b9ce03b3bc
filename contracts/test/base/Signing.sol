// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../../src/MultisigLightClient.sol";
import {MusterDigest} from "../../src/MusterDigest.sol";
import {MusterStatement} from "../../src/MusterStatement.sol";
import {MockVerifier} from "../../src/mocks/MockVerifier.sol";
import {Test} from "./Test.sol";

/// @dev The means to deploy a light client over a mock verifier, and to sign for any committee.
abstract contract Signing is Test {
    uint256 internal constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    uint256 internal constant SOURCE = 11_155_111;
    uint64 internal constant START = 1_700_000_000;
    uint64 internal constant WINDOW = 3 days;
    uint64 internal constant OVERLAP = 1 hours;
    uint64 internal constant LIFE = 30 days;
    address internal constant GUARDIAN = address(0x6a);
    /// @dev Names of keys by the form that they are for.
    bytes32 internal constant ELEMENTS = keccak256("a key for elements");
    bytes32 internal constant DIGESTS = keccak256("a key for digests");
    bytes32 internal constant PLAIN = keccak256("a key for bytes");

    event CommitteeInOffice(uint64 indexed epoch, MusterDigest.Committee committee);
    event HandoverProposed(
        bytes32 indexed proposal,
        uint64 indexed epoch,
        uint64 sequence,
        uint64 acceptBy,
        MusterDigest.Committee next
    );
    event MessageVerified(
        bytes32 indexed messageId,
        uint64 indexed nonce,
        uint64 indexed epoch,
        bytes32 batchRoot,
        bytes payload
    );

    MockVerifier internal verifier;
    MultisigLightClient internal client;

    function deploy(MultisigLightClient.Terms memory terms) internal {
        verifier = new MockVerifier();
        verifier.addKey(ELEMENTS, 3);
        verifier.addKey(DIGESTS, 4);
        verifier.addKey(PLAIN, 5);
        vm.warp(START);
        client = new MultisigLightClient(verifier, SOURCE, 1, first(), terms);
    }

    function allTerms() internal pure returns (MultisigLightClient.Terms memory) {
        return MultisigLightClient.Terms(WINDOW, OVERLAP, LIFE, GUARDIAN);
    }

    function noTerms() internal pure returns (MultisigLightClient.Terms memory terms) {}

    // Committees.

    function first() internal pure returns (MusterDigest.Committee memory) {
        return MusterDigest.Committee(ELEMENTS, 0xc0ffee, 11, MusterDigest.Form.Element);
    }

    function second() internal pure returns (MusterDigest.Committee memory) {
        return MusterDigest.Committee(DIGESTS, 0xbeef, 5, MusterDigest.Form.Digest);
    }

    function third() internal pure returns (MusterDigest.Committee memory) {
        return MusterDigest.Committee(ELEMENTS, 0xdead, 7, MusterDigest.Form.Element);
    }

    // What they sign. The digests are those of the library, which has known answers.

    function scopeOf(MusterDigest.Committee memory by, uint64 epoch)
        internal
        view
        returns (MusterDigest.Scope memory)
    {
        return MusterDigest.Scope(SOURCE, block.chainid, address(client), epoch, by.key, by.root);
    }

    /// @dev A proof that the mock takes for this committee and digest and for no others.
    function prove(MusterDigest.Committee memory by, uint256 digest)
        internal
        returns (bytes memory proof)
    {
        proof = abi.encode(keccak256(abi.encode("proof", by, digest)));
        uint256[] memory inputs = by.form == MusterDigest.Form.Element
            ? MusterStatement.ofElement(by.root, by.threshold, digest)
            : MusterStatement.ofDigest(by.root, by.threshold, bytes32(digest));
        verifier.addProof(by.key, inputs, proof);
    }

    function signMessage(
        MusterDigest.Committee memory by,
        uint64 epoch,
        uint64 until,
        MusterDigest.Message memory message
    ) internal returns (bytes memory) {
        bytes32 id = client.messageId(message);
        return prove(by, MusterDigest.messageDigest(scopeOf(by, epoch), until, id));
    }

    function signBatch(MusterDigest.Committee memory by, uint64 epoch, uint64 until, bytes32 root)
        internal
        returns (bytes memory)
    {
        return prove(by, MusterDigest.batchDigest(scopeOf(by, epoch), until, root));
    }

    function signHandover(
        MusterDigest.Committee memory by,
        uint64 epoch,
        uint64 until,
        MusterDigest.Committee memory next,
        uint64 sequence
    ) internal returns (bytes memory) {
        bytes32 name = MusterDigest.proposalOf(sequence, epoch + 1, next);
        return prove(by, MusterDigest.handoverDigest(scopeOf(by, epoch), until, name));
    }

    /// @dev `epoch` is the one in which the committee wants to be in office.
    function signAcceptance(
        MusterDigest.Committee memory by,
        uint64 epoch,
        uint64 until,
        uint64 sequence
    ) internal returns (bytes memory) {
        bytes32 name = MusterDigest.proposalOf(sequence, epoch, by);
        return prove(by, MusterDigest.acceptanceDigest(scopeOf(by, epoch), until, name));
    }

    // What they do.

    function aMessage() internal pure returns (MusterDigest.Message memory) {
        return MusterDigest.Message({nonce: 7, payload: "release 5 tokens to alice"});
    }

    function submit(
        MusterDigest.Committee memory by,
        uint64 epoch,
        MusterDigest.Message memory message
    ) internal {
        client.submit(message, epoch, 0, signMessage(by, epoch, 0, message));
    }

    function submitBatch(MusterDigest.Committee memory by, uint64 epoch, bytes32 root) internal {
        client.submitBatch(root, epoch, 0, signBatch(by, epoch, 0, root));
    }

    function propose(
        MusterDigest.Committee memory by,
        uint64 epoch,
        MusterDigest.Committee memory next,
        uint64 sequence
    ) internal {
        client.propose(next, sequence, 0, signHandover(by, epoch, 0, next, sequence));
    }

    function accept(MusterDigest.Committee memory by, uint64 epoch, uint64 sequence) internal {
        client.accept(0, signAcceptance(by, epoch, 0, sequence));
    }

    function freeze() internal {
        vm.prank(GUARDIAN);
        client.freeze();
    }

    // What a test expects.

    function expect(bytes4 selector) internal {
        vm.expectRevert(abi.encodeWithSelector(selector));
    }

    function expect(bytes4 selector, uint256 argument) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, argument));
    }

    function expect(bytes4 selector, bytes32 argument) internal {
        expect(selector, uint256(argument));
    }

    function expect(bytes4 selector, address argument) internal {
        expect(selector, uint160(argument));
    }

    function expectProofRejected() internal {
        expect(MultisigLightClient.ProofRejected.selector);
    }

    function assertSame(
        MusterDigest.Committee memory left,
        MusterDigest.Committee memory right,
        string memory what
    ) internal pure {
        assertEq(keccak256(abi.encode(left)), keccak256(abi.encode(right)), what);
    }
}

/// @dev What most tests start from: a client with all terms, and its first committee in office.
abstract contract Fixture is Signing {
    function setUp() public virtual {
        deploy(allTerms());
    }
}
