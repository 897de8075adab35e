// Replaces and removes many small files in one step: all of them, or none.
import { copyFileSync, linkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** A file as it shall be, or without `content` shall not be. Its folder exists; `content` is asked for once. */
export interface Change {
  path: string
  content?: () => string
}

/** What belongs to the same step and may still fail: the reason why not, or nothing. */
export type AndThen = () => Promise<string | undefined>

interface Step extends Change {
  /** Stands beside the file until it takes its place. */
  next: string
  /** The former file's second name, for the way back. */
  former: string
  existed: boolean
}

/**
 * Resolves to what `andThen` says against it, and rejects when a file cannot be written or `andThen` rejects: then all
 * files are as before. Each file changes at once, never in parts.
 *
 * Nothing is flushed to the disk: thousands of flushes would take minutes, and what is written here can be written
 * again from the records.
 */
export async function replaceFiles(changes: Change[], andThen?: AndThen): Promise<string | undefined> {
  const steps = changes.map(change => ({ ...change, ...besides(change.path), existed: false }))
  const taken: Step[] = []
  let done = false
  try {
    await inSlices(steps, prepare)
    await inSlices(steps, step => {
      take(step)
      taken.push(step)
    })
    const reason = await andThen?.()
    done = reason === undefined
    return reason
  } finally {
    if (!done) putBack(taken)
    await inSlices(steps, step => clear(step, done))
  }
}

function besides(path: string): Pick<Step, 'next' | 'former'> {
  const hidden = join(dirname(path), `.${basename(path)}`)
  return { next: `${hidden}.next`, former: `${hidden}.former` }
}

function prepare(step: Step): void {
  if (step.content) writeFileSync(step.next, step.content())
  step.existed = keep(step.path, step.former)
}

/** A second name needs no space, so that the way back is open when the disk is full. False: there is no such file. */
function keep(path: string, former: string): boolean {
  try {
    linkSync(path, former)
  } catch (error) {
    if (isAbsent(error)) return false
    // A killed daemon has left that name, or the file system has no links; a folder fails here too.
    copyFileSync(path, former)
  }
  return true
}

function take({ path, next, existed, content }: Step): void {
  if (content) renameSync(next, path)
  else if (existed) unlinkSync(path)
}

/** Throws for what is lost; the former files then stay beside their places. */
function putBack(steps: Step[]): void {
  const lost = steps.flatMap(({ path, former, existed, content }) => {
    try {
      if (existed) renameSync(former, path)
      else if (content) unlinkSync(path)
      return []
    } catch (error) {
      return [error]
    }
  })
  if (lost.length > 0) throw new AggregateError(lost, `${lost.length} files could not be put back, ${lost[0]}`)
}

/** What cannot be cleared away is in nobody's way: the next change of that file takes it over. */
function clear({ next, former, existed }: Step, done: boolean): void {
  for (const path of done ? (existed ? [former] : []) : [next, former]) {
    try {
      unlinkSync(path)
    } catch {}
  }
}

/** Milliseconds after which everything else in the daemon has its turn. */
const slice = 4

/**
 * Synchronous, as a call takes some 20 µs of the page cache's time and a trip through Node's threads costs more than
 * that: 4,000 files take half the processor time that they take with promises.
 */
async function inSlices<T>(list: readonly T[], work: (one: T) => void): Promise<void> {
  let until = performance.now() + slice
  for (const one of list) {
    work(one)
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + slice
  }
}

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
