// Finds the daemon's address and token: flags, environment, the person's own file, what a fresh daemon has.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { message } from '../../system/log.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { usageError } from '../terminal/failure.ts'

export interface Settings {
  url: URL
  token: string
}

type Given = { url?: string; token?: string }

const usualUrl = 'http://127.0.0.1:8888'
const keys = ['url', 'token']

/** Address and token are looked for each on its own: one may be a flag and the other stand in the file. */
export function findSettings(flags: Given, environment: NodeJS.ProcessEnv): Settings {
  const fromEnvironment = { url: environment.FLEET_URL, token: environment.FLEET_API_TOKEN }
  const file = readFile(configFile(environment))
  const first = (key: keyof Given) => flags[key] || fromEnvironment[key] || file[key]
  return { url: parseUrl(first('url') ?? usualUrl), token: (first('token') ?? tokenHere()).trim() }
}

const configFile = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv) =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'fleet', 'config.json')

function readFile(file: string): Given {
  const text = read(file)
  if (text === undefined) return {}
  try {
    const given: unknown = JSON.parse(text)
    if (!(given instanceof Object) || Array.isArray(given))
      throw new Error('expected {"url": "…", "token": "…"}, got something else')
    for (const [key, value] of Object.entries(given)) {
      if (!keys.includes(key)) throw new Error(unknownKey(key, keys))
      if (typeof value !== 'string') throw new Error(`${key}: expected a string, got ${value}`)
    }
    return given
  } catch (error) {
    throw usageError(`${file}: ${message(error)}`)
  }
}

/** The token of a daemon that was started in this folder; it may be another person's file. */
const tokenHere = () => read(join('data', 'api_token')) ?? ''

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parseUrl(text: string): URL {
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw usageError(`--url: expected ${usualUrl}, got ${text}`)
}
