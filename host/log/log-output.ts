// Writes to standard output and standard error: never blocks, never throws, and keeps a bounded amount of text that waits.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

/** Bytes that wait for a reader that is slow or gone, or for a full disk: the lines of 10,000 agents in one tick fit. */
const maxWaitingBytes = 2_097_152

/** A failed write is tried again after this time, then after double that time each, up to the longest. */
const retryMilliseconds = { first: 1, longest: 1000 }

/** How long the end of the process may wait for a reader. */
const endMilliseconds = 500
const endPauseMilliseconds = 5

export interface LogOutputDeps {
  /** 1 for standard output, 2 for standard error. */
  descriptor: number
  /** Called when text can be written again after lines were dropped. */
  resumed(droppedLines: number): void
}

/** Lines are dropped from the first that does not fit until all before it are written: one gap, reported at its place. */
export class LogOutput {
  readonly #target: number
  readonly #resumed: LogOutputDeps['resumed']
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #droppedLines = 0
  #retry: NodeJS.Timeout | undefined
  #delay = retryMilliseconds.first

  constructor({ descriptor, resumed }: LogOutputDeps) {
    this.#target = openNonBlocking(descriptor)
    this.#resumed = resumed
  }

  /** Writes lines now, or keeps them until they can be written. */
  write(text: string): void {
    const bytes = Buffer.from(text)
    if (this.#droppedLines > 0) {
      this.#droppedLines += countLines(bytes)
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#retry === undefined) this.#writeOrRetry()
    if (this.#waitingBytes > maxWaitingBytes) this.#dropExcess()
  }

  /** For the end of the process: writes what waits, also if a reader needs a moment. */
  end(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    const deadline = performance.now() + endMilliseconds
    while (this.#writeWaiting() === 'EAGAIN' && performance.now() < deadline) pause(endPauseMilliseconds)
    if (this.#waitingBytes === 0) this.#reportDropped()
  }

  #writeOrRetry(): void {
    this.#retry = undefined
    const before = this.#waitingBytes
    if (this.#writeWaiting() === undefined) {
      this.#delay = retryMilliseconds.first
      this.#reportDropped()
      return
    }
    const hasProgress = this.#waitingBytes < before
    this.#delay = hasProgress ? retryMilliseconds.first : Math.min(this.#delay * 2, retryMilliseconds.longest)
    this.#retry = setTimeout(() => this.#writeOrRetry(), this.#delay).unref()
  }

  /** Writes as much as possible; returns the code of the error that ended it. */
  #writeWaiting(): string | undefined {
    let bytes = this.#joinWaiting()
    let error: string | undefined
    while (bytes.length > 0 && error === undefined) {
      const written = tryWrite(this.#target, bytes)
      if (typeof written === 'number') bytes = bytes.subarray(written)
      else error = written
    }
    this.#keep(bytes)
    return error
  }

  /** Keeps as many complete lines as may wait. */
  #dropExcess(): void {
    const bytes = this.#joinWaiting()
    const end = bytes.lastIndexOf(lineBreak, maxWaitingBytes - 1) + 1
    this.#droppedLines += countLines(bytes.subarray(end))
    this.#keep(bytes.subarray(0, end))
  }

  #joinWaiting(): Buffer {
    const [first] = this.#waiting
    return first && this.#waiting.length === 1 ? first : Buffer.concat(this.#waiting)
  }

  #keep(bytes: Buffer): void {
    this.#waiting = bytes.length > 0 ? [bytes] : []
    this.#waitingBytes = bytes.length
  }

  #reportDropped(): void {
    const lines = this.#droppedLines
    this.#droppedLines = 0
    if (lines > 0) this.#resumed(lines)
  }
}

/** Makes a stream of Node write to the output, for `console.log()` in commands and warnings of Node. */
export function redirect(stream: NodeJS.WritableStream, output: LogOutput): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    output.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const callback = rest.at(-1)
    if (typeof callback === 'function') process.nextTick(() => callback())
    return true
  }
}

/** The number of bytes that were written, or the code of the error. */
function tryWrite(target: number, bytes: Buffer): number | string {
  try {
    return writeSync(target, bytes)
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}

const lineBreak = 10

function countLines(bytes: Buffer): number {
  let lines = 0
  for (const byte of bytes) if (byte === lineBreak) lines += 1
  return lines
}

const pause = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/**
 * A descriptor of the same output that does not block. Pipes and terminals are opened once more: the flag would change
 * the descriptions that other processes share, such as the shell.
 */
function openNonBlocking(descriptor: number): number {
  try {
    // With bigint, because Node looks at the numbers of the last call without it when it follows links to packages: after
    // those of a pipe it does not follow them, and loads a package twice, once without its exports.
    const stats = fstatSync(descriptor, { bigint: true })
    // Written at offset 0 if it were opened again, and never waits for a reader.
    if (stats.isFile()) return descriptor
    if (stats.isFIFO() || stats.isCharacterDevice()) return openAgain(descriptor)
  } catch {
    // A closed descriptor, or an output of another user: as it is.
  }
  // A socket cannot be opened again. Node sets the flag when it creates its stream.
  void (descriptor === 1 ? process.stdout : process.stderr).writable
  return descriptor
}

/** Throws for an output of another user, and for a pipe without a reader. */
function openAgain(descriptor: number): number {
  const target = openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  if (target > 2) return target
  // A standard descriptor that was closed: others may expect it to be free.
  closeSync(target)
  return descriptor
}
