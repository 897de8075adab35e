// `fleet check-commands`: loads and checks command files without a daemon.
import type { Command } from 'commander'
import type { CliContext } from '../context.ts'

export function addCheckCommands(program: Command, { print, fail }: CliContext): void {
  program
    .command('check-commands')
    .description('load and check command files as the daemon does')
    .argument('<files...>', 'command files, or folders of command files')
    .action(async (paths: string[]) => {
      // Loaded here because they load esbuild and Ajv, which no other subcommand should wait for.
      const [{ checkFiles }, esbuild] = await Promise.all([import('./check-files.ts'), import('esbuild')])
      const failures = await checkFiles(paths, print)
      await esbuild.stop()
      if (failures > 0) fail()
    })
}
