# Stand-ins for the images that would be pulled from a registry. Source it after
# lib.sh; it runs nothing.
#
#   job image       Debian with bash, git and certificates: where a job's steps run
#   builder image   the same with this machine's Go, and the modules of go.sum
#                   behind a file proxy, so that a build needs no network
# shellcheck shell=bash

job_image=replay-gate-e2e/job:bookworm
# The name under which the Dockerfile asks for its builder.
builder_image=$(sed -n 's/^ARG GO_IMAGE=//p' "$repository/Dockerfile")
builder_path=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# builder_key: changes when the builder image has to be made anew.
builder_key() {
  { go version; cat "$repository/go.mod" "$repository/go.sum" /etc/ssl/certs/ca-certificates.crt; } | sha256sum | cut -c 1-64
}

# debian_mirror: print where this machine's apt gets Debian from. It knows the codename of
# a source only once it has read it.
debian_mirror() {
  local mirror
  mirror=$(apt_mirror)
  [ -n "$mirror" ] || { apt-get update -qq >"$cache/apt.log" 2>&1 && mirror=$(apt_mirror); } || true
  [ -n "$mirror" ] || fail "apt's sources name no mirror of Debian bookworm, from which the job image is made"
  echo "$mirror"
}

# shellcheck disable=SC2016 # the variable is apt's
apt_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' 2>/dev/null | sed -n 1p
}

# job_rootfs: print the folder that holds the job image's files.
job_rootfs() {
  local rootfs=$cache/bookworm mirror
  if [ ! -d "$rootfs" ]; then
    need debootstrap debootstrap >&2
    mirror=$(debian_mirror)
    rm -rf "$rootfs.part"
    PATH=$PATH:/usr/sbin:/sbin debootstrap --variant=minbase --include=bash,ca-certificates,git \
      bookworm "$rootfs.part" "$mirror" >"$cache/debootstrap.log" 2>&1 || {
      tail -n 20 "$cache/debootstrap.log" >&2
      fail 'debootstrap could not make the job image'
    }
    mv "$rootfs.part" "$rootfs"
  fi
  echo "$rootfs"
}

# builder_rootfs FOLDER: lay the builder image's files in FOLDER.
builder_rootfs() {
  local modules=$1/modules source=$1/source rootfs
  rootfs=$(job_rootfs)
  cp -a "$rootfs" "$1/rootfs"
  cp -a "$(go env GOROOT)" "$1/rootfs/usr/local/go"
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/rootfs/etc/ssl/certs/ca-certificates.crt"

  # The download folder of a module cache is laid out as a proxy serves it.
  mkdir "$source"
  cp "$repository/go.mod" "$repository/go.sum" "$source"
  (cd "$source" && GOFLAGS=-modcacherw GOMODCACHE=$modules \
    GOPROXY="file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)" go mod download)
  mv "$modules/cache/download" "$1/rootfs/goproxy"
}

# docker_job_image: have the job image in the engine.
docker_job_image() {
  local folder
  docker image inspect "$job_image" >/dev/null 2>&1 && return
  folder=$(job_rootfs)
  tar --create --directory "$folder" . | docker import - "$job_image" >/dev/null
}

# docker_stand_ins: have both images in the engine.
docker_stand_ins() {
  local key folder
  docker_job_image
  key=$(builder_key)
  if [ "$(docker image inspect --format '{{index .Config.Labels "key"}}' "$builder_image" 2>/dev/null)" != "$key" ]; then
    folder=$(mktemp -d "$scratch/builder.XXXXXX")
    builder_rootfs "$folder"
    tar --create --directory "$folder/rootfs" . | docker import \
      --change "ENV PATH=$builder_path" --change 'ENV GOTOOLCHAIN=local' \
      --change 'ENV GOPROXY=file:///goproxy' --change 'ENV GOSUMDB=off' \
      --change "LABEL key=$key" - "$builder_image" >/dev/null
    rm -rf "$folder"
  fi
  docker image ls --format '{{.Repository}}:{{.Tag}}  {{.Size}}' --filter dangling=false
}

# build_with_buildah ACTION: build the image and start it, without a daemon.
build_with_buildah() {
  local folder container
  need buildah buildah
  buildah() { command buildah --root "$scratch/buildah" --runroot "$scratch/buildah-run" --storage-driver vfs "$@"; }
  folder=$(mktemp -d "$scratch/builder.XXXXXX")
  builder_rootfs "$folder"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder/rootfs" /
  buildah config --env "PATH=$builder_path" --env GOTOOLCHAIN=local --env GOPROXY=file:///goproxy --env GOSUMDB=off "$container"
  buildah commit --quiet --rm "$container" "$builder_image"
  rm -rf "$folder"
  buildah bud --quiet --isolation chroot --pull-never --tag replay-gate-e2e/gate "$1"
  container=$(buildah from --pull-never replay-gate-e2e/gate)
  buildah run --isolation chroot "$container" -- /replay-gate version
  buildah run --isolation chroot "$container" -- /replay-gate demo
}
