// `fleet serve` starts the daemon, `fleet check-commands` checks command files without one.
import { mainFile } from '../installation.ts'
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
    // Loaded here because they load esbuild and Ajv, which no other subcommand should wait for.
    const [{ checkFiles }, esbuild] = await Promise.all([import('./check-files.ts'), import('esbuild')])
    const failures = await checkFiles(paths, print)
    await esbuild.stop()
    if (failures > 0) fail()
  },
})
