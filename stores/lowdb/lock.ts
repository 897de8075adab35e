// Locks the folder with a lock of the kernel, which ends with the process that holds it, even when it is killed.
import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The package has no types.
const native: { tryLock(fd: number): boolean } = createRequire(import.meta.url)('fs-native-extensions')

/** Resolves to the function that unlocks. Rejects when another process holds the lock. */
export async function lock(path: string): Promise<() => Promise<void>> {
  const name = join(path, 'lock')
  const handle = await open(name, 'a')
  if (!native.tryLock(handle.fd)) {
    await handle.close()
    const owner = (await readFile(name, 'utf8')).trim() || 'unknown'
    throw new Error(`store: ${path} is in use by process ${owner}; stop it, or choose another path`)
  }
  // The process id is only for the message above: on a full disk the store must start without it.
  await handle.truncate().catch(() => {})
  await handle.write(`${process.pid}\n`).catch(() => {})
  return () => handle.close()
}
