// Reads a large file for its MD5 in small slices, with pauses, so that other work of the daemon goes first.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Hashed without a pause in about half a millisecond. */
const sliceBytes = 256 * 1024

/** Pauses are so many times as long as the work before: less than a quarter of one core. */
const pauseFactor = 3

/** Work is collected up to this time, because a timer is no more precise. */
const workMilliseconds = 2

export interface DigestOptions {
  signal: AbortSignal
  /** Called after each slice with the bytes read. */
  onProgress?(bytes: number): void
}

/** Resolves to hex digits in lower case. Rejects with the system's error, or when the signal is aborted. */
export async function digestFile(path: string, options: DigestOptions): Promise<string> {
  const file = await open(path)
  try {
    return await digest(file, options)
  } finally {
    await file.close()
  }
}

async function digest(file: FileHandle, { signal, onProgress }: DigestOptions): Promise<string> {
  const hash = createHash('md5')
  const buffer = Buffer.allocUnsafe(sliceBytes)
  let total = 0
  let worked = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, sliceBytes)
    if (bytesRead === 0) return hash.digest('hex')
    const began = performance.now()
    hash.update(buffer.subarray(0, bytesRead))
    worked += performance.now() - began
    total += bytesRead
    onProgress?.(total)
    if (worked < workMilliseconds) continue
    await wait(worked * pauseFactor, undefined, { signal })
    worked = 0
  }
}
