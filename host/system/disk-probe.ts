// Finds out whether a folder's disk has room for a larger write, for /readyz: smaller ones may still succeed.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../log/log.ts'
import { hasCode } from './file-system.ts'
import type { HealthCheck } from './health.ts'

/** Bytes of the largest request by default, so of what one request makes the store write. */
const probeBytes = 131_072

/** The disk is full, the quota or the longest file is reached, or the disk is broken or read-only. */
const diskErrors = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']

/** Writes a file and removes it. A folder that does not exist or belongs to others, as with some adapters, is not checked. */
export function createDiskProbe(folder: string): HealthCheck {
  const path = join(folder, `.write-check.${process.pid}`)
  return async () => {
    try {
      await rm(path, { force: true })
      // Fails when somebody has put a link of that name there.
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(Buffer.alloc(probeBytes)).finally(() => file.close())
      return undefined
    } catch (error) {
      if (!hasCode(error, ...diskErrors)) return undefined
      return `${folder}: ${probeBytes} bytes cannot be written: ${message(error)}`
    } finally {
      await rm(path, { force: true }).catch(() => {})
    }
  }
}
