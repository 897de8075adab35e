// The API token: in the environment, the options or the data folder, where the first start generates one. It changes
// while the daemon runs: with its file, and when SIGHUP has read the options again.
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { lookAtFiles } from '../system/file-states.ts'
import { createDataFolder, isNotFound } from '../system/file-system.ts'
import { replaceFile } from '../system/replace-file.ts'
import { type Options, unusableFolder } from './options.ts'

/** The token and its source; `isNew` is true only at the start that generated it. */
interface Token {
  value: string
  origin: string
  isNew: boolean
}

/** The file of a generated token. */
export const tokenFile = ({ store }: Pick<Options, 'store'>): string => join(store.path, 'api_token')

/**
 * `FLEET_API_TOKEN` overrides the options, these override the file. Undefined when there is none, or the file is empty;
 * throws when it cannot be read.
 */
export function readToken(options: Options, environment: NodeJS.ProcessEnv): Token | undefined {
  const fromEnvironment = environment.FLEET_API_TOKEN?.trim()
  if (fromEnvironment) return { value: fromEnvironment, origin: 'FLEET_API_TOKEN', isNew: false }
  if (options.rest.api_token) return { value: options.rest.api_token, origin: 'the options', isNew: false }
  const file = tokenFile(options)
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? undefined : { value, origin: file, isNew: false }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** As `readToken`, but generates a token where there is none. Throws when the data folder cannot be written. */
function findToken(options: Options, environment: NodeJS.ProcessEnv): Token {
  try {
    const token = readToken(options, environment)
    if (token) return token
    createDataFolder(options.store.path)
    return { value: generateToken(options), origin: tokenFile(options), isNew: true }
  } catch (error) {
    throw unusableFolder('store.path', options.store.path, error)
  }
}

/** Writes a new token of 192 random bits to its file, and returns it. */
export function generateToken(options: Options): string {
  const value = randomBytes(24).toString('hex')
  replaceFile(tokenFile(options), `${value}\n`, { flush: true })
  return value
}

/** The time between two looks at the file. */
const checkSeconds = 1

/** The token in use. */
export class CurrentToken {
  #token: Token
  readonly #options: Options
  readonly #environment: NodeJS.ProcessEnv
  readonly #log: Log

  /** Generates a token if there is none; throws when that fails. `options` may change until `reload`. */
  constructor(options: Options, environment: NodeJS.ProcessEnv, log: Log) {
    this.#options = options
    this.#environment = environment
    this.#log = log
    this.#token = findToken(options, environment)
    const { origin, isNew } = this.#token
    log.info('daemon', `${isNew ? 'new API token in' : 'API token from'} ${origin}`)
    if (origin === tokenFile(options)) this.#restrictFile(origin)
  }

  get value(): string {
    return this.#token.value
  }

  /** Without this the token changes by `reload` only. Does not keep the process running. */
  watch(): void {
    // The first look reads it again: it may have changed since the start.
    lookAtFiles([tokenFile(this.#options)], checkSeconds, () => this.reload())
  }

  /** Looks the token up again. Without one, or when it cannot be read, the old one stays. */
  reload(): void {
    try {
      const next = readToken(this.#options, this.#environment)
      if (!next) throw new Error(`expected a token in ${tokenFile(this.#options)}, got none`)
      if (next.value === this.#token.value) return
      this.#token = next
      this.#log.info('daemon', `API token changed, now from ${next.origin}; the old one is refused`)
    } catch (error) {
      this.#log.warn('daemon', `API token not changed: ${message(error)}`)
    }
  }

  #restrictFile(file: string): void {
    try {
      const { mode, uid } = statSync(file)
      if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
      chmodSync(file, 0o600)
      this.#log.warn(
        'daemon',
        `others could read the API token in ${file}, now only its owner can; see fleet token rotate`,
      )
    } catch (error) {
      this.#log.warn('daemon', `could not restrict access to ${file}: ${message(error)}`)
    }
  }
}
