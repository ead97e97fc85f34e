# Thin names for what the scripts do. Everything: bash .ci/run
.PHONY: test lint bench e2e image

test:
	go test ./...

lint:
	bash .ci/lint

# Numbers for the README.
bench:
	go test -run '^$$' -bench . -benchmem ./...

# The action in a workflow engine; needs root, for an engine of its own.
e2e:
	bash .ci/e2e

image:
	docker build --tag replay-gate .
