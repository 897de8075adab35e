// Reads the server's clock, memory and swap.
import { readFile } from 'node:fs/promises'
import { freemem, totalmem, uptime } from 'node:os'
import type { Command } from 'fleet-host'
import { described, integer, result } from './_result-schemas.ts'

const memory = result({ size: integer, free: integer })
const returns = result({
  time: result({
    now: described(integer, 'seconds since 1970'),
    boot: described(integer, 'seconds since the server started'),
    start: described(integer, 'seconds since the daemon started'),
  }),
  memory: described(memory, 'bytes'),
  swap: described(memory, 'bytes'),
})

export default {
  summary: 'Read time, memory and swap of the server',
  route: 'GET /stats',
  returns,
  async answer() {
    const meminfo = await readFile('/proc/meminfo', 'utf8').catch(() => '')
    // The kernel counts in KiB.
    const bytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0) * 1024
    return {
      time: { now: Math.floor(Date.now() / 1000), boot: Math.floor(uptime()), start: Math.floor(process.uptime()) },
      memory: { size: totalmem(), free: freemem() },
      swap: { size: bytes('SwapTotal'), free: bytes('SwapFree') },
    }
  },
} satisfies Command
