// Reads the server's clock, memory and swap.
import { readFile } from 'node:fs/promises'
import { freemem, totalmem, uptime } from 'node:os'
import type { CommandOf } from 'fleet-host'
import { described, integer, like, object } from './_schemas/objects.ts'

const memory = object({ size: like(integer, 33554432000), free: like(integer, 21474836480) })

const returns = object({
  time: object({
    now: described(integer, 'seconds since 1970', 1789372800),
    boot: described(integer, 'seconds since the server started', 864000),
    start: described(integer, 'seconds since the daemon started', 7200),
  }),
  memory: described(memory, 'bytes'),
  swap: described(memory, 'bytes'),
})

export default {
  summary: 'Read time, memory and swap of the server',
  group: 'Server',
  route: 'GET /stats',
  returns,
  scoped: true,
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
} satisfies CommandOf<{ returns: typeof returns }>
