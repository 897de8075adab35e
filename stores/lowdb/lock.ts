// The kernel's lock on the folder: it ends with the process that holds it, however that ends.
import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The package brings no types.
const native: { tryLock(fd: number): boolean } = createRequire(import.meta.url)('fs-native-extensions')

/** Gives the function that unlocks. Rejects when another process holds the lock. */
export async function lock(path: string): Promise<() => Promise<void>> {
  const name = join(path, 'lock')
  const handle = await open(name, 'a')
  if (!native.tryLock(handle.fd)) {
    await handle.close()
    const holder = (await readFile(name, 'utf8')).trim() || 'unknown'
    throw new Error(`store: ${path} is in use by process ${holder}; stop it, or choose another path`)
  }
  // Only for the line above: a full disk is no reason not to start.
  await handle.truncate().catch(() => {})
  await handle.write(`${process.pid}\n`).catch(() => {})
  return () => handle.close()
}
