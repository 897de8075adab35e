// `fleet store`: backup, restore, check, repair, copy and import of the store, without a daemon.
import type { Command } from 'commander'
import { createLog, message } from '../../log/log.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { addImportOgadmbd } from './import-ogadmbd.ts'
import { addConfigOption, readOptions } from './shared-options.ts'
import type { TaskDeps, TaskResult } from './store-tasks.ts'

type StoreTasks = typeof import('./store-tasks.ts')
type RunTask = (tasks: StoreTasks, deps: TaskDeps) => Promise<TaskResult>

interface ForceFlags {
  force?: boolean
}

interface CopyFlags {
  from?: string
  to: string
}

const forceOption = ['--force', 'replace everything in a store that is not empty'] as const

export function addStore(program: Command, context: CliContext): void {
  const store = program.command('store').description('back up, restore, check, repair, copy or fill the store')
  const run = (command: Command, task: RunTask) => runTask(context, command.optsWithGlobals(), task)
  store
    .command('backup')
    .description('write the whole store to a file, compressed if its name ends in .gz; the daemon may run')
    .argument('<file>')
    .action((file: string, _flags: object, command: Command) => run(command, (tasks, deps) => tasks.backup(deps, file)))
  store
    .command('restore')
    .description('load a backup into an empty store')
    .argument('<file>')
    .option(...forceOption)
    .action((file: string, { force = false }: ForceFlags, command: Command) =>
      run(command, (tasks, deps) => tasks.restore(deps, file, force)),
    )
  store
    .command('check')
    .description('read all files of a stopped store and report damage')
    .action((_flags: object, command: Command) => run(command, (tasks, deps) => tasks.check(deps)))
  store
    .command('repair')
    .description('recover what is readable in damaged files; keeps the damaged files')
    .action((_flags: object, command: Command) => run(command, (tasks, deps) => tasks.repair(deps)))
  store
    .command('copy')
    .description('copy everything to another store; the daemon may run, but its later writes are not copied')
    .option('--from <store>', 'where it is copied from, in the same forms; without it the store of the options')
    .requiredOption('--to <store>', 'lowdb:./folder, postgres://user@host/database, or the JSON of a section "store"')
    .option(...forceOption)
    .action(({ from, to, force = false }: ForceFlags & CopyFlags, command: Command) =>
      run(command, (tasks, deps) => tasks.copy(deps, { from, to, force })),
    )
  addImportOgadmbd(store, context)
  // Also on `store` itself, so that --config may come before the subcommand.
  for (const command of [store, ...store.commands]) addConfigOption(command)
}

async function runTask({ print, fail }: CliContext, { config }: { config?: string }, task: RunTask): Promise<void> {
  try {
    // Loaded here because they load Ajv, which no other subcommand should wait for.
    const [tasks, { store, limits }] = await Promise.all([import('./store-tasks.ts'), readOptions(config)])
    const log = createLog(text => print(text.trimEnd()))
    const { lines, ok } = await task(tasks, { store, limits, log })
    for (const line of lines) print(line)
    if (!ok) fail()
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(message(error))
  }
}
