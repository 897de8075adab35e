#!/usr/bin/env bash
# Installs, upgrades, downgrades, removes and purges a package in a root of Debian of its own, without a network:
#
#   npm run package -- --arch amd64 && test/tools/package/try.sh packages/fleet-host_*_amd64.deb
#
# As root, with mmdebstrap. The root is made once and kept in the folder for temporary files. systemd does not run in it:
# root/systemctl starts and stops the daemon, root/steps.sh has the steps.
set -eu
deb=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
cached=${TMPDIR:-/tmp}/fleet-host-root-$(id -u).tar
if [ ! -e "$cached" ]; then
  mmdebstrap --quiet --format=tar --variant=minbase --include=curl,procps,man-db,bash-completion bookworm "$cached.new"
  mv "$cached.new" "$cached"
fi
folder=$(mktemp -d)
# Nothing that is mounted by mistake.
trap 'rm -rf --one-file-system "$folder"' EXIT
mkdir "$folder/root"
tar -xf "$cached" -C "$folder/root" --exclude './dev/*'
install -d "$folder/root/test"
cp "$deb" "$folder/root/test/this.deb"
cp "$here/root/steps.sh" "$folder/root/test/"
install "$here/root/systemctl" "$folder/root/usr/local/sbin/"

# The next version: this one with another number.
next=$folder/next
dpkg-deb --raw-extract "$deb" "$next"
version=$(dpkg-deb --field "$deb" Version)
sed -i "s/^Version: .*/Version: $version+next/" "$next/DEBIAN/control"
sed -i "s/^version=.*/version=$version+next/" "$next/DEBIAN/preinst"
sed -i "s/\"version\": \"$version\"/\"version\": \"$version+next\"/" "$next/usr/lib/fleet-host/package.json"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$next" "$folder/root/test/next.deb" > /dev/null
rm -rf "$next"

unshare --mount --pid --net --uts --fork --kill-child sh -ec '
  ip link set lo up
  cd "$1"
  mount -t proc proc proc
  mount --rbind /dev dev
  exec env -i /usr/sbin/chroot . /bin/bash /test/steps.sh
' sh "$folder/root"
