// Replaces and removes many small files in one step: all of them, or none.
import { copyFile, link, rename, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file as it shall be, or without `content` shall not be. Its folder exists; `content` is asked for once. */
export interface Change {
  path: string
  content?(): string
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

/** Files open at the same time; more gain nothing, as Node writes with four threads. */
const atOnce = 32

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
    await each(steps, prepare)
    await each(steps, async step => {
      await take(step)
      taken.push(step)
    })
    const reason = await andThen?.()
    done = reason === undefined
    if (!done) await putBack(taken)
    return reason
  } catch (error) {
    await putBack(taken)
    throw error
  } finally {
    await each(steps, step => clear(step, done))
  }
}

function besides(path: string): Pick<Step, 'next' | 'former'> {
  const hidden = join(dirname(path), `.${basename(path)}`)
  return { next: `${hidden}.next`, former: `${hidden}.former` }
}

async function prepare(step: Step): Promise<void> {
  if (step.content) await writeFile(step.next, step.content())
  step.existed = await keep(step.path, step.former)
}

/** False when there is no such file. */
async function keep(path: string, former: string): Promise<boolean> {
  try {
    await link(path, former)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    // A killed daemon has left that name, or the file system has no links; a folder fails here too.
    await copyFile(path, former)
    return true
  }
}

async function take({ path, next, existed, content }: Step): Promise<void> {
  if (content) await rename(next, path)
  else if (existed) await unlink(path)
}

async function putBack(steps: Step[]): Promise<void> {
  const results = await Promise.allSettled(
    steps.map(({ path, former, existed, content }) => {
      if (existed) return rename(former, path)
      return content ? unlink(path) : undefined
    }),
  )
  const lost = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  if (lost.length > 0) throw new AggregateError(lost, `${lost.length} files could not be put back, ${lost[0]}`)
}

/** What cannot be cleared away is in nobody's way: the next change of that file takes it over. */
async function clear({ next, former, existed }: Step, done: boolean): Promise<void> {
  if (!done) await unlink(next).catch(() => {})
  if (!done || existed) await unlink(former).catch(() => {})
}

/** Stops at the first failure, and rejects with it when everything under way has ended. */
async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const ahead = list.values()
  const failures: unknown[] = []
  const worker = async () => {
    for (const one of ahead) {
      await work(one).catch(error => failures.push(error))
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length > 0) throw failures[0]
}

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
