// `fleet store`: backup, restore, check, repair, copy and import of the store, without a daemon.
import { createLog, message } from '../../log/log.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { importOgadmbd } from './import-ogadmbd.ts'
import type { TaskDeps } from './store-tasks.ts'
import { subcommand } from './subcommand.ts'
import { configOption, readOptions } from './subcommand-options.ts'

const forceOption = { '--force': 'replace everything in a store that is not empty' } as const

const backup = subcommand({
  command: 'backup <file>',
  description: 'write the whole store to a file, compressed if its name ends in .gz; the daemon may run',
  options: configOption,
  run: (context, { config }, file) => runTask(context, config, (tasks, deps) => tasks.backup(deps, file)),
})

const restore = subcommand({
  command: 'restore <file>',
  description: 'load a backup into an empty store',
  options: { ...forceOption, ...configOption },
  run: (context, { config, force = false }, file) =>
    runTask(context, config, (tasks, deps) => tasks.restore(deps, file, force)),
})

const check = subcommand({
  command: 'check',
  description: 'read all files of a stopped store and report damage',
  options: configOption,
  run: (context, { config }) => runTask(context, config, (tasks, deps) => tasks.check(deps)),
})

const repair = subcommand({
  command: 'repair',
  description: 'recover what is readable in damaged files; keeps the damaged files',
  options: configOption,
  run: (context, { config }) => runTask(context, config, (tasks, deps) => tasks.repair(deps)),
})

const copy = subcommand({
  command: 'copy',
  description:
    'copy everything to another store, and say how much; warns while a daemon runs, whose later writes are not copied',
  options: {
    '--from <store>': 'where it is copied from, in the same forms; without it the store of the options',
    '--to <store>': {
      text: 'lowdb:./folder, postgres://user@host/database, or the JSON of a section "store"',
      required: true,
    },
    ...forceOption,
    ...configOption,
  },
  run: (context, { config, from, to, force = false }) =>
    runTask(context, config, (tasks, deps) => tasks.copy(deps, { from, to, force })),
})

export const store = subcommand({
  command: 'store',
  description: 'back up, restore, check, repair, copy or fill the store',
  // Here too, so that --config may come before the subcommand.
  options: configOption,
  children: [backup, restore, check, repair, copy, importOgadmbd],
})

async function runTask(
  { print, printError, fail }: CliContext,
  config: string | undefined,
  task: (tasks: typeof import('./store-tasks.ts'), deps: TaskDeps) => Promise<unknown>,
): Promise<void> {
  try {
    // Loaded here because they load Ajv, which no other subcommand should wait for.
    const [tasks, { store, limits }] = await Promise.all([import('./store-tasks.ts'), readOptions(config)])
    const warn = (line: string) => printError(`fleet: warning: ${line}`)
    const log = createLog(text => print(text.trimEnd()))
    if ((await task(tasks, { store, limits, log, print, warn })) === false) fail()
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(message(error))
  }
}
