#!/usr/bin/env bash
# Makes the vectors of testdata/dvc with the real DVC, and judges them.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
venv=${DVC_VENV:-$HOME/.cache/replay-gate-ci/dvc}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check dvc==3.67.1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$venv/bin/python" internal/interop/dvc/oracle.py "$out"
cp -R "$out/." testdata/dvc/
go test -count=1 -v -run 'RealDVC|Hash|Ignore|Scalars' ./verify/dvc
