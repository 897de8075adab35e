// Watches how full the disks are of the folders that the daemon uses: one that is nearly full is a line in the log and a
// note of the health.
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Options } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import { formatBytes } from '../log/shown-text.ts'
import type { Health } from './health.ts'
import { everySeconds } from './periodic-jobs.ts'

/** A disk with the options whose folders are on it. */
export interface DiskUse {
  options: string[]
  /** Of its bytes or its files, whatever is nearer to its end. */
  percent: number
  /** Bytes. */
  free: number
}

interface DiskSpaceDeps {
  /** Paths by their options; a folder that is not there yet counts as that above it. */
  folders: Readonly<Record<string, string>>
  log: Log
  health: Pick<Health, 'addNotes'>
  /** Other disks for tests. */
  readDisk?: typeof readDisk
}

/** Percent from which a disk is nearly full, and below which it is that no more. */
export const nearlyFull = 90
const enoughAgain = 89

const seconds = 60

type FolderOptions = Pick<Options, 'store' | 'repository' | 'boot'>

/** The folders that a daemon with these options writes to, by the names of the options. */
export const writtenFolders = ({ store, repository, boot }: FolderOptions) => ({
  'store.path': store.path,
  'repository.directory': repository.directory,
  'boot.output': boot.output,
})

export class DiskSpace {
  readonly #deps: DiskSpaceDeps
  readonly #stop = everySeconds(seconds, () => void this.read())
  /** Of nearly full ones: the options, and what is said of them. */
  #full: ReadonlyMap<string, string> = new Map()

  constructor(deps: DiskSpaceDeps) {
    this.#deps = deps
    deps.health.addNotes(() => Array.from(this.#full.values(), text => `disk: ${text}`))
    void this.read()
  }

  /** The disks as they are now; those that cannot be read are left out. */
  async read(): Promise<DiskUse[]> {
    const { folders, readDisk: readOne = readDisk } = this.#deps
    const disks = new Map<number, DiskUse>()
    for (const [option, folder] of Object.entries(folders)) {
      const found = await readOne(folder).catch(() => undefined)
      if (!found) continue
      const { device, percent, free } = found
      disks.set(device, { options: [...(disks.get(device)?.options ?? []), option], percent, free })
    }
    const all = [...disks.values()]
    this.#report(all)
    return all
  }

  close(): void {
    this.#stop()
  }

  #report(disks: readonly DiskUse[]): void {
    const { log } = this.#deps
    const before = this.#full
    const full = new Map<string, string>()
    for (const disk of disks) {
      const key = disk.options.join(' ')
      const text = describeDisk(disk)
      if (disk.percent >= (before.has(key) ? enoughAgain : nearlyFull)) full.set(key, text)
      if (full.has(key) && !before.has(key)) log.warn('disk', text)
      if (!full.has(key) && before.has(key)) log.info('disk', text)
    }
    this.#full = full
  }
}

/** `store.path and boot.output: 93 % full, 1.2 GiB free`. */
export const describeDisk = ({ options, percent, free }: DiskUse): string =>
  `${options.join(', ')}: ${percent} % full, ${formatBytes(free)} free`

async function readDisk(folder: string): Promise<{ device: number; percent: number; free: number }> {
  const stats = await stat(folder).catch(() => undefined)
  if (!stats && dirname(folder) !== folder) return readDisk(dirname(folder))
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(folder)
  // As df: what is reserved for root is not free, and not used either.
  const used = blocks - bfree
  const percent = Math.max(percentOf(used, used + bavail), percentOf(files - ffree, files))
  return { device: stats?.dev ?? 0, percent, free: bsize * bavail }
}

const percentOf = (part: number, total: number) => (total === 0 ? 0 : Math.ceil((100 * part) / total))
