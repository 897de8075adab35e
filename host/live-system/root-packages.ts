// What is in a live system: Debian's packages, by what they are for, and those that were installed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const packagesFor = {
  boot: ['linux-image-amd64', 'live-boot', 'live-boot-initramfs-tools', 'systemd-sysv', 'udev', 'dbus'],
  network: ['iproute2', 'isc-dhcp-client', 'ca-certificates', 'curl', 'udpcast'],
  disks: ['fdisk', 'gdisk', 'partclone', 'zstd', 'lzop', 'e2fsprogs', 'dosfstools', 'ntfs-3g', 'smartmontools'],
  start: ['efibootmgr', 'kexec-tools'],
  inventory: ['dmidecode', 'pciutils', 'ethtool'],
}

/** Without their firmware, these network cards do not work. */
const firmware = ['firmware-bnx2', 'firmware-bnx2x', 'firmware-misc-nonfree', 'firmware-realtek']

/** The Debian release; its kernel and boot loaders are signed. */
export const distribution = 'bookworm'
export const architecture = 'amd64'

interface RootRequest {
  /** Further packages. */
  packages: readonly string[]
  /** The address of the archive of packages, in place of those that mmdebstrap knows. */
  archive: string | undefined
  keepFirmware: boolean
}

/** Nobody reads them there, and they would be loaded over the network. */
const leftOut = ['/usr/share/doc/*', '/usr/share/info/*', '/usr/share/locale/*', '/usr/share/man/*']

/** The arguments of mmdebstrap. */
export const rootArguments = ({ packages, archive, keepFirmware }: RootRequest, root: string): string[] => [
  '--verbose',
  '--variant=minbase',
  '--format=directory',
  `--architectures=${architecture}`,
  ...(keepFirmware ? ['--components=main non-free-firmware'] : []),
  ...leftOut.map(pattern => `--dpkgopt=path-exclude=${pattern}`),
  `--include=${[...Object.values(packagesFor).flat(), ...(keepFirmware ? firmware : []), ...packages].join(',')}`,
  distribution,
  root,
  ...(archive === undefined ? [] : [archive]),
]

/** Throws for what is no name of a package: it could be an option, or more of one. */
export function checkPackages(packages: readonly string[]): void {
  const wrong = packages.find(name => !/^[a-z0-9][a-z0-9.+-]+$/.test(name))
  if (wrong !== undefined) throw new Error(`--packages: expected names of packages, got ${JSON.stringify(wrong)}`)
}

/** The installed packages of a root folder and their versions. */
export async function installedPackages(root: string): Promise<Record<string, string>> {
  const paragraphs = (await readFile(join(root, 'var/lib/dpkg/status'), 'utf8')).split('\n\n')
  const fieldOf = (key: string, paragraph: string) =>
    paragraph
      .split('\n')
      .find(line => line.startsWith(`${key}: `))
      ?.slice(key.length + 2)
  const rows = paragraphs
    .filter(paragraph => fieldOf('Status', paragraph) === 'install ok installed')
    .map(paragraph => [fieldOf('Package', paragraph) ?? '', fieldOf('Version', paragraph) ?? ''])
  return Object.fromEntries(rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}

/** Packages of a live system without further ones, until apt says how many there are. */
const usualCount = 185

/** Returns which part of the work is done after each line of mmdebstrap, from 0 to 1: each package has three lines. */
export function createPackageCount(further: number): (line: string) => number {
  let total = usualCount + further
  let announced = 0
  let lines = 0
  return line => {
    announced += Number(/ (\d+) newly installed/.exec(line)?.[1] ?? 0)
    total = Math.max(total, announced)
    if (/^(Get:|Unpacking |Setting up )/.test(line)) lines += 1
    return Math.min(1, lines / (3 * total))
  }
}
