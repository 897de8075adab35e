// `fleet live`: builds and lists the live systems of this server, in its data folder, without a daemon.
import type { LiveSystem } from '../../live-system/live-folder.ts'
import { message } from '../../log/log.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { formatBar } from '../terminal/progress-bar.ts'
import { type Column, formatTable } from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { configOption, readOptions, yesOption } from './subcommand-options.ts'

const buildOptions = {
  '--name <name>': { text: 'its name', default: 'debian' },
  '--packages <list>': 'further packages of Debian, with commas between them',
  '--mirror <url>': 'the only archive of packages; without it that of Debian with its security updates',
  '--keep-firmware': 'also the firmware of network cards that is not free',
  ...configOption,
} as const

const build = subcommand({
  command: 'build',
  description: 'build a live system from packages of Debian, as root; one of that name is replaced when it is complete',
  options: buildOptions,
  run: (context, flags) => runLocally(flags, (live, folder) => buildSystem(context, flags, live, folder)),
})

async function buildSystem(
  context: CliContext,
  flags: FlagsOf<typeof buildOptions>,
  { buildLiveSystem, bundleAgent }: LiveModules,
  folder: string,
): Promise<void> {
  const { name, packages = '', keepFirmware = false } = flags
  const interrupt = new AbortController()
  const abort = () => interrupt.abort(new Error('interrupted'))
  for (const signal of endSignals) process.once(signal, abort)
  try {
    const { kernel, files, built } = await buildLiveSystem({
      folder,
      name,
      packages: packages.split(',').filter(each => each !== ''),
      archive: flags.mirror,
      keepFirmware,
      agent: await bundleAgent(),
      signal: interrupt.signal,
      onProgress: (percent, line) => context.progress(`${formatBar(percent)} ${Math.floor(percent)} %  ${line}`),
    })
    context.progress('')
    context.print(`${name}: kernel ${kernel}, ${megabytes(files)} MB to load, built ${built}`)
  } finally {
    context.progress('')
    for (const signal of endSignals) process.off(signal, abort)
  }
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const megabytes = (files: Record<string, { size: number }>): number =>
  Math.round(Object.values(files).reduce((sum, { size }) => sum + size, 0) / 1e6)

const list = subcommand({
  command: 'list',
  description: 'list the live systems',
  options: { '--json': 'print JSON: their manifests', ...configOption },
  run: (context, flags) =>
    runLocally(flags, async ({ listLiveSystems }, folder) => {
      const systems = await listLiveSystems(folder)
      if (flags.json) context.printJson(systems)
      else context.print(formatTable(systems, columns, context.width(), 'there is none: fleet live build makes one'))
    }),
})

const columns: readonly Column<LiveSystem>[] = [
  'name',
  { title: 'default', value: ({ isDefault }) => (isDefault ? 'yes' : '') },
  'distribution',
  'kernel',
  { title: 'MB', value: ({ files }) => megabytes(files) },
  'built',
]

const remove = subcommand({
  command: 'delete <name>',
  description: 'delete a live system',
  options: { ...yesOption, ...configOption },
  run: (context, flags, name) =>
    runLocally(flags, async ({ deleteLiveSystem }, folder) => {
      const describe = async () => `Delete the live system ${name}`
      await confirm(context, flags.yes, { where: 'live delete', needsConsent: false, describe })
      await deleteLiveSystem(folder, name)
      context.print(`${name} is deleted`)
    }),
})

const setDefault = subcommand({
  command: 'default <name>',
  description: 'choose the live system of computers for which no other one is set',
  options: configOption,
  run: (context, flags, name) =>
    runLocally(flags, async ({ chooseLiveSystem }, folder) => {
      await chooseLiveSystem(folder, name)
      context.print(`${name} is the default`)
    }),
})

export const live = subcommand({
  command: 'live',
  description: 'build, list and delete the live systems of this server',
  children: [build, list, remove, setDefault],
})

type LiveModules = typeof import('../../live-system/live-folder.ts') &
  typeof import('../../live-system/build.ts') &
  typeof import('../../linux-agent/service.ts')

async function runLocally(
  { config }: { config?: string | undefined },
  task: (live: LiveModules, folder: string) => Promise<void>,
): Promise<void> {
  try {
    // Loaded here because they load esbuild and Ajv, which no other subcommand should wait for.
    const [files, builder, agent, { store }] = await Promise.all([
      import('../../live-system/live-folder.ts'),
      import('../../live-system/build.ts'),
      import('../../linux-agent/service.ts'),
      readOptions(config),
    ])
    await task({ ...files, ...builder, ...agent }, files.liveFolderOf(store.path))
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`live: ${message(error)}`)
  }
}
