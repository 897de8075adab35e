// What many connections need of the system and take of it: open files of a process, and memory of the kernel.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

/** Of a process beside its agents: what the daemon keeps free, its store, and callers. */
const otherFiles = 600

/** What the system lacks for a measurement; its message says all. */
export class LimitError extends Error {}

/** Throws before anything starts; Node has raised the soft limit to the hard one. */
export function requireOpenFiles(connections: number): void {
  const [, text = ''] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  const limit = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
  const expected = connections + otherFiles
  if (limit >= expected) return
  const most = Math.floor((limit - otherFiles) / 1000) * 1000
  throw new LimitError(
    `open files: expected a limit of at least ${expected} for ${connections} agents, got ${limit} (ulimit -H -n). ` +
      `Raise it (as root: prlimit --nofile=${expected} npm run bench -- …), or use --agents ${most}`,
  )
}

/** How often a new connection found the queue of those to be accepted full, since the machine has started. */
export function queueOverflows(): number {
  const lines = readFileSync('/proc/net/netstat', 'utf8').split('\n')
  const [names = [], values = []] = lines.filter(line => line.startsWith('TcpExt:')).map(line => line.split(' '))
  return Number(values[names.indexOf('ListenOverflows')])
}

/** Open files of a process; kernels before 6.2 list them, and do not count them. */
export function openFilesOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return statSync(folder).size || readdirSync(folder).length
}

/** Bytes of the whole machine: `slab` are the kernel's objects, `buffers` what sockets have to send or read. */
export function kernelMemory(): { slab: number; buffers: number } {
  const [, kibibytes] = /^Slab:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  const [, pages] = /^TCP: .* mem (\d+)$/m.exec(readFileSync('/proc/net/sockstat', 'utf8')) ?? []
  return { slab: Number(kibibytes) * 1024, buffers: Number(pages) * 4096 }
}

/**
 * Bytes of the kernel's objects by their kind, of the whole machine; empty for users other than root. Kernels that are
 * not started with `slub_nomerge` count kinds of about the same size as one.
 */
export function kernelObjects(): Map<string, number> {
  const file = '/proc/slabinfo'
  if (process.getuid?.() !== 0 || !existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(2)
  const bytesOf = (line: string): [string, number] => {
    const [kind = '', , , , , pages] = line.split(/\s+/)
    const [, slabs] = /: slabdata +\d+ +(\d+)/.exec(line) ?? []
    return [kind, Number(pages) * Number(slabs) * 4096]
  }
  return new Map(lines.map(bytesOf))
}
