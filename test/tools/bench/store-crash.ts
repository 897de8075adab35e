// Kills a process with 8 writers at random moments, many times, then the server of its store, and counts lost writes.
// Usage: node --import tsx test/tools/bench/store-crash.ts [--store postgres] [--rounds 50] [--server-rounds 20]
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import openPostgres from '../../../stores/postgres/index.ts'
import type { StoreOptions } from '../../../stores/store.ts'
import { crash, type Outcome, type Victim } from '../../conformance/crashes.ts'
import { addLab } from '../../conformance/samples.ts'
import { startPostgres } from '../../harness/postgres.ts'
import { newFolder, openIn, silent } from '../../harness/store-folders.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'lowdb' },
    rounds: { type: 'string', default: '50' },
    /** Kills of the server; only of PostgreSQL. */
    'server-rounds': { type: 'string', default: '20' },
  },
})

function report({ rounds, acknowledged, lost, partial }: Outcome): void {
  if (rounds % 10 === 0) console.log(`${rounds} rounds: ${acknowledged} acknowledged, ${lost} lost, ${partial} in part`)
}

async function run(adapter: string, options: StoreOptions, rounds: number, victim?: Victim): Promise<void> {
  console.log(victim ? 'kills of the server' : 'kills of the writing process')
  const { lost, partial } = await crash(adapter, options, rounds, report, victim)
  if (lost + partial > 0) process.exitCode = 1
}

async function runLowdb(): Promise<void> {
  // Small journals, so that some kills happen during a snapshot.
  const { adapter, options, store } = await openIn(await newFolder(), { journal_bytes: 50_000 })
  await addLab(store)
  await store.close()
  await run(adapter, options, Number(values.rounds))
  await rm(options.path, { recursive: true })
}

async function runPostgres(): Promise<void> {
  const server = await startPostgres({ fsync: true })
  const adapter = fileURLToPath(new URL('../../../stores/postgres/index.ts', import.meta.url))
  const victim = { kill: () => server.kill(), start: () => server.start() }
  const all = [
    { rounds: Number(values.rounds), victim: undefined },
    { rounds: Number(values['server-rounds']), victim },
  ]
  try {
    for (const [index, { rounds, victim }] of all.entries()) {
      // The writers of each part begin anew.
      const options = { ...server.storeOptions(`crash_${index}`), path: '' }
      const store = await openPostgres(options, silent)
      await addLab(store)
      await store.close()
      await run(adapter, options, rounds, victim)
    }
  } finally {
    await server.stop()
  }
}

await (values.store === 'postgres' ? runPostgres() : runLowdb())
