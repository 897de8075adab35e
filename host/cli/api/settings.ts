// Finds the daemon's address and token: options, environment, files of the user and of the working directory.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { replaceFile } from '../../system/replace-file.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { orThrow, usageError } from '../cli-error.ts'

export interface Settings {
  url: URL
  token: string
  /** The cookie of `fleet login`, which is sent in place of a token. */
  cookie?: string | undefined
  /** Trusted certificates in PEM form, in place of those that Node trusts: of authorities, or the daemon's own. */
  ca?: string | undefined
  /** `ca` is the certificate of that daemon, and the address need not be one of its names. */
  isPinned?: boolean
}

/** `ca` is a file. */
export type SettingsInput = { url?: string; token?: string; ca?: string }

const defaultUrl = 'http://127.0.0.1:8888'
const keys = ['url', 'token', 'ca']

/** Address and token are looked up separately: one may be an option and the other in the file. */
export function findSettings(options: SettingsInput, environment: NodeJS.ProcessEnv): Settings {
  const variables = { url: environment.FLEET_URL, token: environment.FLEET_API_TOKEN, ca: environment.FLEET_CA }
  const file = readConfigFile(configFile(environment))
  const first = (key: keyof SettingsInput) => options[key] || variables[key] || file[key]
  const url = parseUrl(first('url') ?? defaultUrl)
  const ca = readCertificates(first('ca'))
  // Who has logged in wants to be that user, unless the call names a token itself.
  const cookie = options.token || variables.token ? undefined : readSession(sessionFile(environment), url)
  if (cookie !== undefined) return { url, token: '', cookie, ca }
  return { url, token: (first('token') ?? readLocalToken()).trim(), ca }
}

/** Throws a usage error. */
export function readCertificates(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const toError = (reason: string) => usageError(`--ca: expected a file of certificates, got ${reason}`)
  return orThrow(() => readFileSync(file, 'utf8'), toError)
}

const configFolder = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv) =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'fleet')
const configFile = (environment: NodeJS.ProcessEnv) => join(configFolder(environment), 'config.json')

/** Where `fleet login` keeps its session. */
export const sessionFile = (environment: NodeJS.ProcessEnv): string => join(configFolder(environment), 'session.json')

function readConfigFile(file: string): SettingsInput {
  const text = readIfPossible(file)
  if (text === undefined) return {}
  return orThrow(
    () => parseConfig(file, text),
    reason => usageError(`${file}: ${reason}`),
  )
}

function parseConfig(file: string, text: string): SettingsInput {
  const input: unknown = JSON.parse(text)
  if (!(input instanceof Object) || Array.isArray(input))
    throw new Error('expected {"url": "…", "token": "…", "ca": "…"}, got another JSON value')
  for (const [key, value] of Object.entries(input)) {
    if (!keys.includes(key)) throw new Error(unknownKey(key, keys))
    if (typeof value !== 'string') throw new Error(`${key}: expected a string, got ${value}`)
  }
  const settings: SettingsInput = input
  // A path is relative to the file.
  return settings.ca === undefined ? settings : { ...settings, ca: resolve(dirname(file), settings.ca) }
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

/** `http://` may be left out. Throws a usage error. */
export function parseUrl(text: string): URL {
  const withProtocol = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(withProtocol) ? new URL(withProtocol) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw usageError(`--url: expected an address such as ${defaultUrl}, got ${text}`)
}

/** Undefined when there is none for this daemon: a cookie is never sent to another one. */
export function readSession(file: string, { href }: URL): string | undefined {
  try {
    const session: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!(session instanceof Object) || !('url' in session) || !('cookie' in session)) return undefined
    return session.url === href && typeof session.cookie === 'string' ? session.cookie : undefined
  } catch {
    return undefined
  }
}

export function writeSession(file: string, { href }: URL, cookie: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify({ url: href, cookie })}\n`)
}

export const deleteSession = (file: string): void => rmSync(file, { force: true })
