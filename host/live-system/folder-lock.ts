// Keeps two processes from changing the folder of the live systems at the same time.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { hasCode } from '../system/file-system.ts'

/**
 * One change of the folder at a time: a name in the kernel, which is free again when this process ends in any way.
 * Rejects while another process has it. To be closed.
 */
export async function lockFolder(folder: string): Promise<Server> {
  const server = createServer()
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  try {
    await once(server.listen(`\0fleet-live-${name}`), 'listening')
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error
    throw new Error(`${folder}: expected no build of a live system, got one that is running`)
  }
  return server.unref()
}
