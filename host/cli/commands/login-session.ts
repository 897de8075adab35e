// `fleet login`, `logout`, `me` and `console`: sessions in place of a token, and who the daemon takes the caller for.
import { loginInBrowser } from '../api/browser-login.ts'
import { createApiClient } from '../api/client.ts'
import { deleteSession, findSettings, readSession, type Settings, sessionFile, writeSession } from '../api/settings.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { readPassword } from './change-password.ts'
import { createScopeNames } from './manage-accounts.ts'
import { read, subcommand } from './subcommand.ts'

const login = subcommand({
  command: 'login',
  description: 'log in as a user; later calls need no token until fleet logout',
  options: {
    '--user <name>': 'default: your name on this computer',
    '--sso': 'in a browser on this computer, at the provider of the daemon',
  },
  async run(context, { user, sso }) {
    const { environment, programOptions, print, printError } = context
    if (sso && user !== undefined) throw usageError('--sso: expected no --user with it, got both')
    const settings = findSettings(programOptions(), environment)
    const { url } = settings
    const show = (address: string) => print(`open this address in a browser on this computer:\n${address}`)
    const login = sso ? loginInBrowser(settings, show) : loginByPassword(context, settings, user ?? environment.USER)
    const { body, cookie } = await login.catch(error => {
      // A reason says that it was the provider's person, and not the name of the server.
      const isName = error instanceof CliError && error.status === 403 && error.message.endsWith('(403)')
      throw isName ? new CliError(refusedName(url.hostname)) : error
    })
    if (cookie === undefined) throw new CliError(`${url.origin}: expected a cookie, got none`)
    writeSession(sessionFile(environment), url, cookie)
    print(`logged in at ${url.origin} as ${body.name}, role ${body.role}`)
    if (environment.FLEET_API_TOKEN)
      printError('fleet: warning: FLEET_API_TOKEN is set, and is used in place of the session')
  },
})

async function loginByPassword(context: CliContext, settings: Settings, name: string | undefined) {
  if (!name) throw usageError('--user: expected a name, got none')
  const password = await readPassword(context, [`Password of ${name} at ${settings.url.host}:`])
  // Without a token: a session is for who has none.
  const client = createApiClient({ ...settings, token: '', cookie: undefined })
  return client
    .call('POST /login', { name, password })
    .catch(error => {
      if (error instanceof CliError && error.status === 401) throw new CliError('login: wrong name or password (401)')
      throw error
    })
    .finally(() => client.close())
}

/** The daemon accepts sessions for some names of its server only. */
const refusedName = (name: string): string =>
  `login: the daemon refuses sessions for ${name}: use its address, or add it to rest.names`

const logout = subcommand({
  command: 'logout',
  description: 'end the session of fleet login',
  async run({ environment, programOptions, print }) {
    const settings = findSettings(programOptions(), environment)
    const { url } = settings
    const file = sessionFile(environment)
    const cookie = readSession(file, url)
    if (cookie === undefined) return print(`not logged in at ${url.origin}`)
    deleteSession(file)
    const client = createApiClient({ ...settings, token: '', cookie })
    await client.call('POST /logout').finally(() => client.close())
    print(`logged out at ${url.origin}`)
  },
})

const me = read({
  command: 'me',
  description: 'show who the daemon takes you for, and what you may do',
  read: 'GET /me',
  async format(caller, { context }) {
    const describe = await createScopeNames(context.connect())
    return `${caller.name}, role ${caller.role}, rooms: ${describe(caller)}`
  },
})

const openConsole = subcommand({
  command: 'console',
  description: 'print a link that logs a browser on this computer in, once and for a minute',
  async run({ connect, environment, programOptions, print }) {
    const { body } = await connect().call('POST /login/link')
    print(findSettings(programOptions(), environment).url.href.replace(/\/$/, '') + body.path)
  },
})

export const sessionCommands = [login, logout, me, openConsole]
