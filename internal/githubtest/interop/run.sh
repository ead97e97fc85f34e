#!/bin/sh
# Runs the interoperability tests. Needs node, npm and a network.
set -eu
cd "$(dirname "$0")"
INTEROP_CLIENT=$(mktemp -d)
export INTEROP_CLIENT
trap 'rm -rf "$INTEROP_CLIENT"' EXIT
cp client.mjs package.json package-lock.json "$INTEROP_CLIENT"
(cd "$INTEROP_CLIENT" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
go test -count=1 -tags interop .
(cd act && go test -count=1 .)
