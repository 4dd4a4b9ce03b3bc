# Each line is a command that a person could type.

rust = cargo test --workspace --exclude muster-farm --exclude muster-verifier-wasm --exclude muster-python

.PHONY: test verifier-js farm-test test-slow slowest flaky mutants contracts bridge farm slurm bench lint demo dist

# npm beside the build, and before the tests: with a compiler at hand, the Rust tests build the contracts again and compare, and with a
# chain of anvil's the relayer sends transactions. Needs Node. The bindings for JavaScript have
# their tests in `make verifier-js`, those for Python in `.ci/run python`. solc has one thread, so the contracts' tests run beside
# the others; what they say is printed after them.
test:
	mkdir -p target
	(cd contracts && npm ci && cd ../examples/bridge && npm ci) >target/npm.txt 2>&1 & npm=$$!; \
	trap 'kill $$npm $$contracts; exit 130' INT TERM; \
	$(rust) --no-run || { wait $$npm; exit 1; }; \
	wait $$npm || { cat target/npm.txt; exit 1; }; \
	(cd contracts && exec npm test) >target/contracts.txt 2>&1 & contracts=$$!; \
	$(rust); rust=$$?; \
	wait $$contracts; contracts=$$?; \
	cat target/contracts.txt; \
	exit $$((rust | contracts))

# Those of the farm, with workers that are killed, and a server if Temporal's command line is here.
farm-test:
	cargo test -p muster-farm

# What takes minutes: whole imports, larger circuits, and all cases of the tests that sample theirs, in the build of `make test`,
# which proves as fast as a release. A release proves, and cannot drop constraints. What is installed is built as a release has
# it, installed where nothing else is, and used: the wheel, both packages of npm, what `make dist` makes.
test-slow:
	MUSTER_EXHAUSTIVE=1 $(rust) -- --include-ignored --nocapture --skip measure
	MUSTER_EXHAUSTIVE=1 cargo test -p muster-farm -- --include-ignored --nocapture
	cd contracts && npm ci && FOUNDRY_INVARIANT_RUNS=256 npx forge test --match-path 'test/*Invariants.t.sol'
	cargo run --release -- demo
	! grep MUSTER_DROP target/release/muster
	.ci/wheel
	$(MAKE) verifier-js
	$(MAKE) -C examples/viem MUSTER=$(CURDIR)/target/release/muster
	.ci/dist target/dist
	.ci/dist-check target/dist

# The 50 slowest of all tests, with their seconds.
slowest:
	.ci/slowest

# Looks for tests that fail by chance: 20 rounds, each with its own seed.
flaky:
	.ci/flaky

# Drops every constraint once and lists what no forged witness notices, and in gadgets/golden/noticed.json which test
# noticed each. Takes 20 minutes to an hour on two cores; see mutants/README.md.
mutants:
	cargo run -p muster-mutants --

# The Solidity contracts alone; needs Node.
contracts:
	cd contracts && npm ci && npm test

# The verifier for JavaScript, in Node and in Chromium if it is here; needs Node and rustup target add wasm32-unknown-unknown.
verifier-js:
	cd verifier/js && npm ci && npm run build && npm test

# The life of a bridge on a local chain; needs Node.
bridge:
	$(MAKE) -C examples/bridge

# The first minutes with a farm, with Temporal's server if its command line is here; needs Node.
farm:
	cargo build -p muster-cli -p muster-farm
	.ci/farm target/debug

# A sweep on a Slurm of its own, with this machine as its one node; needs root and Debian's slurm-wlm.
slurm:
	cargo build
	.ci/slurm target/debug/muster

bench:
	cargo bench -p muster-benches

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p muster-evm --no-default-features -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

demo:
	cargo run --release -- demo

# What a release has: static programs for Linux on x86-64 and ARM, checksums, SBOMs, and the folder of the image. Needs gcc-aarch64-linux-gnu and
# cargo-cyclonedx; `.ci/dist-check target/dist` tries them, with qemu-user-static.
dist:
	.ci/dist target/dist
