// Reads what is on a partition that is not mounted, without mounting it: the name of its system, and the space in use.
import type { DiskRow } from '../../agent-program/disk-rows.ts'
import { prettyName, tryProgram } from './machine.ts'

/** `os` is '' for none, `used_size` '0' when it is unknown. */
type Installed = Pick<DiskRow, 'os' | 'used_size'>

const nothing: Installed = { os: '', used_size: '0' }

type Reader = (device: string, signal?: AbortSignal) => Promise<Installed>

/** `filesystem` as lsblk names it. Rejects only when `signal` is aborted. */
export async function readInstalled(device: string, filesystem: string, signal?: AbortSignal): Promise<Installed> {
  return (await readers[filesystem]?.(device, signal)) ?? nothing
}

const readExt: Reader = async (device, signal) => {
  const header = (await tryProgram('dumpe2fs', ['-h', device], signal)) ?? ''
  const numberOf = (key: string) => Number(new RegExp(`^${key}: +(\\d+)$`, 'm').exec(header)?.[1])
  const [all, free] = [numberOf('Block count'), numberOf('Free blocks')]
  // debugfs prints nothing for a file that is missing; the first one is usually a link to the second one.
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const release = (await tryProgram('debugfs', ['-R', `cat ${path}`, device], signal)) ?? ''
    const os = prettyName(release)
    if (os !== undefined) return { os, used_size: percentOf(all - free, all) }
  }
  return { os: '', used_size: percentOf(all - free, all) }
}

/** The programs that the system of a partition has installed, and their versions: of Debian and what is made from it. */
export async function readPackages(device: string, filesystem: string, signal: AbortSignal): Promise<string[]> {
  if (readers[filesystem] !== readExt) return []
  const status = (await tryProgram('debugfs', ['-R', 'cat /var/lib/dpkg/status', device], signal)) ?? ''
  const fieldOf = (key: string, paragraph: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(paragraph)?.[1] ?? ''
  return status
    .split('\n\n')
    .filter(paragraph => fieldOf('Status', paragraph) === 'install ok installed')
    .map(paragraph => `${fieldOf('Package', paragraph)} ${fieldOf('Version', paragraph)}`)
    .sort()
}

const readNtfs: Reader = async (device, signal) => {
  const info = (await tryProgram('ntfsinfo', ['--mft', '--force', device], signal)) ?? ''
  const numberOf = (key: string) => Number(new RegExp(`^[ \\t]{0,20}${key}: {1,20}(\\d{1,20})`, 'm').exec(info)?.[1])
  const [all, free] = [numberOf('Volume Size in Clusters'), numberOf('Free Clusters')]
  const system = await tryProgram('ntfsls', ['--force', '--path', '/Windows/System32/config', device], signal)
  return { os: system === undefined ? '' : 'Windows', used_size: percentOf(all - free, all) }
}

const percentOf = (part: number, all: number): string =>
  all > 0 && part >= 0 ? String(Math.round((100 * part) / all)) : '0'

const readers: Record<string, Reader> = { ext2: readExt, ext3: readExt, ext4: readExt, ntfs: readNtfs }
