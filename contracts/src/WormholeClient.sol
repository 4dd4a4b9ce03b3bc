// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {KeySetRegistry} from "./KeySetRegistry.sol";
import {MusterClaims} from "./MusterClaims.sol";
import {MusterKey} from "./MusterKey.sol";
import {MusterStatement} from "./MusterStatement.sol";
import {WormholeDigest} from "./digests/WormholeDigest.sol";
import {IDigest} from "./interfaces/IDigest.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title Believes what the guardians of Wormhole signed, shown by one proof.
/// @notice It reads messages as Wormhole's core contract does (`Messages.sol`), so that a contract that asks that one
/// `parseAndVerifyVM` can ask this one. What is passed is a VAA with a proof where the signatures stand:
///
/// ```
/// 0x4d (1) || guardianSetIndex (4) || length of the proof (2) || proof || body
/// ```
///
/// The body is what guardians signed, byte for byte. The proof is about its digest and the root of the guardian set;
/// the threshold is Wormhole's quorum, more than two thirds of the guardians.
///
/// Sets follow each other as in Wormhole: the guardians in office name the next set in a governance message
/// (`Governance.sol`, `GovernanceStructs.sol`), and stay good for 24 hours more. Nobody is trusted to say the root of the new
/// set. There are two ways to it from the list in the message, and both lead to the same root:
///
/// - `submitNewGuardianSet` has it computed by `KeySetRegistry`, of up to 32 guardians. It takes nothing but the message.
/// - `submitTranslatedGuardianSet` is told it, and checks a proof that it is the root of exactly this list. It is cheaper, for
/// every list for which the keys have room, and there is somebody who makes that proof (`muster translate prove`).
/// @dev As with Wormhole, whoever acts on a message has to remember its hash and not act twice. Nobody owns it.
contract WormholeClient {
    /// @notice A signature of a VAA. Messages here have none; the type is there for the ABI's sake.
    struct Signature {
        bytes32 r;
        bytes32 s;
        uint8 v;
        uint8 guardianIndex;
    }

    /// @notice A message, as Wormhole's core contract returns it.
    struct VM {
        uint8 version;
        uint32 timestamp;
        uint32 nonce;
        uint16 emitterChainId;
        bytes32 emitterAddress;
        uint64 sequence;
        uint8 consistencyLevel;
        bytes payload;
        uint32 guardianSetIndex;
        Signature[] signatures;
        bytes32 hash;
    }

    /// @notice A guardian set.
    struct GuardianSet {
        /// Root of the set; zero if there is none.
        uint256 root;
        /// How many of them are a quorum.
        uint64 quorum;
        /// The last second at which it is good; zero if it is in office.
        uint64 expirationTime;
    }

    /// @notice The circuits that proofs are of.
    struct Keys {
        /// Name of the EVM key for messages: of a circuit for ECDSA by addresses, with room for the sets to come.
        bytes32 messages;
        /// Name of the EVM key for translations of `keccak-addresses`, with the same arity and depth; zero to do without.
        bytes32 translations;
        /// Depth of the trees of both.
        uint256 depth;
    }

    /// @custom:storage-location erc7201:muster.storage.WormholeClient
    struct State {
        mapping(uint32 => GuardianSet) sets;
        uint32 current;
    }

    /// @notice The first byte of what is passed here. VAAs begin with 1.
    uint8 public constant VERSION = 0x4d;
    /// @notice Seconds for which a set stays good after the next one came.
    uint64 public constant GRACE = 1 days;

    /// @dev Who governs Wormhole: a program of Solana.
    uint16 private constant GOVERNANCE_CHAIN = 1;
    bytes32 private constant GOVERNANCE_CONTRACT = bytes32(uint256(4));
    /// @dev "Core", with zeros before it, and the action that installs a guardian set, on all chains.
    bytes32 private constant MODULE = bytes32(uint256(0x436f7265));
    uint8 private constant UPGRADE = 2;
    uint16 private constant ALL_CHAINS = 0;
    /// @dev module (32) || action (1) || chain (2) || index (4) || count (1) || addresses (20 each)
    uint256 private constant LIST = 40;
    /// @dev Why a message is not good whose proof does not hold.
    string private constant REJECTED = "proof rejected";
    /// @dev Bytes before the proof.
    uint256 private constant HEADER = 7;

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.WormholeClient")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0x77989a9196f4e8abf23e48e5fec0408c199bc35fff5ecd7b52729502d4843f00;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;
    /// @notice Computes the roots.
    KeySetRegistry public immutable REGISTRY;
    /// @notice Name of the EVM key for messages.
    bytes32 public immutable KEY;
    /// @notice Name of the EVM key for translations; zero if there is none.
    bytes32 public immutable TRANSLATION_KEY;
    /// @notice Depth of the trees.
    uint256 public immutable DEPTH;

    /// @notice A guardian set took office.
    event GuardianSetAdded(uint32 indexed index, uint256 indexed root, uint64 quorum);

    /// @notice The message begins with another byte than those passed here do.
    error WrongVersion(uint8 version);
    /// @notice The message is not good; the reason is that of `parseAndVerifyVM`.
    error InvalidMessage(string reason);
    /// @notice Only guardians in office name the next ones.
    error NotInOffice(uint32 index);
    /// @notice The message is not of Wormhole's governance.
    error NotGovernance(uint16 chain, bytes32 emitter);
    /// @notice The message is of governance, but does not install a guardian set on all chains.
    error NotAnUpgrade(bytes32 module, uint8 action, uint16 chain);
    /// @notice The new set is not the next one.
    error WrongIndex(uint32 expected, uint32 actual);
    /// @notice There is no proof that this is the root of the guardians.
    error TranslationRejected(uint256 root);

    /// @dev A set whose root is of another tree than that of `messages` could sign nothing, and nobody could put another in
    /// its place. So the key for translations has to show, once and for the first guardians, that it has the trees of the
    /// registry with this depth. That `messages` has them, too, shows with the first message.
    /// @param verifier A `MusterVerifier`. Its code is trusted and cannot be exchanged.
    /// @param registry A `KeySetRegistry`. The same.
    /// @param keys Names of the EVM keys, which nobody checks.
    /// @param index Index of the guardian set in office.
    /// @param guardians The guardians in office, in order.
    /// @param trial A translation of these guardians; empty if there is no key for translations.
    constructor(
        IMusterVerifier verifier,
        KeySetRegistry registry,
        Keys memory keys,
        uint32 index,
        address[] memory guardians,
        bytes memory trial
    ) {
        MusterKey.requireForDigests(verifier, keys.messages);
        (VERIFIER, REGISTRY) = (verifier, registry);
        (KEY, TRANSLATION_KEY, DEPTH) = (keys.messages, keys.translations, keys.depth);
        uint256 root = registry.register(guardians, new uint64[](0), keys.depth).root;
        if (keys.translations != 0 || trial.length != 0) {
            MusterKey.requireForTranslations(verifier, keys.translations);
            uint256[] memory inputs = _translation(root, guardians);
            if (!verifier.verify(keys.translations, inputs, trial)) {
                revert TranslationRejected(root);
            }
        }
        _install(index, root, guardians.length);
    }

    // ------------------------------------------------------------------------------ Messages

    /// @notice Reads a message and says whether guardians signed it.
    /// @dev As in Wormhole, a message that is not good comes back all the same, with the reason; what cannot be read
    /// reverts.
    /// @param encodedVM The message, as described above.
    /// @return vm Its parts; `hash` is the digest that guardians signed.
    /// @return valid Whether a quorum of a good guardian set signed it.
    /// @return reason Why not.
    function parseAndVerifyVM(bytes calldata encodedVM)
        external
        view
        returns (VM memory vm, bool valid, string memory reason)
    {
        uint256[] memory inputs;
        bytes calldata proof;
        (vm, inputs, proof, reason) = _read(encodedVM);
        if (bytes(reason).length == 0 && !VERIFIER.verify(KEY, inputs, proof)) reason = REJECTED;
        valid = bytes(reason).length == 0;
    }

    /// @notice The guardian set of this index.
    function guardianSet(uint32 index) external view returns (GuardianSet memory) {
        return _state().sets[index];
    }

    /// @notice Index of the guardian set in office.
    function getCurrentGuardianSetIndex() public view returns (uint32) {
        return _state().current;
    }

    /// @notice How many of so many guardians are a quorum.
    function quorum(uint64 guardians) public pure returns (uint64) {
        return guardians * 2 / 3 + 1;
    }

    // ------------------------------------------------------------------------------ Governance

    /// @notice Puts the next guardian set in office, if the one in office signed that. The registry computes its root.
    /// @param encodedVM The governance message, as for `parseAndVerifyVM`.
    function submitNewGuardianSet(bytes calldata encodedVM) external {
        (address[] memory guardians, uint256[] memory inputs, bytes calldata proof) =
            _next(encodedVM);
        if (!VERIFIER.verify(KEY, inputs, proof)) revert InvalidMessage(REJECTED);
        _handOver(REGISTRY.register(guardians, new uint64[](0), DEPTH).root, guardians.length);
    }

    /// @notice The same with a proof of the root, which costs less.
    /// @param encodedVM The governance message, as for `parseAndVerifyVM`.
    /// @param root The root of the guardians that it names.
    /// @param translation Proof under `TRANSLATION_KEY` that it is.
    function submitTranslatedGuardianSet(
        bytes calldata encodedVM,
        uint256 root,
        bytes calldata translation
    ) external {
        (address[] memory guardians, uint256[] memory inputs, bytes calldata proof) =
            _next(encodedVM);
        IMusterVerifier.Claim[] memory claims = new IMusterVerifier.Claim[](2);
        claims[0] = IMusterVerifier.Claim(KEY, inputs, proof);
        // Without such a key this reverts: zero is the name of no key.
        inputs = _translation(root, guardians);
        claims[1] = IMusterVerifier.Claim(TRANSLATION_KEY, inputs, translation);
        uint256 bad = MusterClaims.firstFalse(VERIFIER, claims);
        if (bad == 0) revert InvalidMessage(REJECTED);
        if (bad == 1) revert TranslationRejected(root);
        _handOver(root, guardians.length);
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    /// @dev The day does not depend on the seconds that a validator can shift.
    function _now() private view returns (uint64) {
        return uint64(block.timestamp);
    }

    function _install(uint32 index, uint256 root, uint256 guardians) private {
        // A message names at most 255, and the registry takes 32.
        // forge-lint: disable-next-line(unsafe-typecast)
        uint64 needed = quorum(uint64(guardians));
        _state().sets[index] = GuardianSet(root, needed, 0);
        _state().current = index;
        emit GuardianSetAdded(index, root, needed);
    }

    /// @dev The set in office has a day left, and the next one is in office.
    function _handOver(uint256 root, uint256 guardians) private {
        uint32 current = getCurrentGuardianSetIndex();
        _state().sets[current].expirationTime = _now() + GRACE;
        _install(current + 1, root, guardians);
    }

    /// @dev What a translation says of this list: the hash is computed here, and each guardian counts for one, so that the
    /// weight is their number. There is no proof of an empty list, or of one with zero or an address twice.
    function _translation(uint256 root, address[] memory guardians)
        private
        pure
        returns (uint256[] memory)
    {
        // keccak256(abi.encodePacked(guardians)): the words of the array, as they stand in memory.
        bytes32 commitment;
        assembly ("memory-safe") {
            commitment := keccak256(add(guardians, 32), shl(5, mload(guardians)))
        }
        return MusterStatement.ofTranslation(root, commitment, guardians.length, guardians.length);
    }

    /// @dev The guardians whom those in office name in this message, if they signed it; which is what the proof is to show.
    function _next(bytes calldata encodedVM)
        private
        view
        returns (address[] memory guardians, uint256[] memory inputs, bytes calldata proof)
    {
        VM memory vm;
        string memory reason;
        (vm, inputs, proof, reason) = _read(encodedVM);
        if (bytes(reason).length != 0) revert InvalidMessage(reason);
        uint32 current = getCurrentGuardianSetIndex();
        if (vm.guardianSetIndex != current) revert NotInOffice(vm.guardianSetIndex);
        if (vm.emitterChainId != GOVERNANCE_CHAIN || vm.emitterAddress != GOVERNANCE_CONTRACT) {
            revert NotGovernance(vm.emitterChainId, vm.emitterAddress);
        }
        // The payload is the end of what was passed.
        guardians = _guardians(encodedVM[encodedVM.length - vm.payload.length:], current + 1);
    }

    /// @dev The reason is empty if the message is good, as long as the proof shows these inputs.
    function _read(bytes calldata encodedVM)
        private
        view
        returns (VM memory vm, uint256[] memory inputs, bytes calldata proof, string memory reason)
    {
        if (encodedVM.length < HEADER) revert IDigest.TooShort(HEADER, encodedVM.length);
        vm.version = uint8(encodedVM[0]);
        if (vm.version != VERSION) revert WrongVersion(vm.version);
        vm.guardianSetIndex = uint32(bytes4(encodedVM[1:5]));
        uint256 start = HEADER + uint16(bytes2(encodedVM[5:HEADER]));
        if (encodedVM.length < start) revert IDigest.TooShort(start, encodedVM.length);
        _parse(vm, encodedVM[start:]);
        proof = encodedVM[HEADER:start];
        (inputs, reason) = _signed(vm.guardianSetIndex, vm.hash);
    }

    function _parse(VM memory vm, bytes calldata body) private pure {
        WormholeDigest.Body memory parts = WormholeDigest.parse(body);
        (vm.timestamp, vm.nonce) = (parts.timestamp, parts.nonce);
        (vm.emitterChainId, vm.emitterAddress) = (parts.emitterChainId, parts.emitterAddress);
        (vm.sequence, vm.consistencyLevel) = (parts.sequence, parts.consistencyLevel);
        vm.payload = parts.payload;
        vm.hash = WormholeDigest.ofBody(body);
    }

    /// @dev That this set signed this digest; or why no set that is good has this index, in Wormhole's words.
    function _signed(uint32 index, bytes32 digest)
        private
        view
        returns (uint256[] memory inputs, string memory reason)
    {
        GuardianSet memory set = _state().sets[index];
        if (set.root == 0) return (inputs, "invalid guardian set");
        if (set.expirationTime != 0 && set.expirationTime < _now()) {
            return (inputs, "guardian set has expired");
        }
        inputs = MusterStatement.ofDigest(set.root, set.quorum, digest);
    }

    /// @dev The guardians that this payload installs. Zero and duplicates are for the registry or the proof to refuse.
    function _guardians(bytes calldata payload, uint32 next)
        private
        pure
        returns (address[] memory guardians)
    {
        if (payload.length < LIST) revert IDigest.TooShort(LIST, payload.length);
        _requireUpgrade(bytes32(payload[:32]), uint8(payload[32]), uint16(bytes2(payload[33:35])));
        uint32 index = uint32(bytes4(payload[35:39]));
        if (index != next) revert WrongIndex(next, index);
        guardians = new address[](uint8(payload[39]));
        uint256 length = LIST + 20 * guardians.length;
        if (payload.length != length) revert IDigest.WrongLength(length, payload.length);
        // The payload has as many bytes. One by one in Solidity, an address takes 500 gas more.
        assembly ("memory-safe") {
            let from := add(payload.offset, LIST)
            let to := add(guardians, 32)
            for { let end := add(to, shl(5, mload(guardians))) } lt(to, end) { to := add(to, 32) } {
                mstore(to, shr(96, calldataload(from)))
                from := add(from, 20)
            }
        }
    }

    function _requireUpgrade(bytes32 module, uint8 action, uint16 chain) private pure {
        if (module != MODULE || action != UPGRADE || chain != ALL_CHAINS) {
            revert NotAnUpgrade(module, action, chain);
        }
    }
}
