# Thin names for what the scripts do. Everything: bash .ci/run
.PHONY: test lint bench fuzz mutants e2e image release windows interop-assay interop-gitleaks interop-dvc interop-pin

test:
	go test ./...

lint:
	bash .ci/lint

# The numbers of docs/performance.md, with the machine that they are from; some ten minutes on
# a quiet one. All others: make bench BENCH=.
BENCH ?= ^Benchmark(Verify|Replay|Token5KB|YAML1MB|SHA256|History5000Commits|Pass|Process|Bundles|Large)$$
bench:
	@uname -srm; nproc; grep -m 1 'model name' /proc/cpuinfo; go version; uptime; openssl version; git --version
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 90m ./...

# Every parser, escaper and writer for FUZZTIME each: make fuzz FUZZ=./summary FUZZTIME=5s
FUZZ ?= ./...
fuzz:
	bash .ci/fuzz $(FUZZ)

# Flips each comparison and each status on the way to a verdict; the tests have to notice
# 95 of 100 (docs/mutants.md). A sample: make mutants MUTANTS=200 SEED=7 IN=./verify/...
# With STATE=FILE, a run that was cut off goes on.
MUTANTS ?= 0
SEED ?= 1
STATE ?=
IN ?= ./verify/... ./gate/... ./bundle/...
mutants:
	go run ./internal/mutants -n $(MUTANTS) -seed $(SEED) -state "$(STATE)" $(IN)

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

# The real DVC (dvc==3.67.1 from PyPI) makes repositories and says what changed in them; the
# kind of DVC locks is held against that. A few minutes, no part of .ci/run.
interop-dvc:
	bash internal/interop/dvc/run.sh

# in-toto's own package over our pins, and promptfoo (a version for Node 20) over the
# configurations of the tests. No part of .ci/run; docs/interop.md says what it last saw.
PIN_ROOT ?= $(HOME)/.cache/replay-gate-ci/pin
interop-pin:
	python3 -m venv "$(PIN_ROOT)/python"
	"$(PIN_ROOT)/python/bin/pip" install --quiet in-toto-attestation==0.9.3
	npm install --prefix "$(PIN_ROOT)" --omit=optional --no-audit --no-fund promptfoo@0.120.25
	INTEROP_PIN_PYTHON="$(PIN_ROOT)/python/bin/python" INTEROP_PIN_PROMPTFOO="$(PIN_ROOT)/node_modules/promptfoo/dist/src/entrypoint.js" \
		go test -tags interop_pin -count=1 -v ./internal/e2e/pin
