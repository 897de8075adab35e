// Creates files and folders that programs of other users read, such as a TFTP server, with any umask of the daemon.
import { chmodSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const fileMode = 0o644
const folderMode = 0o755

/** Creates a folder and those above it; existing ones keep their mode. */
export function makePublicFolder(path: string): void {
  const target = resolve(path)
  const first = mkdirSync(target, { recursive: true })
  if (first === undefined) return
  for (let folder = target; folder !== dirname(first); folder = dirname(folder)) chmodSync(folder, folderMode)
}

/** Throws when the file exists. */
export function writePublicFile(path: string, text: string): void {
  const file = openSync(path, 'wx', fileMode)
  try {
    writeFileSync(file, text)
    if ((fstatSync(file).mode & fileMode) !== fileMode) fchmodSync(file, fileMode)
  } finally {
    closeSync(file)
  }
}
