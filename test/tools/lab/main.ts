// A lab with three virtual computers in a network namespace: from the first power-on to restored systems that run, and
// what happens when something fails.
//
//   node --import tsx test/tools/lab/main.ts [--only STAGE,…] [FOLDER]
//
// As root, with mmdebstrap, squashfs-tools, qemu-system-x86, ipxe-qemu, ovmf, shim-signed, grub-efi-amd64-signed,
// grub-pc-bin, mtools, dnsmasq, udpcast and iproute2. The folder keeps the live system between runs: the first one builds it,
// which downloads packages. With `--only` some stages run, with the images of the last run.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../harness/source-files.ts'
import { clientOf, macOf, numbers, openNetwork } from './lab-network.ts'
import { stages } from './lab-stages.ts'
import { fleet, prepareLiveSystem } from './live-system.ts'
import { runLab } from './run-lab.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, inside: { type: 'boolean' } },
})
const [folder = '/var/tmp/fleet-lab'] = positionals
const names = values.only?.split(',') ?? Object.keys(stages)
const unknown = names.find(name => !stages[name])
if (unknown !== undefined) throw new Error(`--only: expected ${Object.keys(stages).join(', ')}, got ${unknown}`)
const config = prepareLiveSystem(folder)

if (values.inside) {
  openNetwork()
  const dnsmasq = join(folder, 'dnsmasq.conf')
  const lines = fleet('boot', 'setup', '--range', '10.77.0.50,10.77.0.99', '--config', config)
  const hosts = numbers.map(number => `dhcp-host=${macOf(number)},${clientOf(number)}\n`)
  writeFileSync(dnsmasq, `${lines}\n${hosts.join('')}`)
  // With it ends all that runs in its namespaces.
  process.exit(await runLab({ folder, config, dnsmasq, names }))
} else {
  const kept = ['live', ...(values.only === undefined ? [] : ['images'])]
  const old = readdirSync(join(folder, 'data')).filter(name => !kept.includes(name))
  for (const name of old) rmSync(join(folder, 'data', name), { recursive: true })
  // Computers without a record must not find the boot files of the last run.
  rmSync(join(folder, 'boot'), { recursive: true, force: true })
  // All that runs in the namespaces ends with the program that runs first there.
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const program = [
    process.execPath,
    ...process.execArgv,
    join(import.meta.dirname, 'main.ts'),
    ...process.argv.slice(2),
  ]
  process.exitCode =
    spawnSync('unshare', [...namespaces, ...program, '--inside'], { stdio: 'inherit', cwd: root }).status ?? 1
}
