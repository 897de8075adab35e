#!/bin/sh
# Installs the agent for Linux of fleet-host on this computer, updates it, or removes it:
#
#   curl -fsS http://SERVER:8888/agent/install.sh | sudo sh
#   curl -fsS http://SERVER:8888/agent/install.sh | sudo sh -s -- --help
#
# It writes /opt/fleet-agent/ and /etc/systemd/system/fleet-agent.service, and nothing else. All of it is in functions: what
# is called last is called only when the whole file has arrived.

folder=/opt/fleet-agent
unit=/etc/systemd/system/fleet-agent.service
default_server=@SERVER@
default_port=@PORT@
default_url=@URL@
version=@VERSION@
sha256=@SHA256@

print_usage() {
  cat << 'END'
usage: sh -s -- [--server ADDRESS] [--port PORT]
       sh -s -- --uninstall

Installs the agent for Linux of fleet-host as a service, or updates it. Its options are then in
/opt/fleet-agent/options.json; an update keeps them.

  --server ADDRESS  address or name of the server that the agent connects to; default: the one of the download
  --port PORT       the server's port for agents
  --uninstall       stops the agent and removes everything that was installed
  --help
END
}

fail() {
  printf 'fleet-agent: %s\n' "$*" >&2
  exit 1
}

# Sets action, server and port; the last two stay empty without their options.
read_arguments() {
  action=install
  server=
  port=
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) action=uninstall ;;
      --help) action=print_usage ;;
      --server | --port)
        [ $# -gt 1 ] || fail "$1: expected a value, got none"
        if [ "$1" = --server ]; then server=$2; else port=$2; fi
        shift
        ;;
      *) fail "expected --server, --port, --uninstall or --help, got $1" ;;
    esac
    shift
  done
  case $server in
    *[!A-Za-z0-9.-]* | -*) fail "--server: expected an IPv4 address or a host name, got $server" ;;
  esac
  case $port in
    *[!0-9]* | ??????*) fail "--port: expected a port, got $port" ;;
  esac
}

check_root() {
  [ "$(id -u)" -eq 0 ] || fail "expected root, got user $(id -un): run it with sudo"
}

check_system() {
  [ "$(uname -s)" = Linux ] || fail "expected Linux, got $(uname -s)"
  command -v systemctl > /dev/null || fail 'expected systemd, got no systemctl'
  # The folder exists while systemd is the service manager: not in most containers, for example.
  [ -d /run/systemd/system ] || fail 'expected systemd as the service manager of this computer, got another one'
  command -v sha256sum > /dev/null || fail 'expected sha256sum (package coreutils), got none'
}

# Sets node to its absolute path.
find_node() {
  node=$(command -v node || command -v nodejs || true)
  [ -n "$node" ] || fail "expected Node 20 or newer, got none. $(node_help)"
  major=$("$node" -p 'process.versions.node.split(".")[0]' 2> /dev/null || true)
  case $major in
    '' | *[!0-9]*) fail "expected Node 20 or newer, but $node does not run. $(node_help)" ;;
  esac
  [ "$major" -ge 20 ] || fail "expected Node 20 or newer, got $("$node" --version) ($node). $(node_help)"
  case $node in
    *[!A-Za-z0-9/._+-]* | [!/]*) fail "expected Node at a path without spaces or special characters, got $node" ;;
  esac
}

node_help() {
  if command -v apt-get > /dev/null; then
    echo 'Debian 13 and Ubuntu 25.04 or newer have it: apt-get install nodejs. For others see https://nodejs.org/en/download'
  elif command -v dnf > /dev/null; then
    echo 'Fedora has it: dnf install nodejs. For others see https://nodejs.org/en/download'
  else
    echo 'Install it as your distribution describes, or see https://nodejs.org/en/download'
  fi
}

# Writes the options to a file: those that exist, with those of the arguments. Prints server and port. The address for
# updates is that of the server's proxy; it does not stay when the server changes.
write_options() {
  "$node" -e '
    const fs = require("fs")
    const [current, next, server, port, defaultServer, defaultPort, defaultUrl] = process.argv.slice(1)
    try {
      const options = fs.existsSync(current) ? JSON.parse(fs.readFileSync(current, "utf8")) : {}
      if (!(options instanceof Object) || Array.isArray(options)) throw new Error("expected an object of options")
      if (server && options.server && server !== options.server) delete options.url
      options.server = server || options.server || defaultServer
      options.port = Number(port || options.port || defaultPort)
      if (!(options.port >= 1 && options.port <= 65535)) throw new Error("port: expected 1 to 65535, got " + options.port)
      if (defaultUrl && (server || options.server === defaultServer)) options.url ??= defaultUrl
      fs.writeFileSync(next, JSON.stringify(options, null, 2) + "\n")
      console.log(options.server + " " + options.port)
    } catch (error) {
      console.error("fleet-agent: " + current + ": " + error.message)
      process.exitCode = 1
    }
  ' "$folder/options.json" "$1" "$server" "$port" "$default_server" "$default_port" "$default_url"
}

