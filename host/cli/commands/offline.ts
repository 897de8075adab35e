// `fleet serve` starts the daemon, `fleet check-commands` checks module files without one.
import type { LoadedModule } from '../../contract/loaded-module.ts'
import { inFile } from '../../log/log.ts'
import { describeModule } from '../../modules/describe-module.ts'
import { scoreOf } from '../../modules/score.ts'
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
  argument: 'files, folders of files, or folders of packs',
  description: 'load and check commands, hooks, views and packs as the daemon does',
  options: { '--score': 'also say how complete each file is: bronze works, silver is described, gold has a test, too' },
  async run({ print, fail }, { score }, paths) {
    const failures = await checkFiles(paths, print, score === true)
    const { stop } = await import('esbuild')
    await stop()
    if (failures > 0) fail()
  },
})

/** Prints a line for each file, with the daemon's error messages. Resolves with the number of errors. */
async function checkFiles(paths: string[], print: (line: string) => void, withScore: boolean): Promise<number> {
  // Loaded here because it loads esbuild and Ajv, which no other subcommand should wait for.
  const { loadPaths } = await import('../../modules/load-paths.ts')
  const { files, problems } = await loadPaths(paths, builtInFolder)
  for (const line of problems) print(line)
  for (const tracked of files) {
    const { file, notice, problem } = tracked
    print(problem === undefined ? describeFile(tracked) : inFile(file, problem))
    if (notice !== undefined) print(inFile(file, notice))
    if (withScore && tracked.served && problem === undefined) print(describeScore(tracked.served))
  }
  return problems.length + files.filter(({ problem }) => problem !== undefined).length
}

function describeFile({ file, served, place }: TrackedFile): string {
  return served
    ? `${file}: ${served.name} ${describeModule(served)}`
    : `${file}: not in service, as the pack ${place.pack} has an error`
}

function describeScore(loaded: LoadedModule): string {
  const { level, missing } = scoreOf(loaded)
  return `  ${level}${missing.length > 0 ? `, missing ${missing.join(', ')}` : ''}`
}
