// The bare writer: a loop of append and fdatasync of one record after another.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { now, serve } from './child.ts'

export type Disk = typeof calls
const calls = serve({
  /** Records a second. */
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