# No setting here limits what a script can do that an administrator sends, and it has to be able to do everything. Most
# sandboxing of systemd gives the service a view of the file system of its own: a script could not mount a disk.
print_unit() {
  cat << END
[Unit]
Description=Agent of fleet-host
After=network.target
StartLimitIntervalSec=0

[Service]
ExecStart=$node $folder/fleet-agent.js --config $folder/options.json
Restart=always
RestartSec=2
KillMode=control-group
TimeoutStopSec=10
# A script that takes all memory ends, the agent stays.
OOMPolicy=continue
LimitCORE=0
KeyringMode=private
SyslogIdentifier=fleet-agent

[Install]
WantedBy=multi-user.target
END
}

print_uninstaller() {
  cat << 'END'
#!/bin/sh
# Stops the agent for Linux of fleet-host and removes everything that was installed.
remove_agent() {
  set -eu
  [ "$(id -u)" -eq 0 ] || { echo "fleet-agent: expected root, got user $(id -un): run it with sudo" >&2; exit 1; }
  cd /
  # Fails without the unit, which an installation that was interrupted may not have written.
  systemctl --quiet disable fleet-agent.service 2> /dev/null || true
  cd /etc/systemd/system
  rm -rf fleet-agent.service fleet-agent.service.d fleet-agent.service.new multi-user.target.wants/fleet-agent.service
  cd /
  rm -rf /opt/fleet-agent
  systemctl daemon-reload
  echo 'fleet-agent: removed'
  # Last: when the agent itself has started this, as a script of the daemon, it ends here. Fails when it was stopped before.
  systemctl stop fleet-agent.service 2> /dev/null || true
  systemctl reset-failed fleet-agent.service 2> /dev/null || true
}
remove_agent
END
}

uninstall() {
  check_root
  if [ -e "$unit" ] || [ -e "$folder" ]; then
    print_uninstaller | sh
  else
    echo 'fleet-agent: not installed'
  fi
}

install_agent() {
  check_root
  check_system
  find_node
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 1' HUP INT TERM
  print_program > "$temporary/fleet-agent.js"
  sum=$(sha256sum "$temporary/fleet-agent.js")
  [ "${sum%% *}" = "$sha256" ] || fail "the program was changed on its way: expected SHA-256 $sha256, got ${sum%% *}"
  "$node" "$temporary/fleet-agent.js" --version > /dev/null || fail "expected $node to run the program"
  settings=$(write_options "$temporary/options.json")
  print_unit > "$temporary/unit"
  print_uninstaller > "$temporary/uninstall"
  what=updated
  [ -e "$unit" ] || what=installed
  # Also when somebody else has made it, who could replace the program otherwise.
  install -d -o 0 -g 0 -m 755 "$folder"
  put "$temporary/fleet-agent.js" "$folder/fleet-agent.js" 644
  put "$temporary/options.json" "$folder/options.json" 600
  put "$temporary/uninstall" "$folder/uninstall" 755
  put "$temporary/unit" "$unit" 644
  systemctl daemon-reload
  systemctl --quiet enable fleet-agent.service
  systemctl restart fleet-agent.service
  report_result "$what" "${settings% *}" "${settings#* }"
}

# Whoever reads the file meanwhile has the old one or the new one.
put() {
  if install -m "$3" "$1" "$2.new" && mv -f "$2.new" "$2"; then return 0; fi
  rm -f "$2.new"
  fail "expected to write $2"
}

# $1: what was done, $2 and $3: server and port of the options.
report_result() {
  echo "$version is $1 as the service fleet-agent"
  if [ "$2" != "$default_server" ] && [ -z "$server" ]; then
    echo "fleet-agent: $folder/options.json has another server than this download, and stays: $2. --server $default_server changes it"
  fi
  if ! wait_for_connection "$3"; then
    echo "fleet-agent: it is not connected to $2:$3 after 10 s, and tries again every second."
    echo "  Can this computer reach that port? What it says: journalctl -u fleet-agent"
    exit 1
  fi
  cat << END
fleet-agent: it is connected to $2:$3. Next, at the server or in the console:
  fleet pending                             shows this computer, unless it has a record
  fleet adopt ADDRESS --room ROOM           makes a record of it
  fleet run --client ADDRESS -- uname -a    runs a script on it
Options: $folder/options.json; log: journalctl -u fleet-agent; removal: sudo $folder/uninstall
END
}

# Whether this computer has a connection to port $1 of any server within 10 s.
wait_for_connection() {
  # A row of the kernel's table: own address, other address, state; 01 is an open connection.
  row=$(printf ' [0-9A-F]*:%04X 01 ' "$1")
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    if grep -q "$row" /proc/net/tcp; then return 0; fi
  done
  return 1
}

print_program() {
  cat << '@END@'
@PROGRAM@
@END@
}

main() {
  set -eu
  umask 022
  # What a range of letters contains depends on the language.
  export LC_ALL=C
  read_arguments "$@"
  case $action in
    install) install_agent ;;
    *) "$action" ;;
  esac
}

# One command, which is incomplete without its last character. It must not read the rest of this file as its input.
{ main "$@" < /dev/null; }
