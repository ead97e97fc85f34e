# A Docker engine of our own, for scripts that need one. Source it after lib.sh; it
# runs nothing.
#
# Its data stays in the cache, its socket lies in $scratch, and it has no network of
# its own. Who starts it holds the lock, because two would share the data.
# shellcheck shell=bash

engine_pid=

# lock_engine: wait until no other script runs an engine.
lock_engine() {
  exec 9>"$cache/e2e.lock"
  flock 9
}

# start_engine: a Docker engine on a socket of its own. Containers get no network
# unless they ask for the host's, so no bridge and no firewall rule is touched.
start_engine() {
  need dockerd docker.io
  export DOCKER_HOST=unix://$scratch/docker.sock
  PATH=$PATH:/usr/sbin:/sbin dockerd --host "$DOCKER_HOST" --data-root "$cache/docker" --exec-root "$scratch/exec" \
    --pidfile "$scratch/docker.pid" --bridge none --iptables=false --ip6tables=false \
    </dev/null >"$scratch/dockerd.log" 2>&1 9>&- &
  engine_pid=$!
  for _ in $(seq 120); do
    docker version >/dev/null 2>&1 && return
    kill -0 "$engine_pid" 2>/dev/null || break
    sleep 0.5
  done
  kill "$engine_pid" 2>/dev/null || true
  engine_pid=
  unset DOCKER_HOST
  tail -n 5 "$scratch/dockerd.log" >&2
  return 1
}

# stop_engine: stop it, if it runs.
stop_engine() {
  [ -n "$engine_pid" ] || return 0
  kill "$engine_pid" 2>/dev/null || true
  wait "$engine_pid" || true
  # The engine leaves the mount of the host's network namespace behind.
  awk -v folder="$scratch/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | xargs --no-run-if-empty umount
}
