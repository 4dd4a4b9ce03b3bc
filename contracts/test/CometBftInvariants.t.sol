// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../src/CometBftClient.sol";
import {CometBftHandler} from "./base/CometBftHandler.sol";
import {Test} from "./base/Test.sol";

/// @dev The client agrees with its model whatever is done to it: a header is taken only if the sets signed it that have
/// to, the latest one is the latest in time, nothing changes once it is frozen or expired, and what is refused changes
/// nothing.
contract CometBftInvariantsTest is Test {
    uint256 private constant WALKS = 20;
    uint256 private constant STEPS = 40;

    CometBftHandler private _handler;
    mapping(CometBftHandler.Outcome => uint256) private _seen;
    uint256 private _expired;

    function setUp() public {
        _handler = new CometBftHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// forge-config: default.invariant.runs = 8
    /// forge-config: default.invariant.depth = 32
    function invariant_the_client_is_as_the_model() public view {
        _handler.check();
    }

    /// @dev Walks are not idle: in these everything happens often.
    function testEverythingIsReached() public {
        for (uint256 walk = 0; walk < WALKS; ++walk) {
            _handler = new CometBftHandler();
            for (uint256 i = 0; i < STEPS; ++i) {
                uint256 seed = uint256(keccak256(abi.encode(walk, i)));
                uint256 which = seed % 20;
                if (which == 0) _handler.warp(seed >> 16);
                else if (which == 1) _handler.register(seed >> 16);
                else if (which == 2) _handler.report(seed >> 16);
                else _handler.submit(seed >> 16);
            }
            _handler.check();
            for (uint8 i = 0; i < 4; ++i) {
                _seen[CometBftHandler.Outcome(i)] += _handler.seen(CometBftHandler.Outcome(i));
            }
            if (_handler.client_().status() == CometBftClient.Status.Expired) ++_expired;
        }
        string[4] memory names = ["refused", "nothing", "taken", "frozen"];
        for (uint8 i = 0; i < 4; ++i) {
            emit log_named_uint(names[i], _seen[CometBftHandler.Outcome(i)]);
            assertTrue(_seen[CometBftHandler.Outcome(i)] >= 5, names[i]);
        }
        emit log_named_uint("expired", _expired);
        assertTrue(_expired >= 1, "expired");
    }
}
