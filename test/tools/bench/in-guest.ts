// Measures `scale` under a kernel of its own, which lets a process open as many files as there are agents.
//
//   node --import tsx test/tools/bench/in-guest.ts [AGENTS [FOLDER]]
//
// As root, with mmdebstrap, squashfs-tools, e2fsprogs and user-mode-linux, whose kernel is a program: what it runs has
// this machine's processor, only system calls are slower. The folder is that of the lab and keeps the live system,
// whose files the guest has, with this tree and its node_modules beside them.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../../harness/source-files.ts'
import { extractLiveSystem, prepareLiveSystem } from '../lab/live-system.ts'
import { bundleTests } from '../runner/bundle-tests.ts'
import { bundlesVariable, nodeArguments } from '../runner/bundled-file.ts'
import { startMeasuredDaemon } from './processes/measured-daemon.ts'

const agents = Number(process.argv[2] ?? 50_000)
const folder = process.argv[3] ?? '/var/tmp/fleet-lab'
const diskBytes = 8 * 1024 ** 3
const memory = '12G'
/** A process of the guest takes a map of the machine for each page that does not follow another one. */
const leastMaps = 4_000_000

const children = ['instrumentation', 'agents', 'baseline-agents', 'nats-agents', 'nats-caller']
const programs = ['main', ...children.map(name => `processes/${name}`)]

/** What is process 1 of the guest. */
const init = (bundles: string, args: string[]) => `#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mountpoint -q /dev || mount -t devtmpfs devtmpfs /dev
ip link set lo up
echo 65535 > /proc/sys/net/core/somaxconn
echo 65535 > /proc/sys/net/ipv4/tcp_max_syn_backlog
echo 100000 > /proc/sys/net/core/netdev_max_backlog
ulimit -n 1048576
cd '${root}'
${bundlesVariable}='${bundles}' /opt/fleet-agent/node ${args.join(' ')} < /dev/null
echo "exit code $?"
echo o > /proc/sysrq-trigger
sleep 60
`

/** Returns the disk of the guest. What takes long there is done before: adding the computers, and compiling. */
async function makeDisk(): Promise<string> {
  const files = join(folder, 'bench-root')
  const disk = join(folder, 'bench.img')
  extractLiveSystem(folder, files)
  addNats(files)
  await bundleTests(programs.map(name => join(root, `test/tools/bench/${name}.ts`)))
  const bundles = process.env[bundlesVariable] ?? ''
  for (const path of [root, bundles]) copyInto(files, path)
  process.env.TMPDIR = join(files, 'tmp')
  const daemon = await startMeasuredDaemon(agents)
  await daemon.stop('keep')
  const filled = daemon.folder.slice(files.length)
  const program = nodeArguments('test/tools/bench/main.ts')
  const args = [...program, 'scale', '--agents', String(agents), '--filled', filled]
  writeFileSync(join(files, 'init-bench'), init(bundles, args), { mode: 0o755 })
  rmSync(disk, { force: true })
  writeFileSync(disk, '')
  truncateSync(disk, diskBytes)
  execFileSync('mkfs.ext4', ['-q', '-F', '-d', files, disk])
  rmSync(files, { recursive: true })
  return disk
}

const copyInto = (files: string, path: string) =>
  cpSync(path, join(files, path), { recursive: true, verbatimSymlinks: true, filter: file => !file.endsWith('/.git') })

/** Debian's, where it is installed: a program that needs no libraries. */
function addNats(files: string): void {
  const path = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter).map(each => join(each, 'nats-server'))
  const nats = path.find(each => spawnSync(each, ['--version']).status === 0)
  if (nats) copyFileSync(nats, join(files, 'usr/bin/nats-server'))
}

/** Resolves to the exit code of the benchmark. */
async function runGuest(disk: string): Promise<number> {
  // With the last option the kernel counts objects of each kind by themselves.
  const line = `ubd0=${disk} root=/dev/ubda rw init=/init-bench mem=${memory} con0=null,fd:1 con=null quiet slub_nomerge`
  // Its memory is a file in this folder.
  const env = { ...process.env, TMPDIR: '/dev/shm' }
  const guest = spawn('linux.uml', line.split(' '), { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => guest.kill())
  let last = ''
  guest.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    last = `${last}${text}`.slice(-1000)
  })
  await once(guest, 'close')
  return Number(/exit code (\d+)/.exec(last)?.[1] ?? 1)
}

const maps = Number(readFileSync('/proc/sys/vm/max_map_count', 'utf8'))
if (maps < leastMaps) {
  console.error(
    `vm.max_map_count: expected at least ${leastMaps}, got ${maps}; sysctl -w vm.max_map_count=${leastMaps}`,
  )
  process.exit(1)
}
prepareLiveSystem(folder)
process.exitCode = await runGuest(await makeDisk())
