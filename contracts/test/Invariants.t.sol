// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {Handler} from "./base/Handler.sol";
import {Model} from "./base/Model.sol";
import {Signing} from "./base/Signing.sol";

/// @dev A client agrees with its model whatever is done to it, and the model has what is promised: epochs
/// rise by one, by accepted proposals alone; a message is processed once, if a committee that is good signed
/// it in time or a live batch holds it; sequences rise; nothing but the guardian's role changes while
/// frozen; no proof is good twice; and what is refused changes nothing.
abstract contract InvariantsTest is Signing {
    Handler internal handler;

    function terms() internal pure virtual returns (MultisigLightClient.Terms memory);

    function setUp() public virtual {
        handler = new Handler(terms());
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_the_client_is_as_the_model() public view virtual {
        handler.check();
        handler.checkCommittees();
    }
}

contract AllTermsInvariantsTest is InvariantsTest {
    uint256 private constant WALKS = 20;
    uint256 private constant STEPS = 120;

    mapping(Model.Kind => uint256) private _taken;
    mapping(Model.Kind => uint256) private _refused;
    uint256 private _handovers;

    function terms() internal pure override returns (MultisigLightClient.Terms memory) {
        return allTerms();
    }

    /// @dev Walks are not idle: in a score of them everything is taken often, and refused often.
    function testEverythingIsReached() public {
        for (uint256 walk = 0; walk < WALKS; ++walk) {
            handler = new Handler(terms());
            for (uint256 i = 0; i < STEPS; ++i) {
                uint256 seed = uint256(keccak256(abi.encode(walk, i)));
                step(seed % 12, uint8(seed >> 8), uint8(seed >> 16), seed >> 24);
            }
            invariant_the_client_is_as_the_model();
            _handovers += handler.handovers();
            for (uint8 i = 0; i <= uint8(Model.Kind.Accept); ++i) {
                _taken[Model.Kind(i)] += handler.taken(Model.Kind(i));
                _refused[Model.Kind(i)] += handler.refused(Model.Kind(i));
            }
        }
        for (uint8 i = 0; i <= uint8(Model.Kind.Accept); ++i) {
            emit log_named_uint("taken", _taken[Model.Kind(i)]);
            emit log_named_uint("refused", _refused[Model.Kind(i)]);
            assertTrue(_taken[Model.Kind(i)] >= 5, "taken");
            assertTrue(_refused[Model.Kind(i)] >= 5, "refused");
        }
        assertTrue(_handovers >= 10, "handovers");
    }

    function step(uint256 which, uint8 a, uint8 b, uint256 seed) private {
        if (which == 0) handler.submit(a, seed);
        if (which == 1) handler.submitBatch(a, seed);
        if (which == 2) handler.submitFromBatch(a);
        if (which == 3) handler.propose(a, seed);
        if (which == 4 || which == 5) handler.accept(seed);
        if (which == 6) handler.replay(seed);
        if (which == 7) handler.freeze(a);
        if (which == 8) handler.thaw(a);
        if (which == 9) handler.transferGuardian(a, b);
        if (which == 10) handler.acceptGuardian(a);
        if (which == 11) handler.warp(a, uint32(seed));
    }
}

/// @dev A handover is in force at once, as it was before there were terms.
contract NoTermsInvariantsTest is InvariantsTest {
    function terms() internal pure override returns (MultisigLightClient.Terms memory) {
        return noTerms();
    }

    function invariant_the_client_is_as_the_model() public view override {
        super.invariant_the_client_is_as_the_model();
        handler.checkNoTerms();
    }
}

contract AtOnceInvariantsTest is InvariantsTest {
    function terms() internal pure override returns (MultisigLightClient.Terms memory) {
        return MultisigLightClient.Terms(0, OVERLAP, LIFE, GUARDIAN);
    }
}

contract WindowInvariantsTest is InvariantsTest {
    function terms() internal pure override returns (MultisigLightClient.Terms memory) {
        return MultisigLightClient.Terms(WINDOW, 0, 0, address(0));
    }
}
