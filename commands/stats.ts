// Reads the server's clock, memory and swap.
import { readFile } from 'node:fs/promises'
import { freemem, totalmem, uptime } from 'node:os'
import type { Command } from 'fleet-host'

export default {
  summary: 'Read time, memory and swap of the server',
  route: 'GET /stats',
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
