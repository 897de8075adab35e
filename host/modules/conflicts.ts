// Decides which version of which file is in service when files want the same route or name.
import type { Loaded } from './registry.ts'

/** What the loader knows of a file. */
export interface TrackedFile {
  file: string
  origin: string
  /** The files that its last attempt depended on, and their state then. */
  inputs: string[]
  stamp: string
  /** Of its last bundle that could be made. */
  hash: string
  versions: number
  /** The order in which files were first seen. */
  since: number
  /** The newest content, when it is a command. */
  latest?: Loaded
  /** The version in service. */
  served?: Loaded
  /** What is wrong with the newest content. */
  problem?: string
  /** The problem that the log has been told of. */
  told?: string
  /** How often in a row it was changed while it was read. */
  moved?: number
  missingSince?: number
}

/**
 * Sets `served` of every file, and `problem` where another owns what it wants. A built-in file always wins; among a
 * site's files the one in service keeps what it has, then the first seen. A file whose newest version cannot be had
 * goes on with the one in service.
 */
export function resolveConflicts(files: TrackedFile[]): void {
  const owners = new Map<string, string>()
  const claim = (known: TrackedFile, version: Loaded | undefined): boolean => {
    if (!version || claimedNames(version).some(wanted => owners.has(wanted))) return false
    for (const wanted of claimedNames(version)) owners.set(wanted, known.file)
    known.served = version
    return true
  }

  const inTurn = (a: TrackedFile, b: TrackedFile) =>
    priority(a) - priority(b) || precedence(a) - precedence(b) || a.since - b.since
  for (const known of files.toSorted(inTurn)) {
    const { latest, served } = known
    const taken = latest && claimedNames(latest).find(wanted => owners.has(wanted))
    if (taken !== undefined) known.problem = `${taken} belongs to ${owners.get(taken)}`
    else if (latest) known.problem = undefined
    if (!claim(known, latest) && !claim(known, served)) known.served = undefined
  }
}

/** Built-in files first, files that have vanished last: what they had is free for whoever comes. */
function priority({ origin, missingSince }: TrackedFile): number {
  if (missingSince !== undefined) return 2
  return origin === 'built-in' ? 0 : 1
}

/** Files that want what they have come before files that want something else, and these before new ones. */
function precedence({ latest, served }: TrackedFile): number {
  if (!served) return 2
  return latest && sameClaims(latest, served) ? 0 : 1
}

const sameClaims = (a: Loaded, b: Loaded) => claimedNames(a).join() === claimedNames(b).join()

const claimedNames = ({ name, command }: Loaded): string[] => [
  command.route,
  ...new Set([name, ...(command.aliases ?? [])].map(one => `the name ${one}`)),
]
