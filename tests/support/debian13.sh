#!/usr/bin/env bash
# The tests on another machine: Debian 13 with its Python 3.13, unpacked in a folder (DEBIAN13, default .debian13).
#
#     tests/support/debian13.sh [arguments of pytest]
#
# Needs root and debootstrap; the packages come from Debian, their signatures are checked. The files of this checkout
# that git knows are copied, so nothing in the folder touches the checkout. A second call uses what is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$(realpath -m "${DEBIAN13:-.debian13}")

if [ ! -e "$root/unpacked" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,git,make trixie "$root" \
        http://deb.debian.org/debian
    touch "$root/unpacked"
fi

cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"  # this machine's: of a mirror, maybe
mkdir -p "$root/skyline" "$root/kernels"
chmod 700 "$root/kernels"
find "$root/skyline" -mindepth 1 -delete
git ls-files --cached --others --exclude-standard -z | tar -c --null -T - --ignore-failed-read | tar -x -C "$root/skyline"

# Mounts end with the processes in here: nothing has to be undone.
inside='
set -eu
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
exec chroot "$0" /bin/sh -c '\''
    cd /skyline
    git init -q . 2>/dev/null || true
    python3 --version
    [ -e /venv/bin/python ] || python3 -m venv /venv
    /venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
    exec /venv/bin/python -m pytest "$@"
'\'' sh "$@"
'
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 NUMBA_CACHE_DIR=/kernels \
    unshare --mount --pid --fork sh -c "$inside" "$root" "$@"
