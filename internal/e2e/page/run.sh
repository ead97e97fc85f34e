#!/usr/bin/env bash
# Drives the page that every bundle carries (outputs/report.html), and the picture of
# a timeline, and measures the first screen of the summary, in a browser:
# bash internal/e2e/page/run.sh
#
# The pages are the goldens of package summary, which go test holds to be what the
# renderers write. It installs Debian's Chromium, if there is none, and playwright-core
# in the version of the lockfile. What the pages look like is left in shots/.
set -Eeuo pipefail
# shellcheck source=.ci/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../.ci/lib.sh"
trap on_error ERR
cd "$repository/internal/e2e/page"

command -v npm >/dev/null || fail 'npm is missing: install Node 20 or later'
need chromium chromium
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
CHROMIUM=$(command -v chromium)
export CHROMIUM
rm -rf shots && mkdir shots
node --test --test-reporter=spec page.test.mjs
(cd "$repository" && go test -count=1 ./internal/e2e/picture)
