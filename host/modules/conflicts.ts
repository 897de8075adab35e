// Decides which version of each file is served when files compete for a route or a name, and when packs are off.
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { Contender } from './contender.ts'
import { type IsEnabled, PackNames } from './pack-names.ts'

export interface Resolution {
  /** The version to serve. */
  served?: LoadedModule
  /** The version that is not served because its pack is off. */
  off?: LoadedModule
  /** Why the newest content cannot be served: `GET /hello belongs to /site/hello.ts`. */
  conflict?: string
}

/**
 * A built-in file always wins. Among a site's files, the one in service keeps its route and names, then the first seen
 * wins. A file whose newest content cannot be served continues with its last good version. What is off claims nothing
 * but the name of its pack.
 */
export function resolveConflicts<File extends Contender>(
  files: readonly File[],
  isEnabled: IsEnabled = () => true,
): Map<File, Resolution> {
  const sorted = files.toSorted(byPriority)
  const packs = new PackNames(sorted)
  const owners = new Map<string, string>()
  const resolutions = new Map<File, Resolution>()
  for (const contender of sorted) {
    const { file, newest, lastGood } = contender
    const resolution: Resolution = {}
    const takenBy = (version: LoadedModule) => namesOf(version).find(name => owners.has(name))
    const isOn = (version: LoadedModule) => packs.isOn(contender, version, isEnabled)
    const taken = newest && isOn(newest) ? takenBy(newest) : undefined
    const packConflict = packs.conflictOf(contender)
    if (taken !== undefined) resolution.conflict = `${taken} belongs to ${owners.get(taken)}`
    else if (newest && packConflict !== undefined) resolution.conflict = packConflict
    const candidates = packConflict === undefined ? [newest, lastGood] : []
    const version = candidates.find(one => one && (!isOn(one) || takenBy(one) === undefined))
    if (version && isOn(version)) {
      resolution.served = version
      for (const name of namesOf(version)) owners.set(name, file)
    } else if (version) resolution.off = version
    resolutions.set(contender, resolution)
  }
  return resolutions
}

const byPriority = (a: Contender, b: Contender) =>
  originPriority(a) - originPriority(b) || changePriority(a) - changePriority(b) || a.sequence - b.sequence

/** Built-in files come first. Missing files come last: any other file may take their routes and names. */
function originPriority({ origin, missingSince }: Contender): number {
  if (missingSince !== undefined) return 2
  return origin === 'built-in' ? 0 : 1
}

/** Files that keep their route and names come first, then files that change them, then new files. */
function changePriority({ newest, served }: Contender): number {
  if (!served) return 2
  return newest && namesOf(newest).join() === namesOf(served).join() ? 0 : 1
}

/** What only one file may have, worded for the log: the route, name and aliases of a command, the id of others. */
function namesOf(loaded: LoadedModule): string[] {
  if (loaded.kind !== 'command') return [`the ${loaded.kind} ${loaded.id}`]
  const names = new Set([loaded.name, ...(loaded.command.aliases ?? [])])
  return [loaded.command.route, ...[...names].map(one => `the name ${one}`)]
}
