// `fleet console`: prints a link that logs a browser on this computer in to the console.
import type { Command } from 'commander'
import type { LoginLinkAnswer } from '../../contract/answers.ts'
import { findSettings } from '../api/settings.ts'
import type { CliContext } from '../context.ts'

export function addConsoleLink(program: Command, { connect, environment, print }: CliContext): void {
  program
    .command('console')
    .description('print a link that logs a browser on this computer in, once and for a minute')
    .action(async () => {
      const { body } = await connect().call<LoginLinkAnswer>('POST /login/link')
      print(findSettings(program.opts(), environment).url.href.replace(/\/$/, '') + body.path)
    })
}
