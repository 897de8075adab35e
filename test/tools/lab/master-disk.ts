// The disk of a computer with an installed system: the live system's own files, with an agent that starts by itself.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { address } from './lab-network.ts'
import { extractLiveSystem, liveFolder } from './live-system.ts'

export const systemUuid = 'f1ee7000-0000-4000-8000-000000000001'

const unit = `[Unit]
Description=Agent of fleet-host
[Service]
ExecStart=/opt/fleet-agent/node /opt/fleet-agent/fleet-agent.js --server ${address}
Restart=always
`

const files: Record<string, string> = {
  'etc/systemd/system/fleet-agent.service': unit,
  'etc/systemd/network/all.network': '[Match]\nName=e*\n[Network]\nDHCP=yes\n',
  'etc/fstab': `UUID=${systemUuid} / ext4 defaults 0 1\n`,
  'etc/hostname': 'master\n',
  'etc/hosts': '127.0.0.1 localhost\n127.0.1.1 master.example.org master\n',
  'etc/machine-id': `${'0123456789abcdef'.repeat(2)}\n`,
}

/** MiB of the disk, and of its partition 2. */
const [diskSize, partitionSize] = [900, 800]

/** Made once, from the default live system. */
export function masterDisk(folder: string): string {
  const [disk, root, partition] = ['master.img', 'master-root', 'master-partition.img'].map(name => join(folder, name))
  if (disk === undefined || root === undefined || partition === undefined) throw new Error('expected three paths')
  if (existsSync(disk)) return disk
  extractLiveSystem(folder, root)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  // Half of all bytes; those of a virtual computer are in its initial file system.
  rmSync(join(root, 'usr/lib/modules'), { recursive: true })
  installKernel(root, liveFolder(folder))
  const wants = join(root, 'etc/systemd/system/multi-user.target.wants')
  symlinkSync('/lib/systemd/system/systemd-networkd.service', join(wants, 'systemd-networkd.service'))
  for (const [path, size] of [
    [partition, partitionSize],
    [disk, diskSize],
  ] as const) {
    writeFileSync(path, '')
    truncateSync(path, size * 1024 * 1024)
  }
  execFileSync('mkfs.ext4', ['-q', '-F', '-U', systemUuid, '-d', root, partition])
  execFileSync('sfdisk', ['--quiet', disk], { input: `label: gpt\n2048,64M,U\n,${partitionSize}M,L\n` })
  execFileSync('dd', [`if=${partition}`, `of=${disk}`, 'bs=1M', 'seek=65', 'conv=notrunc,sparse', 'status=none'])
  return disk
}

function installKernel(root: string, live: string): void {
  const { kernel } = JSON.parse(readFileSync(join(live, 'manifest.json'), 'utf8'))
  mkdirSync(join(root, 'boot/grub'), { recursive: true })
  cpSync(join(live, 'vmlinuz'), join(root, `boot/vmlinuz-${kernel}`))
  cpSync(join(live, 'initrd'), join(root, `boot/initrd.img-${kernel}`))
  const lines = [`linux /boot/vmlinuz-${kernel} root=UUID=${systemUuid} ro`, `initrd /boot/initrd.img-${kernel}`]
  writeFileSync(join(root, 'boot/grub/grub.cfg'), `menuentry Debian {\n  ${lines.join('\n  ')}\n}\n`)
}
