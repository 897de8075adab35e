// Puts the agent into the root folder of a live system: the program, the Node that runs this daemon, and its service.
import { chmod, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cachePrograms } from './cache-programs.ts'

const folder = '/opt/fleet-agent'
const optionsFile = '/run/fleet-agent.json'

/** The server and the port of its agents are parameters of the kernel: one live system serves any server. */
const writeOptions = `#!/bin/sh
# Writes the options of the agent from the parameters of the kernel.
set -eu
server= port=8889
for word in $(cat /proc/cmdline); do
  case $word in
    fleet_server=*) server=\${word#*=} ;;
    fleet_port=*) port=\${word#*=} ;;
  esac
done
[ -n "$server" ] || { echo 'expected the kernel parameter fleet_server, got none' >&2; exit 1; }
case $server$port in *[!A-Za-z0-9.-]*) echo "expected an address and a port, got $server $port" >&2; exit 1 ;; esac
printf '{"live": "yes", "server": "%s", "port": "%s"}\\n' "$server" "$port" > ${optionsFile}
`

const unit = `[Unit]
Description=Agent of fleet-host
After=network.target
StartLimitIntervalSec=0

[Service]
# The agent draws on the console: when the start of the system has printed its lines, and without those of the kernel.
Type=idle
ExecStartPre=${folder}/write-options
ExecStartPre=-dmesg --console-off
ExecStart=${folder}/node ${folder}/fleet-agent.js --config ${optionsFile}
Restart=always
RestartSec=2
KillMode=control-group
TimeoutStopSec=10
OOMPolicy=continue

[Install]
WantedBy=multi-user.target
`

const unitName = 'fleet-agent.service'

export async function addAgent(root: string, program: string): Promise<void> {
  const units = join(root, 'etc/systemd/system')
  await mkdir(join(root, folder), { recursive: true })
  await mkdir(join(units, 'multi-user.target.wants'), { recursive: true })
  await writeFile(join(root, folder, 'fleet-agent.js'), program)
  await writeFile(join(root, folder, 'write-options'), writeOptions, { mode: 0o755 })
  for (const [path, text] of Object.entries(cachePrograms)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { mode: 0o755 })
  }
  const node = join(root, folder, 'node')
  await copyFile(process.execPath, node)
  await chmod(node, 0o755)
  await writeFile(join(units, unitName), unit)
  await symlink(
    join(dirname(`/etc/systemd/system/${unitName}`), unitName),
    join(units, 'multi-user.target.wants', unitName),
  )
  // A login on the agent's console: nobody has a password.
  await symlink('/dev/null', join(units, 'getty@tty1.service'))
  // Each computer gets its own at its start.
  await writeFile(join(root, 'etc/machine-id'), 'uninitialized\n')
  await writeFile(join(root, 'etc/hostname'), 'live\n')
  // That of this server was used for the packages.
  await rm(join(root, 'etc/resolv.conf'), { force: true })
}
