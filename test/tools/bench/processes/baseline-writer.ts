// Baseline of writes: a loop that appends a record and calls fdatasync.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { now, serveParent } from './child-process.ts'

export type BaselineWriter = typeof calls
const calls = serveParent({
  /** Returns records per second. */
  append({ file, size, milliseconds }: { file: string; size: number; milliseconds: number }): number {
    const descriptor = openSync(file, 'a')
    const record = Buffer.alloc(size, 'x')
    const began = now()
    let count = 0
    while (now() - began < milliseconds) {
      writeSync(descriptor, record)
      fdatasyncSync(descriptor)
      count += 1
    }
    const seconds = (now() - began) / 1000
    closeSync(descriptor)
    return count / seconds
  },
})
