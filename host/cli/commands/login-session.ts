// `fleet login`, `logout`, `me` and `console`: sessions in place of a token, and who the daemon takes the caller for.
import type { Command } from 'commander'
import type { CallerAnswer, LoginLinkAnswer } from '../../contract/answers.ts'
import { createApiClient } from '../api/client.ts'
import { deleteSession, findSettings, readSession, sessionFile, writeSession } from '../api/settings.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { createPlaceNames } from './account-places.ts'
import { addRead } from './add-read.ts'
import { readPassword } from './read-password.ts'

export function addLoginSession(program: Command, context: CliContext): void {
  program
    .command('login')
    .description('log in as a user; later calls need no token until fleet logout')
    .option('--user <name>', 'default: your name on this computer')
    .action(({ user }: { user?: string }) => logIn(program, context, user ?? context.environment.USER))
  program
    .command('logout')
    .description('end the session of fleet login')
    .action(() => logOut(program, context))
  addRead(program, context, {
    name: 'me',
    description: 'show who the daemon takes you for, and what you may do',
    read: 'GET /me',
    async format(caller: CallerAnswer) {
      const describe = await createPlaceNames(context.connect())
      return `${caller.name}, role ${caller.role}, rooms: ${describe(caller)}`
    },
  })
  program
    .command('console')
    .description('print a link that logs a browser on this computer in, once and for a minute')
    .action(async () => {
      const { body } = await context.connect().call<LoginLinkAnswer>('POST /login/link')
      context.print(findSettings(program.opts(), context.environment).url.href.replace(/\/$/, '') + body.path)
    })
}

async function logIn(program: Command, context: CliContext, name: string | undefined): Promise<void> {
  if (!name) throw usageError('--user: expected a name, got none')
  const { environment, print, printError } = context
  const settings = findSettings(program.opts(), environment)
  const { url } = settings
  const password = await readPassword(context, [`Password of ${name} at ${url.host}:`])
  // Without a token: a session is for who has none.
  const client = createApiClient({ ...settings, token: '', cookie: undefined })
  const { body, cookie } = await client
    .call<CallerAnswer>('POST /login', { name, password })
    .catch(error => {
      if (!(error instanceof CliError)) throw error
      if (error.status === 401) throw new CliError('login: wrong name or password (401)')
      if (error.status === 403) throw new CliError(refusedName(url.hostname))
      throw error
    })
    .finally(() => client.close())
  if (cookie === undefined) throw new CliError(`${url.origin}: expected a cookie, got none`)
  writeSession(sessionFile(environment), url, cookie)
  print(`logged in at ${url.origin} as ${body.name}, role ${body.role}`)
  if (environment.FLEET_API_TOKEN)
    printError('fleet: warning: FLEET_API_TOKEN is set, and is used in place of the session')
}

/** The daemon accepts sessions for some names of its server only. */
const refusedName = (name: string): string =>
  `login: the daemon refuses sessions for ${name}: use its address, or add it to rest.names`

async function logOut(program: Command, { environment, print }: CliContext): Promise<void> {
  const settings = findSettings(program.opts(), environment)
  const { url } = settings
  const file = sessionFile(environment)
  const cookie = readSession(file, url)
  if (cookie === undefined) return print(`not logged in at ${url.origin}`)
  deleteSession(file)
  const client = createApiClient({ ...settings, token: '', cookie })
  await client.call('POST /logout').finally(() => client.close())
  print(`logged out at ${url.origin}`)
}
