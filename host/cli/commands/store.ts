// The `store` command: backups, a look at the store's files, and the way to another adapter.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Finding, Store, StoreOptions } from '../../../stores/store.ts'
import { loadAdapter } from '../../config/open-store.ts'
import { loadOptions } from '../../config/options.ts'
import { createLog, type Log, message } from '../../system/log.ts'
import { readBackup, writeBackup } from './backup-file.ts'

export const storeUsage = `fleet store <what> [--config OPTIONS], or npm run store -- <what> [--config OPTIONS]

  backup FILE          writes all of the store to a file, packed if its name ends in .gz; the daemon may run
  restore FILE         puts a backup into an empty store; --force replaces what is there
  check                reads all files of a stopped store and tells what is wrong
  repair               saves what can be saved of damaged files; the old ones are kept aside
  copy --to OPTIONS    copies all of it to another store, e.g. --to '{"adapter": "lowdb", "path": "./other"}';
                       the daemon may run, its later writes are not copied; --force replaces what is there
`

interface Given {
  file: string | undefined
  to: string | undefined
  force: boolean
  log: Log
}

interface Outcome {
  lines: string[]
  good: boolean
}

const done = (line: string): Outcome => ({ lines: [line], good: true })
const found = (findings: Finding[]): Outcome => ({
  lines: findings.map(({ ok: good, message: what }) => `${good ? 'good' : 'BAD '}  ${what}`),
  good: findings.every(({ ok: good }) => good),
})

const tasks: Record<string, (store: StoreOptions, given: Given) => Promise<Outcome>> = {
  async backup(from, { file, log }) {
    const name = needed(file, 'backup FILE')
    const count = await using({ ...from, readonly: true }, log, store => writeBackup(name, store.backup.dump()))
    return done(`${count} entries are in ${name}`)
  },
  async restore(into, { file, force, log }) {
    const name = needed(file, 'restore FILE')
    await using(into, log, async store => {
      await refuseFull(store, into, force)
      await store.backup.load(readBackup(name))
    })
    return done(`${name} is restored`)
  },
  async check(store) {
    return found(await (await upkeep(store)).check(store))
  },
  async repair(store) {
    return found(await (await upkeep(store)).repair(store))
  },
  async copy(from, { to, force, log }) {
    const into = target(needed(to, 'copy --to OPTIONS'))
    await using({ ...from, readonly: true }, log, source =>
      using(into, log, async store => {
        await refuseFull(store, into, force)
        await store.backup.load(source.backup.dump())
      }),
    )
    return done(`all of ${from.adapter} ${from.path} is in ${into.adapter} ${into.path}`)
  },
}

function needed(given: string | undefined, what: string): string {
  if (given === undefined) throw new Error(`expected ${what}, got nothing`)
  return given
}

/** Like the section `store` of the options file; its path is relative to the working directory. */
function target(text: string): StoreOptions {
  try {
    const given: Partial<StoreOptions> = JSON.parse(text)
    return { adapter: 'lowdb', ...given, path: resolve(given.path ?? 'data') }
  } catch {
    throw new Error(`--to: expected {"adapter": "lowdb", "path": "./other"}, got ${text}`)
  }
}

async function using<Result>(
  options: StoreOptions,
  log: Log,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { default: open } = await loadAdapter(options)
  const store = await open(options, log)
  return work(store).finally(() => store.close())
}

async function refuseFull(store: Store, { path }: StoreOptions, force: boolean): Promise<void> {
  if (force || (await store.backup.isEmpty())) return
  throw new Error(`the store in ${path} is not empty; --force replaces all that is there`)
}

async function upkeep(store: StoreOptions) {
  const { check, repair } = await loadAdapter(store)
  if (!check || !repair) throw new Error(`${store.adapter} has no files of its own to look at`)
  return { check, repair }
}

type Write = (line: string) => void

/** Resolves with the exit code; what is wrong is told in one line. */
export async function lookAfterStore(argv: string[], print: Write, complain: Write): Promise<0 | 1> {
  try {
    const { lines, good } = await perform(
      argv,
      createLog(text => print(text.trimEnd())),
    )
    for (const line of lines) print(line)
    return good ? 0 : 1
  } catch (error) {
    complain(`store: ${message(error).replace(/^store: /, '')}`)
    return 1
  }
}

async function perform(args: string[], log: Log): Promise<Outcome> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      to: { type: 'string' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return done(storeUsage.trimEnd())
  const [what = 'nothing', file] = positionals
  const task = tasks[what]
  if (!task) throw new Error(`what to do is missing, got ${what}\n\n${storeUsage}`)
  const { to, force } = values
  return task(loadOptions(values.config).options.store, { file, to, force, log })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await lookAfterStore(process.argv.slice(2), console.log, console.error)
