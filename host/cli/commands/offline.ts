// `fleet serve` starts the daemon, `fleet check-commands` checks command files without one.
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { inFile, message } from '../../log/log.ts'
import { resolveConflicts } from '../../modules/conflicts.ts'
import { describeModule } from '../../modules/describe-module.ts'
import { isModuleFile, listModuleFiles } from '../../modules/module-files.ts'
import type { TrackedFile } from '../../modules/tracked-file.ts'
import { builtInFolder, mainFile } from '../installation.ts'
import { subcommand } from './subcommand.ts'
import { configOption } from './subcommand-options.ts'

export const serve = subcommand({
  command: 'serve',
  description: 'start the daemon in this terminal; SIGTERM or Ctrl-C stops it',
  options: configOption,
  /** In this process, so that signals and the service manager reach the daemon itself. */
  async run(_context, { config }) {
    process.argv = [process.execPath, mainFile, ...(config === undefined ? [] : ['--config', config])]
    // `fleet` exits when its output is closed; the daemon has its own handling.
    process.stdout.removeAllListeners('error')
    await import(mainFile)
  },
})

export const checkCommands = subcommand({
  command: 'check-commands <files...>',
  argument: 'command files, or folders of command files',
  description: 'load and check command files as the daemon does',
  async run({ print, fail }, _flags, paths) {
    const failures = await checkFiles(paths, print)
    const { stop } = await import('esbuild')
    await stop()
    if (failures > 0) fail()
  },
})

/** Prints a line for each file, with the daemon's error messages. Resolves with the number of errors. */
async function checkFiles(paths: string[], print: (line: string) => void): Promise<number> {
  const files = new Set<string>()
  const errors: string[] = []
  for (const path of paths) {
    try {
      for (const file of await listFiles(path)) files.add(file)
    } catch (error) {
      errors.push(message(error))
    }
  }
  const tracked = await loadWithBuiltIn([...files])
  for (const line of errors) print(line)
  const checked = tracked.filter(({ file }) => files.has(file))
  for (const { file, problem, served } of checked)
    print(
      served && problem === undefined
        ? `${file}: ${served.name} ${describeModule(served)}`
        : inFile(file, problem ?? ''),
    )
  return errors.length + checked.filter(({ problem }) => problem !== undefined).length
}

/** A path is a command file, or a folder whose direct command files are meant. */
async function listFiles(path: string): Promise<string[]> {
  const absolute = realpathSync(resolve(path))
  if (statSync(absolute).isDirectory()) {
    const result = await listModuleFiles(absolute)
    if ('problem' in result) throw new Error(`${path}: ${result.problem}`)
    return result.files
  }
  if (isModuleFile(basename(absolute))) return [absolute]
  throw new Error(`${path}: not a command file (.ts, .mts, .js, .mjs; names with _ or . in front are no commands)`)
}

/** The built-in files are loaded too, as their routes and names are taken. */
async function loadWithBuiltIn(files: string[]): Promise<TrackedFile[]> {
  // Loaded here because it loads esbuild and Ajv, which no other subcommand should wait for.
  const { TrackedFile } = await import('../../modules/tracked-file.ts')
  const builtIn = (await listFiles(builtInFolder)).filter(file => !files.includes(file))
  const tracked: TrackedFile[] = []
  for (const file of [...builtIn, ...files]) {
    const origin = dirname(file) === builtInFolder ? 'built-in' : 'site'
    const next = new TrackedFile({ file, origin, sequence: tracked.length, pass: 0 })
    await next.load()
    tracked.push(next)
  }
  for (const [file, resolution] of resolveConflicts(tracked)) file.resolve(resolution)
  return tracked
}
