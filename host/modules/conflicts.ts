// Decides which version of each file is served when files compete for a route or a name.
import type { LoadedCommand } from '../contract/loaded-command.ts'

/** A command file that competes with others. */
export interface Contender {
  file: string
  /** `built-in`, or where a site's file comes from. */
  origin: string
  /** Lower for files that were seen earlier. */
  sequence: number
  /** The command of the newest content, if that could be loaded. */
  newest?: LoadedCommand | undefined
  /** The version in service. */
  served?: LoadedCommand | undefined
  /** When the file disappeared. */
  missingSince?: number | undefined
}

export interface Resolution {
  /** The version to serve. */
  served?: LoadedCommand
  /** Why the newest content cannot be served: `GET /hello belongs to /site/hello.ts`. */
  conflict?: string
}

/**
 * A built-in file always wins. Among a site's files, the one in service keeps its route and names, then the first seen
 * wins. A file whose newest content cannot be served continues with the version in service.
 */
export function resolveConflicts<File extends Contender>(files: readonly File[]): Map<File, Resolution> {
  const owners = new Map<string, string>()
  const isFree = (version: LoadedCommand) => !namesOf(version).some(name => owners.has(name))
  const resolutions = new Map<File, Resolution>()
  for (const contender of files.toSorted(byPriority)) {
    const { file, newest, served } = contender
    const resolution: Resolution = {}
    const takenName = newest && namesOf(newest).find(name => owners.has(name))
    if (takenName !== undefined) resolution.conflict = `${takenName} belongs to ${owners.get(takenName)}`
    const version = [newest, served].find(candidate => candidate !== undefined && isFree(candidate))
    if (version) {
      resolution.served = version
      for (const name of namesOf(version)) owners.set(name, file)
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
function changePriority({ newest, served }: Contender): number {
  if (!served) return 2
  return newest && hasSameNames(newest, served) ? 0 : 1
}

const hasSameNames = (a: LoadedCommand, b: LoadedCommand) => namesOf(a).join() === namesOf(b).join()

/** The route, name and aliases of a command, worded for the log. */
function namesOf({ name, command }: LoadedCommand): string[] {
  const names = new Set([name, ...(command.aliases ?? [])])
  return [command.route, ...[...names].map(one => `the name ${one}`)]
}
