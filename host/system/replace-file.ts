// Replaces a small file of the daemon's own as a whole: a reader never sees half of it.
import { closeSync, fchownSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './file-system.ts'

/**
 * Only the owner may read it, who is that of the old file, or of the folder: root may do this for the daemon's user.
 * `flush`: it is on the disk when this returns. Throws the system's error; then the file is as before.
 */
export function replaceFile(path: string, text: string, { mode = 0o600, flush = false } = {}): void {
  const folder = dirname(path)
  const unfinished = `${path}.tmp`
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(folder)
  // What a killed process has left may have another mode.
  rmSync(unfinished, { force: true })
  try {
    withDescriptor(openSync(unfinished, 'wx', mode), descriptor => {
      writeFileSync(descriptor, text)
      // By descriptor: the folder's owner could put a link in the place of the file.
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
      if (flush) fsyncSync(descriptor)
    })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
  if (flush) syncFolder(folder)
}

/** It is gone from the disk when this returns. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
  syncFolder(dirname(path))
}

function withDescriptor(descriptor: number, work: (descriptor: number) => void): void {
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
