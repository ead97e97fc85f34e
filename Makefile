# Thin names for what the scripts do. Everything: bash .ci/run
.PHONY: test lint bench e2e image release windows interop-assay interop-gitleaks

test:
	go test ./...

lint:
	bash .ci/lint

# Numbers for the README, and all others: make bench BENCH=.
BENCH ?= ^(BenchmarkVerify|BenchmarkReplay|BenchmarkProcess|BenchmarkToken5KB|BenchmarkYAML1MB|BenchmarkHistory5000Commits)$$
bench:
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

# The action in a workflow engine; needs root, for an engine of its own.
e2e:
	bash .ci/e2e

image:
	docker build --tag replay-gate .

# A whole release, for all six platforms, built twice, and used; .ci/run does the same
# for Linux. Compiling for six takes some ten minutes.
release:
	RELEASE_FULL=true bash .ci/release

# The command tests with the Windows binary, under Wine.
windows:
	bash .ci/windows

# Assay's own command line over our bundles. Installing it takes a quarter of an hour,
# once; it is no part of .ci/run, and docs/interop.md says what it last saw.
ASSAY_ROOT ?= $(HOME)/.cache/replay-gate-ci/assay
interop-assay:
	cargo install assay-cli --version 5.4.0 --locked --root "$(ASSAY_ROOT)"
	INTEROP_ASSAY="$(ASSAY_ROOT)/bin/assay" go test -tags interop_assay -count=1 -v ./internal/e2e/assay

# Our evaluation of gitleaks' rules against the library itself, on real text and on
# texts made from the rules: some minutes. After a new version of the library:
# go -C internal/interop-gitleaks run . ../../verify/secrets/gitleaks_rules.go
# and the tests with -update for the vectors. INTEROP_CORPUS names more folders to read.
interop-gitleaks:
	go -C internal/interop-gitleaks test -count=1 -timeout 60m -v ./...
