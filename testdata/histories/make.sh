#!/bin/sh
# Makes small repositories whose histories are known: sh make.sh DIR
#
# Each is a folder of DIR with the evidence, the token and the brief of ../ahd/repo, made
# with git alone. What is to be said of each stands in gate/histories_test.go. The same
# ids come out on every machine: authors, dates and settings are all given here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
sidecar=docs/evals/2026-06-01-quiet.replay.json
report=docs/evals/2026-06-01-quiet.md
token=tokens/quiet-grid.yml
brief=briefs/landing.yml

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 LC_ALL=C TZ=UTC
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=Grace GIT_COMMITTER_EMAIL=grace@example.org

# make NAME starts a repository, and is in it then.
make() {
  mkdir "$out/$1"
  cd "$out/$1"
  git init -q -b main
  now=1780400000
}

# commit SUBJECT commits everything, a minute after the last commit.
commit() {
  tick
  git add -A
  git commit -q --allow-empty -m "$1"
}

tick() {
  now=$((now + 60))
  export GIT_AUTHOR_DATE="@$now +0000" GIT_COMMITTER_DATE="@$now +0000"
}

# put FILE... copies files of the example.
put() {
  for file in "$@"; do
    mkdir -p "$(dirname "$file")"
    cp "$here/../ahd/repo/$file" "$file"
  done
}

evidence() { put "$sidecar" "$report"; }
inputs() { put "$token" "$brief"; }

# edit FILE FROM TO replaces text in a file; FROM must be there.
edit() {
  grep -q "$2" "$1"
  sed "s|$2|$3|" "$1" >"$1.new"
  mv "$1.new" "$1"
}

published() {
  inputs
  evidence
  commit 'Publish the report'
}

drift() {
  edit "$token" 'columns: 12' "columns: ${1:-16}"
}

# A key order, comments and quotes that change nothing.
make formatting
published
edit "$token" '^# A style token.*' '# Another comment'
edit "$token" 'ink: "#111111"' "ink:   '#111111'"
commit 'Tidy the token'

make drift
published
commit 'Something else'
drift
commit 'Use a wider grid (#12)'
edit "$token" '^# A style token.*' '# Another comment'
commit 'Only a comment'

# The token got another name, the evidence knows it, and then the value changed.
make rename
published
git mv "$token" tokens/calm-grid.yml
edit "$sidecar" tokens/quiet-grid.yml tokens/calm-grid.yml
edit "$report" tokens/quiet-grid.yml tokens/calm-grid.yml
commit 'Rename the token'
edit tokens/calm-grid.yml 'columns: 12' 'columns: 16'
commit 'Use a wider grid'

# The token got another name, and the evidence does not know it.
make moved
published
git mv "$token" tokens/calm-grid.yml
commit 'Rename the token'

# Two branches; the one that was merged by a pull request drifts.
make merge
published
git checkout -q -b ada/wider
drift
commit 'Use a wider grid'
git checkout -q main
echo 'id: other' >tokens/other.yml
commit 'Add another token'
tick
git merge -q --no-ff -m 'Merge pull request #7 from ada/wider' ada/wider

# A revert heals the drift.
make revert
published
drift
commit 'Use a wider grid'
tick
git revert --no-edit HEAD >/dev/null

# It was healed, and drifted again.
make relapse
published
drift
commit 'Use a wider grid'
tick
git revert --no-edit HEAD >/dev/null
drift 8
commit 'Use a narrow grid'

# The token had changed before the evidence was committed.
make stale
inputs
commit 'Add a token'
drift
commit 'Use a wider grid'
evidence
commit 'Publish the report'

# The recorded value was never committed.
make never
inputs
drift
evidence
commit 'Publish the report'

# At the recorded commit the report holds.
make superseded
inputs
commit 'Add a token'
recorded=$(git rev-parse HEAD)
evidence
edit "$sidecar" 0123456789abcdef0123456789abcdef01234567 "$recorded"
edit "$sidecar" '"git_dirty": true' '"git_dirty": false'
edit "$report" 'git_dirty: true' 'git_dirty: false'
edit "$report" 0123456789abcdef0123456789abcdef01234567 "$recorded"
edit "$report" 0123456789ab "$(printf %.12s "$recorded")"
commit 'Publish the report'
drift
commit 'Use a wider grid'

# The recorded commit was amended, pushed by force, and thrown away.
make force-pushed
inputs
commit 'Add a tokem'
recorded=$(git rev-parse HEAD)
tick
git commit -q --amend -m 'Add a token'
evidence
edit "$sidecar" 0123456789abcdef0123456789abcdef01234567 "$recorded"
edit "$report" 0123456789abcdef0123456789abcdef01234567 "$recorded"
edit "$report" 0123456789ab "$(printf %.12s "$recorded")"
commit 'Publish the report'
drift
commit 'Use a wider grid'
git reflog expire --expire=now --all
git gc -q --prune=now

# The drift is older than what the clone has.
make deep
published
drift
commit 'Use a wider grid'
for n in 1 2 3; do commit "Something else, $n"; done
git clone -q --depth 2 "file://$out/deep" "$out/shallow"

# The drift is 4,950 commits old.
make long
published
start=$(git rev-parse HEAD)
{
  n=1
  while [ "$n" -le 5000 ]; do
    at="$((now + n * 60)) +0000"
    printf 'commit refs/heads/main\nauthor Ada <ada@example.org> %s\ncommitter Grace <grace@example.org> %s\n' "$at" "$at"
    subject="Commit $n"
    printf 'data %d\n%s\n' "${#subject}" "$subject"
    if [ "$n" -eq 1 ]; then printf 'from %s\n' "$start"; fi
    if [ "$n" -eq 50 ]; then
      drift
      printf 'M 100644 inline %s\ndata %d\n' "$token" "$(wc -c <"$token")"
      cat "$token"
    else
      printf 'M 100644 inline notes/%d.md\ndata 0\n' "$((n % 100))"
      if [ "$((n / 100 % 2))" -eq 0 ]; then printf '\n'; else printf 'D notes/%d.md\n' "$((n % 100))"; fi
    fi
    n=$((n + 1))
  done
} | git fast-import --quiet
git reset -q --hard main
