// Measures requests that set a new boot mode for many computers.
//
//   node --import tsx test/tools/bench/modes.ts [--computers 2000] [--rounds 5]
//
// ext4 without a journal skips recently deleted inodes when it searches for a free one, so that earlier deletions distort
// the result there. Use TMPDIR=/dev/shm, or a file system with a journal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cpu, type Daemon, spent, startDaemon } from './daemon.ts'

export interface ModeResult extends Cpu {
  mode: string
  /** Milliseconds until the response. */
  responded: number
  /** Boot files of that mode after the request. */
  files: number
}

/** Modes with a UEFI twin, so that each computer has two files. */
const modes = ['11', '10', 'pxe']

async function measureMode({ call, cpu, addrs, folder }: Daemon, mode: string): Promise<ModeResult> {
  const before = cpu()
  const began = performance.now()
  await call('POST /mode', { clients: addrs, mode })
  const responded = performance.now() - began
  const used = spent(before, cpu())
  const files = ['menu.lst', 'grub'].flatMap(name => {
    const path = join(folder, 'data/boot', name)
    return readdirSync(path).map(file => readFileSync(join(path, file), 'utf8'))
  })
  const matching = files.filter(text => text.startsWith(`##BOOT-TEMPLATE ${mode}\n`))
  return { ...used, mode, responded, files: matching.length }
}

export async function measureModes(computers: number, rounds: number): Promise<ModeResult[]> {
  const daemon = await startDaemon(computers)
  try {
    const results: ModeResult[] = []
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
  for (const { mode, user, system, responded, files } of await measureModes(computers, Number(values.rounds))) {
    const cpu = `${(user + system).toFixed(2)} s of CPU (${user.toFixed(2)} user, ${system.toFixed(2)} system)`
    console.log(`${computers} computers to ${mode}: ${cpu}, response in ${responded.toFixed(0)} ms, ${files} files`)
    if (files !== 2 * computers) process.exitCode = 1
  }
}

if (process.argv[1] === import.meta.filename) await main()
