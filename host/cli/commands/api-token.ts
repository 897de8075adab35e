// `fleet token`: prints the API token of a daemon on this machine; `fleet token rotate` replaces it while the daemon runs.
import { setTimeout as wait } from 'node:timers/promises'
import { generateToken, tokenFile } from '../../config/token.ts'
import { type ApiClient, createApiClient } from '../api/client.ts'
import { findSettings } from '../api/settings.ts'
import { CliError, orThrow } from '../cli-error.ts'
import { findToken, localSettings } from './local-daemon.ts'
import { namedTokens } from './manage-accounts.ts'
import { subcommand } from './subcommand.ts'
import { configOption, readOptions } from './subcommand-options.ts'

/** A little more than the time between two looks of the daemon at the file: an earlier check would be logged as a refusal. */
const checkMilliseconds = 1200
const checks = 4

const rotate = subcommand({
  command: 'rotate',
  description: 'write a new token: the daemon uses it at once and refuses the old one',
  options: configOption,
  async run({ print, environment, programOptions }, { config }) {
    const options = await readOptions(config)
    if (options.rest.api_token) {
      const how = 'change it there, then reload the daemon: systemctl reload fleet-host, or SIGHUP'
      throw new CliError(`token rotate: the token is rest.api_token of ${config}; ${how}`)
    }
    const done = `a new token is in ${tokenFile(options)}`
    const settings =
      programOptions().url === undefined ? localSettings(options) : findSettings(programOptions(), environment)
    const token = orThrow(
      () => generateToken(options),
      reason => new CliError(`token rotate: ${reason}`),
    )
    const client = createApiClient({ ...settings, token, cookie: undefined })
    const use = await checkUse(client).finally(() => client.close())
    if (use === 'used') return print(`${done}; the daemon uses it and refuses the old one`)
    if (use !== 'refused') return print(`${done}; could not check that the daemon uses it: ${use}`)
    const reasons = 'is its token FLEET_API_TOKEN, or has it other options?'
    throw new CliError(`token rotate: ${done}, but the daemon at ${settings.url.origin} does not use it; ${reasons}`)
  },
})

/** Waits until the daemon accepts the token. Resolves to the error when it cannot be asked. */
async function checkUse({ call }: ApiClient): Promise<'used' | 'refused' | string> {
  for (let check = 1; ; check += 1) {
    await wait(checkMilliseconds)
    try {
      await call('GET /stats')
      return 'used'
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (error.status !== 401) return error.message
      if (check === checks) return 'refused'
    }
  }
}

export const token = subcommand({
  command: 'token',
  description: 'print the API token of a daemon whose data folder is on this machine',
  options: configOption,
  async run({ print }, { config }) {
    print(findToken(await readOptions(config)))
  },
  children: [rotate, ...namedTokens],
})
