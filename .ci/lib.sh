# Functions that the scripts of this folder share. Source it; it runs nothing.
# shellcheck shell=bash

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What costs minutes to make, and is the same on the next run, is kept here.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/replay-gate-ci

# git refuses a clone that somebody else owns, and go build with it.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$repository

# section TITLE: a heading, with the seconds since the script started, and a line in
# the file that timings reads, if there is one.
section() {
  printf '\n=== %s (%d s)\n' "$1" "$SECONDS"
  [ -z "${CI_TIMINGS-}" ] || printf '%s %s\n' "$(date +%s)" "$1" >>"$CI_TIMINGS"
}

# timings: how long each section took, and all of them.
timings() {
  awk '
    NR == 1 { start = $1 }
    NR > 1 { printf "%5d s  %s\n", $1 - since, title }
    { since = $1; title = substr($0, index($0, " ") + 1) }
    END { printf "%5d s  in all\n", since - start }
  ' "$CI_TIMINGS"
}

# fail MESSAGE...: say what is wrong and stop.
fail() {
  printf '%s: FAILED: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# on_error is for "trap on_error ERR": name the command that failed.
on_error() {
  local status=$?
  printf '\n%s: FAILED with status %d at line %d: %s\n' "${0##*/}" "$status" "${BASH_LINENO[0]}" "$BASH_COMMAND" >&2
  exit "$status"
}

# need COMMAND PACKAGE...: have COMMAND, if need be from Debian's packages.
need() {
  local command=$1
  shift
  PATH=$PATH:/usr/sbin:/sbin command -v "$command" >/dev/null && return
  [ "$(id -u)" -eq 0 ] || fail "$command is missing; install it, or run this as root ($*)"
  echo "installing $*"
  {
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
  } </dev/null >"$cache/apt.log" 2>&1 || {
    tail -n 20 "$cache/apt.log" >&2
    fail "apt-get could not install $*"
  }
}

# go_tool PACKAGE@VERSION: have the tool, in exactly this version, first in PATH.
go_tool() {
  local name=${1%@*} bin=$cache/tools/${1//\//_}
  [ -x "$bin/${name##*/}" ] || GOBIN=$bin go install "$1" || fail "go install $1"
  PATH=$bin:$PATH
}

mkdir -p "$cache"
