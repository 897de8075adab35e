// Decides which version of each file is served when files compete for a route or a name.
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { ModulePlace } from './checked.ts'

/** A module file that competes with others. */
export interface Contender {
  file: string
  /** `built-in`, or where a site's file comes from. */
  origin: string
  place: ModulePlace
  /** Lower for files that were seen earlier. */
  sequence: number
  /** That of the newest content, if that could be loaded. */
  newest?: LoadedModule | undefined
  /** The version in service. */
  served?: LoadedModule | undefined
  /** When the file disappeared. */
  missingSince?: number | undefined
}

export interface Resolution {
  /** The version to serve. */
  served?: LoadedModule
  /** Why the newest content cannot be served: `GET /hello belongs to /site/hello.ts`. */
  conflict?: string
}

/**
 * A built-in file always wins. Among a site's files, the one in service keeps its route and names, then the first seen
 * wins. A file whose newest content cannot be served continues with the version in service.
 */
export function resolveConflicts<File extends Contender>(files: readonly File[]): Map<File, Resolution> {
  const owners = new Map<string, string>()
  const isFree = (names: readonly string[]) => !names.some(name => owners.has(name))
  const resolutions = new Map<File, Resolution>()
  for (const contender of files.toSorted(byPriority)) {
    const { file, newest, served, place } = contender
    const resolution: Resolution = {}
    const takenName = newest && namesOf(newest, place).find(name => owners.has(name))
    if (takenName !== undefined) resolution.conflict = `${takenName} belongs to ${owners.get(takenName)}`
    const version = [newest, served].find(candidate => candidate !== undefined && isFree(namesOf(candidate, place)))
    if (version) {
      resolution.served = version
      for (const name of namesOf(version, place)) owners.set(name, file)
    }
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
function changePriority({ newest, served, place }: Contender): number {
  if (!served) return 2
  return newest && namesOf(newest, place).join() === namesOf(served, place).join() ? 0 : 1
}

/** What only one file may have, worded for the log: the route, name and aliases of a command, the name of a pack. */
function namesOf(loaded: LoadedModule, { isInPack, pack }: ModulePlace): string[] {
  const ofPack = isInPack && loaded.kind !== 'pack' ? [] : [`the pack ${pack}`]
  if (loaded.kind === 'pack') return ofPack
  if (loaded.kind !== 'command') return [`the ${loaded.kind} ${loaded.id}`, ...ofPack]
  const names = new Set([loaded.name, ...(loaded.command.aliases ?? [])])
  return [loaded.command.route, ...[...names].map(one => `the name ${one}`), ...ofPack]
}
