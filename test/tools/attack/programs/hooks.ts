// Attacks on what hooks are promised: daemons of their own are killed at random moments while callers store jobs.
import { killWithHook } from '../../../harness/hook-kills.ts'
import { postgresPrograms, startPostgres } from '../../../harness/postgres.ts'
import type { Attack, Findings, Target } from '../attack.ts'
import { createRandom } from '../mutate.ts'

const rounds = 50

async function findLosses({ seed, progressed }: Target, store?: object): Promise<Findings> {
  const kills = { rounds, random: createRandom(seed), store, onProgress: progressed }
  const { stored, missing, again, outOfOrder } = await killWithHook(kills)
  return {
    figures: `${rounds} times killed, ${stored} jobs stored, ${again} calls again`,
    problems: [
      stored === 0 && 'no job was stored',
      missing.length > 0 && `the hook missed ${missing.length} jobs, such as ${missing[0]}`,
      outOfOrder > 0 && `${outOfOrder} jobs came after a later one of the same caller`,
    ],
  }
}

/** The attacked daemon is another one, which only shares the processor. The time is that of one round. */
const common = { seconds: 120, bounds: { p99: 5_000 } }

export const hookAttacks: Attack[] = [
  {
    name: 'hook-kills',
    summary: `kill -9 at ${rounds} random moments of a daemon with a hook and 8 callers, with files`,
    ...common,
    run: findLosses,
  },
  {
    name: 'hook-kills-postgres',
    summary: 'the same with PostgreSQL',
    ...common,
    missing: postgresPrograms === undefined ? 'PostgreSQL' : undefined,
    async run(target) {
      const server = await startPostgres({ fsync: true })
      try {
        return await findLosses(target, server.storeOptions('hooks'))
      } finally {
        await server.stop()
      }
    },
  },
]
