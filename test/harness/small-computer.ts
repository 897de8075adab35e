// A virtual computer whose live system has the agent and this machine's programs for it: so small that a test starts it.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { addAgent } from '../../host/live-system/agent-files.ts'
import { hasProgram } from './dhcp-lab.ts'
import { agentCode } from './linux-agent.ts'

/** The network that QEMU makes: the second address leads to the loopback of this machine. */
const [address, server] = ['10.0.2.15', '10.0.2.2']

const diskPrograms = 'udevadm lsblk blkid sfdisk wipefs mount umount mkfs.ext4 e2fsck resize2fs dumpe2fs debugfs'
const programs = `busybox insmod zstd partclone.extfs partclone.restore ${diskPrograms}`.split(' ')
/** With these, lsblk knows what is on a partition. */
const rules = ['60-block', '60-persistent-storage'].map(name => `/usr/lib/udev/rules.d/${name}.rules`)
const drivers = ['virtio_pci', 'virtio_net', 'virtio_blk']

/** Of Debian's kernels; without one, undefined. */
const release = (existsSync('/boot') ? readdirSync('/boot') : [])
  .flatMap(file => /^vmlinuz-(.+-amd64)$/.exec(file)?.[1] ?? [])
  .at(-1)

export const canStartComputer = (): boolean =>
  release !== undefined && [...programs, 'qemu-system-x86_64', 'modprobe', 'setpriv'].every(hasProgram)

const run = (program: string, args: string[]) => execFileSync(program, args, { encoding: 'utf8' })

/** With those of the drivers that they need, in the order in which the kernel takes them. */
const modules = (): string[] => {
  const args = ['--set-version', `${release}`, '--show-depends']
  const lines = drivers.flatMap(driver => run('modprobe', [...args, driver]).split('\n'))
  return [...new Set(lines.flatMap(line => /^insmod (\S+)/.exec(line)?.[1] ?? []))]
}

/** The lines of `ldd` are `name => /path (address)` or `/path (address)`; it fails for a program without libraries. */
const librariesOf = (file: string): string[] =>
  spawnSync('ldd', [file], { encoding: 'utf8' }).stdout.match(/\/\S+(?= \()/g) ?? []

const init = () => `#!/usr/bin/busybox sh
export PATH=/usr/sbin:/usr/bin
/usr/bin/busybox --install -s /usr/bin 2> /dev/null
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
for module in ${modules().join(' ')}; do insmod $module; done
systemd-udevd --daemon
udevadm trigger --settle
ip link set lo up
ip link set eth0 up
ip address add ${address}/24 dev eth0
/opt/fleet-agent/write-options
/opt/fleet-agent/node /opt/fleet-agent/fleet-agent.js --config /run/fleet-agent.json
`

async function makeRoot(root: string): Promise<void> {
  const folders = ['bin', 'sbin', 'lib', 'lib64']
  for (const name of ['dev', 'mnt', 'proc', 'run', 'sys', 'tmp', ...folders.map(name => `usr/${name}`)])
    mkdirSync(join(root, name), { recursive: true })
  for (const name of folders) symlinkSync(`usr/${name}`, join(root, name))
  await addAgent(root, agentCode)
  const files = programs.map(name => run('sh', ['-c', `command -v ${name}`]).trim())
  for (const file of [...files, ...[process.execPath, ...files].flatMap(librariesOf), ...modules(), ...rules]) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    copyFileSync(file, join(root, file))
  }
  writeFileSync(join(root, 'usr/sbin/systemctl'), '#!/bin/sh\nexec poweroff -f\n', { mode: 0o755 })
  // One program, which its name makes the other one.
  symlinkSync('/usr/bin/udevadm', join(root, 'usr/sbin/systemd-udevd'))
  writeFileSync(join(root, 'init'), init(), { mode: 0o755 })
}

/** Powered on, with these files as its disks. */
export async function startSmallComputer(agentPort: number, disks: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'small-computer-'))
  const [root, archive] = [join(folder, 'root'), join(folder, 'root.cpio')]
  await makeRoot(root)
  execFileSync('sh', ['-c', `find . | busybox cpio -o -H newc > ${archive}`], { cwd: root, stdio: 'ignore' })
  rmSync(root, { recursive: true })
  const line = [
    '--pdeathsig KILL qemu-system-x86_64 -accel tcg -cpu max -m 1024 -nodefaults -display none -no-reboot',
    '-netdev user,id=net -device virtio-net-pci,netdev=net,romfile= -serial stdio',
    ...disks.map(file => `-drive if=virtio,format=raw,file=${file}`),
    `-kernel /boot/vmlinuz-${release} -initrd ${archive}`,
  ]
  const parameters = `console=ttyS0 quiet panic=-1 fleet_server=${server} fleet_port=${agentPort}`
  const program = spawn('setpriv', [...line.join(' ').split(' '), '-append', parameters])
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', text => {
      output += text
    })
  const ended = once(program, 'close').finally(() => rmSync(folder, { recursive: true }))
  return {
    /** Resolves when it is off. */
    ended,
    /** As the promise, but rejects when it is off before: its serial console has the reason. */
    whileOn: <Result>(promise: Promise<Result>): Promise<Result> =>
      Promise.race([promise, ended.then(() => Promise.reject(new Error(`the computer is off: ${output}`)))]),
    async stop() {
      program.kill('SIGKILL')
      await ended
    },
  }
}
