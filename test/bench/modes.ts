// Gives many computers a new boot mode in one request, again and again, and prints what that costs the daemon.
//
//   node --import tsx test/bench/modes.ts [--computers 2000] [--rounds 5]
//
// ext4 without a journal passes over each inode that was deleted in the last minutes when it looks for a free one, so
// there the figure tells what else was deleted lately; TMPDIR=/dev/shm, or any file system with a journal, does not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cpu, type Daemon, spent, startDaemon } from './daemon.ts'

export interface Written extends Cpu {
  mode: string
  /** Milliseconds until the caller has its answer. */
  answered: number
  /** Files of that mode that lie there then. */
  files: number
}

/** Modes with a twin, so that each computer has two files. */
const modes = ['11', '10', 'pxe']

async function measureMode({ call, cpu, addrs, folder }: Daemon, mode: string): Promise<Written> {
  const before = cpu()
  const began = performance.now()
  await call('POST /mode', { clients: addrs, mode })
  const answered = performance.now() - began
  const used = spent(before, cpu())
  const files = ['menu.lst', 'grub'].flatMap(name => {
    const below = join(folder, 'data/boot', name)
    return readdirSync(below).map(file => readFileSync(join(below, file), 'utf8'))
  })
  const right = files.filter(text => text.startsWith(`##BOOT-TEMPLATE ${mode}\n`))
  return { ...used, mode, answered, files: right.length }
}

export async function measureModes(computers: number, rounds: number): Promise<Written[]> {
  const daemon = await startDaemon(computers)
  try {
    const results: Written[] = []
    for (let round = 0; round < rounds; round += 1) {
      results.push(await measureMode(daemon, modes[round % modes.length] ?? ''))
    }
    return results
  } finally {
    await daemon.stop()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { computers: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
  })
  const computers = Number(values.computers)
  for (const { mode, user, system, answered, files } of await measureModes(computers, Number(values.rounds))) {
    const cpu = `${(user + system).toFixed(2)} s of CPU (${user.toFixed(2)} user, ${system.toFixed(2)} system)`
    console.log(`${computers} computers to ${mode}: ${cpu}, answered in ${answered.toFixed(0)} ms, ${files} files`)
    if (files !== 2 * computers) process.exitCode = 1
  }
}

if (process.argv[1] === import.meta.filename) await main()
