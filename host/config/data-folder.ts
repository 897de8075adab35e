// The data folder, option `store.path`, which only the daemon's user may read.
import { chmodSync, mkdirSync } from 'node:fs'

const folderMode = 0o700

/** Leaves a folder as it is that is there already. */
export function createDataFolder(path: string): void {
  // The mode of `mkdirSync` would also apply to the folders above.
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, folderMode)
}
