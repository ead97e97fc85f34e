#!/usr/bin/env bash
# Drives the page that every bundle carries (outputs/report.html), and the picture of
# a timeline, in a browser: bash internal/e2e/page/run.sh
#
# The pages are the goldens of package summary, which go test holds to be what the
# renderers write. It installs Debian's Chromium, if there is none, and playwright-core
# in the version of the lockfile. What the pages look like is left in shots/.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

fail() {
  printf 'page test: %s\n' "$1" >&2
  exit 2
}
for tool in node npm; do
  command -v "$tool" >/dev/null || fail "$tool is missing: install Node 20 or later"
done
if ! command -v chromium >/dev/null; then
  [[ $EUID -eq 0 ]] || fail 'chromium is missing: apt-get install chromium'
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null; } ||
    fail 'apt-get could not install chromium'
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null || fail 'npm ci failed'
CHROMIUM=$(command -v chromium)
export CHROMIUM
rm -rf shots && mkdir shots
exec node --test --test-timeout=80000 --test-reporter=spec page.test.mjs
