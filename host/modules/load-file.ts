// One attempt to make a command of a file: bundle, run, check. What fails gives its reason on one line.
import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import { message } from '../system/log.ts'
import { bundle } from './bundle.ts'
import { evaluate } from './evaluate.ts'
import { type CheckedCommand, readCommand } from './validate.ts'

/** What became of a file. Neither `ready` nor `problem`: its text is the one that was tried before. */
export interface LoadResult {
  /** The files that the outcome depends on. */
  inputs: string[]
  hash: string
  ready?: CheckedCommand
  problem?: string
}

/** The name of the command in a file. */
export const commandName = (file: string) => basename(file, extname(file))

/**
 * `known` is the hash of the file's last attempt when that was good, else '': the same text is not run again.
 */
export async function loadFile(file: string, known = ''): Promise<LoadResult> {
  const bundled = await bundle(file)
  const { inputs } = bundled
  if ('problem' in bundled) return { inputs, hash: '', problem: bundled.problem }
  const hash = createHash('sha256').update(bundled.code).digest('hex')
  if (hash === known) return { inputs, hash }
  try {
    return { inputs, hash, ready: readCommand(commandName(file), evaluate(bundled.code, file)) }
  } catch (error) {
    // Without a hash: what failed may have been missing elsewhere, so the same text is tried again when it is saved.
    return { inputs, hash: '', problem: message(error).replaceAll(/\s*\n\s*/g, ' ') }
  }
}
