// Runs two programs of which the second reads what the first prints, without this program copying it.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type Program = readonly [file: string, ...args: string[]]

interface PairOptions {
  signal: AbortSignal
  /** Gets what the programs print on standard error, as it comes. */
  onErrors?(text: string): void
}

export interface ProgramPair {
  input: Writable
  output: Readable
  /** Rejects with the last line of the one that failed; when both have, of the one that ended first by itself. */
  ended: Promise<void>
}

/**
 * Further arguments of partclone. It ends only when it has waited for the next time to show its progress: two seconds
 * without the last argument.
 */
export const partcloneArguments = ['--logfile', '/dev/null', '--no_block_detail', '--UI-fresh', '1'] as const

/** Characters of standard error that are kept for the reason. */
const longestErrors = 4096

/** What partclone and udp-receiver print after the reason. */
const noReason = /^(Partclone fail|Error exit|Use option|Transfer complete)/

export function startPair(first: Program, second: Program, options: PairOptions): ProgramPair {
  const source = startProgram(first, 'pipe', options)
  const target = startProgram(second, source.stdout, options)
  // Only the second program reads it: else the first one would not notice that it has ended.
  source.stdout.destroy()
  const failures: string[] = []
  const ends = [endOf(source, first[0]), endOf(target, second[0])].map(async end => {
    const failure = await end
    if (failure !== undefined) failures.push(failure)
  })
  const ended = Promise.all(ends).then(() => {
    options.signal.throwIfAborted()
    const [failure] = failures.sort((a, b) => Number(isSignal(a)) - Number(isSignal(b)))
    if (failure !== undefined) throw new Error(failure)
  })
  // It may be awaited later.
  ended.catch(() => {})
  return { input: source.stdin, output: target.stdout, ended }
}

/** As the consequence of another failure. */
const isSignal = (failure: string) => failure.includes(': ended by SIG')

export function startProgram([file, ...args]: Program, stdin: 'pipe' | Readable, { signal, onErrors }: PairOptions) {
  const env = { ...process.env, LC_ALL: 'C' }
  const child = spawn(file, args, { stdio: [stdin, 'pipe', 'pipe'], env, signal, killSignal: 'SIGKILL' })
  // A program that is missing has an error as its end, and one that has ended does not read on.
  child.stdin?.on('error', () => {})
  if (onErrors) child.stderr?.setEncoding('utf8').on('data', onErrors)
  // `as`: with these options it has all streams, but for the input that another program has.
  return child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable }
}

/** Resolves to why it has failed; undefined after a success. */
export function endOf(child: ChildProcess, file: string): Promise<string | undefined> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    errors = (errors + text).slice(-longestErrors)
  })
  return new Promise(resolve => {
    child.on('error', error => resolve(`${file}: ${error.message}`))
    child.on('exit', (code, signalName) => {
      const end = () => resolve(code === 0 ? undefined : reasonOf(file, errors, code, signalName))
      // What it has printed last may still come.
      if (child.stderr && !child.stderr.readableEnded && !child.stderr.destroyed) child.stderr.once('close', end)
      else end()
    })
  })
}

function reasonOf(file: string, errors: string, code: number | null, signalName: string | null): string {
  if (signalName !== null) return `${file}: ended by ${signalName}`
  const lines = errors.split(/[\r\n]+/).map(line => line.trim())
  const line = lines.filter(each => each !== '' && !noReason.test(each)).at(-1)
  return `${file}: ${line ?? `ended with ${code}`}`
}
