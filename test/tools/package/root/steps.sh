# The steps in the root: each prints what it has seen, the first that fails ends the program.
set -eu
export HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/sbin:/usr/bin
cd /
mkdir -p /run/systemd/system
config=/etc/fleet-host/fleet-host.json
version=$(dpkg-deb --field /test/this.deb Version)

fail() {
  echo "✗ $*"
  cat /run/fleet-host.log 2> /dev/null | tail -20
  exit 1
}
ok() { echo "✓ $*"; }
expect() { "${@:2}" > /run/output 2>&1 || { cat /run/output; fail "$1"; }; ok "$1"; }
expect_failure() { if "${@:2}" > /run/output 2>&1; then fail "$1"; fi; ok "$1: $(grep -m1 '^fleet' /run/output)"; }
call() { curl -fsS -H "Authorization: $(fleet token --config $config)" "http://127.0.0.1:8888$1"; }
serves() {
  for _ in $(seq 300); do
    if curl -fsS http://127.0.0.1:8888/readyz > /dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  return 1
}
# Everything that the package may leave; what other programs note about their runs, such as copies of /etc/shadow, is left out.
list() { find / -xdev \( -path /proc -o -path /dev -o -path /run -o -path /test -o -path /tmp -o -path /var/log -o -path /var/lib/dpkg \
  -o -path /var/cache -o -path /root/.cache -o -path '/etc/*shadow-' \) -prune -o -print | sort; sort /etc/passwd /etc/group; }
list > /run/before

expect 'installs without a question and without a network' dpkg --install /test/this.deb
expect 'the daemon runs after the installation' serves
[ "$(ps -o user= -p "$(cat /run/fleet-host.pid)")" = fleet-h+ ] || [ "$(ps -o user= -p "$(cat /run/fleet-host.pid)")" = fleet-host ] || fail 'runs as another user'
[ "$(readlink "/proc/$(cat /run/fleet-host.pid)/exe")" = /usr/lib/fleet-host/bin/node ] || fail 'runs another Node'
ok 'it runs as fleet-host with the Node of the package'
[ "$(stat -c '%a %U:%G' $config)" = '640 root:fleet-host' ] || fail 'the options file is readable by others'
expect 'dpkg finds all files as they were packed' dpkg --verify fleet-host
[ "$(fleet --version | head -1)" = "$version" ] || fail 'fleet --version'
ok "fleet is in PATH: $(fleet --version | tr '\n' ' ')"
expect 'man shows the manual page' sh -c 'man fleet | grep -q "fleet job cancel"'
expect 'bash completes subcommands' bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader fleet || true; complete -p fleet'

mkdir -p /root/.config/fleet
(umask 077; echo "{\"token\": \"$(fleet token --config $config)\"}" > /root/.config/fleet/config.json)
fleet center add Site > /dev/null
fleet room add 'Room 1' --netmask 255.255.255.0 > /dev/null
curl -fsS http://127.0.0.1:8888/agent/fleet-agent.js > /test/agent.js
echo '{"server": "127.0.0.1", "port": 8889}' > /test/agent.json
setsid /usr/lib/fleet-host/bin/node /test/agent.js --config /test/agent.json > /test/agent.log 2>&1 < /dev/null &
agent=$!
adopt() {
  for _ in $(seq 100); do
    if fleet adopt 127.0.0.1 --room 'Room 1' --name pc-1 --mac 00:1b:21:0a:0b:0e 2> /run/output; then return 0; fi
    sleep 0.5
  done
  return 1
}
expect 'a computer is adopted' adopt
echo '{ "sites": "own" }' > /etc/fleet-host/commands/own.json

fleet run --client pc-1 -- 'touch /test/begun; sleep 60; echo slept' > /test/run.log 2>&1 &
run=$!
for _ in $(seq 600); do if [ -e /test/begun ]; then break; fi; sleep 0.2; done
dpkg --install /test/next.deb > /run/upgrade 2>&1 || { cat /run/upgrade; fail 'upgrade'; }
grep -q 'waiting for 1 part of job 1' /run/upgrade || { cat /run/upgrade; fail 'the upgrade did not wait'; }
expect 'the upgraded daemon runs' serves
wait $run || true
[ "$(fleet job 1 --json | grep -c '"success"')" -ge 1 ] || { fleet job 1; fail 'the script was interrupted'; }
ok "the upgrade waited for a script: $(grep waiting /run/upgrade); $(fleet --version | tr '\n' ' ')"
fleet computer list | grep -q pc-1 || fail 'the record is gone'
[ -e /etc/fleet-host/commands/own.json ] || fail 'a file of the site is gone'
ok 'records, options and files of the site are there after the upgrade'

expect_failure 'a downgrade is refused' dpkg --install /test/this.deb
expect 'and the daemon goes on' serves
[ "$(fleet --version | head -1)" = "$version+next" ] || fail 'the downgrade has changed files'
kill "$agent"

expect 'remove stops the daemon' dpkg --remove fleet-host
if [ -e /run/fleet-host.pid ]; then fail 'it still runs'; fi
[ -e /var/lib/fleet-host/data ] && [ -e $config ] || fail 'remove has deleted data'
ok 'remove keeps data and options'
if [ -L /usr/bin/fleet ]; then fail 'fleet is still there'; fi
expect 'the version before is installed after a removal' dpkg --install /test/this.deb
expect 'its daemon runs with the data' serves
fleet computer list | grep -q pc-1 || fail 'the record is gone'
expect 'purge asks nothing' dpkg --purge fleet-host
rm -rf /root/.config
list > /run/after
diff /run/before /run/after || fail 'purge leaves something'
ok 'purge leaves nothing'
