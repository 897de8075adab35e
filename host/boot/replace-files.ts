// Replaces and removes many small files in one step: all of them, or none.
import { constants, copyFileSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode, isNotFound, writePublicFile } from '../system/file-system.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'

/** A file to write or, without `content`, to remove. Its folder exists; `content` is called once. */
export interface Change {
  path: string
  content?: () => string
}

/** Saves the records that belong to the files; resolves to the reason when they are not saved. */
export type Save = () => Promise<string | undefined>

/** Milliseconds of work in one tick; after them the daemon's other work runs. */
export const tickMilliseconds = 4

interface Step extends Change {
  /** The new file's temporary name, in the same folder. */
  next: string
  /** The former file's second name, which restores it. */
  former: string
  existed: boolean
}

/**
 * Resolves to the reason that `save` gives, and rejects when a file cannot be written or `save` rejects: then all
 * files are as before. Each file is replaced by a rename, so no reader sees half of it.
 *
 * Nothing is flushed to the disk: thousands of flushes would take minutes, and the files can be written again from
 * the records. The calls are synchronous, as one takes some 20 µs and Node's thread pool costs more than that.
 */
export async function replaceFiles(changes: Change[], save?: Save): Promise<string | undefined> {
  const steps: Step[] = []
  await forEachTimeSliced(changes, tickMilliseconds, change =>
    steps.push({ ...change, ...temporaryNames(change.path), existed: false }),
  )
  const applied: Step[] = []
  let done = false
  try {
    await forEachTimeSliced(steps, tickMilliseconds, prepare)
    await forEachTimeSliced(steps, tickMilliseconds, step => {
      apply(step)
      applied.push(step)
    })
    const reason = await save?.()
    done = reason === undefined
    return reason
  } finally {
    if (!done) restore(applied)
    await forEachTimeSliced(steps, tickMilliseconds, step => removeTemporary(step, done))
  }
}

function temporaryNames(path: string): Pick<Step, 'next' | 'former'> {
  const hidden = join(dirname(path), `.${basename(path)}`)
  return { next: `${hidden}.next`, former: `${hidden}.former` }
}

function prepare(step: Step): void {
  const { path, content, next, former } = step
  if (content) {
    const text = content()
    createNew(next, () => writePublicFile(next, text))
  }
  step.existed = createNew(former, () => linkFormer(path, former))
}

/**
 * Creates a file that must not exist. One of that name is from a daemon that was killed, or a link that somebody has put
 * there: it is removed, never written through.
 */
function createNew<Result>(path: string, create: () => Result): Result {
  try {
    return create()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    unlinkSync(path)
    return create()
  }
}

/** Gives the file a second name: that needs no disk space, so it can be restored on a full disk. False without a file. */
function linkFormer(path: string, former: string): boolean {
  try {
    linkSync(path, former)
  } catch (error) {
    if (isNotFound(error)) return false
    if (hasCode(error, 'EEXIST')) throw error
    // The file system has no hard links. Fails too if `path` is a folder.
    copyFileSync(path, former, constants.COPYFILE_EXCL)
  }
  return true
}

function apply({ path, next, existed, content }: Step): void {
  if (content) renameSync(next, path)
  else if (existed) unlinkSync(path)
}

/** Throws when files cannot be restored; their former content then stays under its second name. */
function restore(steps: Step[]): void {
  const errors = steps.flatMap(({ path, former, existed, content }) => {
    try {
      if (existed) renameSync(former, path)
      else if (content) unlinkSync(path)
      return []
    } catch (error) {
      return [error]
    }
  })
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} files could not be restored, ${errors[0]}`)
}

/** Ignores failures: the next change of that file overwrites what is left. */
function removeTemporary({ next, former, existed }: Step, done: boolean): void {
  for (const path of done ? (existed ? [former] : []) : [next, former]) {
    try {
      unlinkSync(path)
    } catch {}
  }
}
