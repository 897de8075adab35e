// Finds the daemon's address and token: options, environment, the user's configuration file, the working directory.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { message } from '../../system/log.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { usageError } from '../cli-error.ts'

export interface Settings {
  url: URL
  token: string
}

type SettingsInput = { url?: string; token?: string }

const defaultUrl = 'http://127.0.0.1:8888'
const keys = ['url', 'token']

/** Address and token are looked up separately: one may be an option and the other in the file. */
export function findSettings(options: SettingsInput, environment: NodeJS.ProcessEnv): Settings {
  const variables = { url: environment.FLEET_URL, token: environment.FLEET_API_TOKEN }
  const file = readConfigFile(configFile(environment))
  const first = (key: keyof SettingsInput) => options[key] || variables[key] || file[key]
  return { url: parseUrl(first('url') ?? defaultUrl), token: (first('token') ?? readLocalToken()).trim() }
}

const configFile = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv) =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'fleet', 'config.json')

function readConfigFile(file: string): SettingsInput {
  const text = readIfPossible(file)
  if (text === undefined) return {}
  try {
    const input: unknown = JSON.parse(text)
    if (!(input instanceof Object) || Array.isArray(input))
      throw new Error('expected {"url": "…", "token": "…"}, got another JSON value')
    for (const [key, value] of Object.entries(input)) {
      if (!keys.includes(key)) throw new Error(unknownKey(key, keys))
      if (typeof value !== 'string') throw new Error(`${key}: expected a string, got ${value}`)
    }
    return input
  } catch (error) {
    throw usageError(`${file}: ${message(error)}`)
  }
}

/** The token of a daemon that was started in the working directory. */
const readLocalToken = () => readIfPossible(join('data', 'api_token')) ?? ''

/** Undefined when the file is absent, or belongs to somebody else. */
function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parseUrl(text: string): URL {
  const withProtocol = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(withProtocol) ? new URL(withProtocol) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw usageError(`--url: expected an address such as ${defaultUrl}, got ${text}`)
}
