// Loads the content of one module file: bundle, run, check.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { message } from '../log/log.ts'
import { descriptorShortage } from '../system/process/descriptors.ts'
import { bundle, type Fingerprints } from './bundle.ts'
import type { CheckedCommand, CheckedFile, ModulePlace } from './checked.ts'
import { evaluate } from './evaluate.ts'
import { withLine } from './key-line.ts'
import { placeOf } from './module-files.ts'
import { checkLock, type LockResult } from './pack-lock.ts'
import { validateModule } from './validate.ts'

/** The result of loading a file. `checked` and `problem` are absent when the bundle is unchanged since the last load. */
interface LoadResult {
  /** The files that the result depends on. */
  inputs: Fingerprints
  /** The hash of the bundle, '' when the file could not be loaded. */
  hash: string
  checked?: CheckedFile
  problem?: string
  /** The file could not be loaded now, which has nothing to do with its content; `problem` is the reason. */
  isPostponed?: true
  /** `problem` is that the pack is not locked with this content, which has not run. */
  isRefused?: true
}

interface LoadOptions {
  place?: ModulePlace
  /** The hash of the file's last load, '' when that failed: an unchanged bundle does not run again. */
  lastHash?: string
  /** Whether only what pack.lock has is run. */
  needsLock?: boolean
}

/**
 * Postponed while file descriptors are short: bundling needs some, and without any Node aborts when code runs with a
 * time limit.
 */
export async function loadFile(file: string, options: LoadOptions = {}): Promise<LoadResult> {
  const { place = placeOf(file), lastHash = '', needsLock = false } = options
  const bundled = await bundle(file)
  const shortage = descriptorShortage()
  if (shortage !== undefined) return { inputs: {}, hash: '', problem: shortage, isPostponed: true }
  if ('problem' in bundled) return { inputs: bundled.inputs, hash: '', problem: bundled.problem }
  const { inputs, refusal }: LockResult = needsLock ? await checkLock(file, place, bundled.inputs) : bundled
  if (refusal !== undefined) return { inputs, hash: '', problem: refusal, isRefused: true }
  const hash = createHash('sha256').update(bundled.code).digest('hex')
  if (hash === lastHash) return { inputs, hash }
  let exported: unknown
  try {
    exported = evaluate(bundled.code, file)
  } catch (error) {
    // Without a hash the same text runs again when it is saved: the cause may have been outside the file.
    return { inputs, hash: '', problem: oneLine(error) }
  }
  try {
    const checked = validateModule(place, exported)
    if (checked.notice !== undefined) checked.notice = await inLine(checked.notice, file)
    return { inputs, hash, checked }
  } catch (error) {
    return { inputs, hash: '', problem: await inLine(oneLine(error), file) }
  }
}

/** Of a file that is gone by now the line is not known. */
const inLine = async (text: string, file: string) => withLine(text, file, await readFile(file, 'utf8').catch(() => ''))

const oneLine = (error: unknown) => message(error).replaceAll(/\n\s*/g, ' ')

/** For programs that need one command. Throws an error with one line when it cannot be loaded. */
export async function loadCommand(file: string): Promise<CheckedCommand> {
  const { checked, problem } = await loadFile(file)
  if (checked?.module.kind === 'command') return checked.module
  throw new Error(`${file}: ${problem ?? 'expected a command, got a module of another kind'}`)
}
