// A lab with three virtual computers in a network namespace: from the first power-on to a restored system that runs.
//
//   node --import tsx test/tools/lab/main.ts [FOLDER]
//
// As root, with mmdebstrap, squashfs-tools, qemu-system-x86, ipxe-qemu, ovmf, shim-signed, grub-efi-amd64-signed,
// grub-pc-bin, dnsmasq and iproute2. The folder keeps the live system between runs: the first one builds it, which
// downloads packages.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../harness/source-files.ts'
import { macOf, master, openNetwork } from './lab-network.ts'
import { fleet, prepareLiveSystem } from './live-system.ts'
import { runLab } from './run-lab.ts'

const inside = '--inside'
const [folder = '/var/tmp/fleet-lab', mark] = process.argv.slice(2)
const config = prepareLiveSystem(folder)

if (mark === inside) {
  openNetwork()
  const dnsmasq = join(folder, 'dnsmasq.conf')
  const lines = fleet('boot', 'setup', '--range', '10.77.0.50,10.77.0.99', '--config', config)
  writeFileSync(dnsmasq, `${lines}\ndhcp-host=${macOf(1)},${master}\n`)
  // With it ends all that runs in its namespaces.
  process.exit(await runLab({ folder, config, dnsmasq }))
} else {
  // Images of an earlier run.
  rmSync(join(folder, 'data/images'), { recursive: true, force: true })
  // All that runs in the namespaces ends with the program that runs first there.
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const program = [process.execPath, ...process.execArgv, join(import.meta.dirname, 'main.ts'), folder, inside]
  process.exitCode = spawnSync('unshare', [...namespaces, ...program], { stdio: 'inherit', cwd: root }).status ?? 1
}
