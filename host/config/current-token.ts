// The API token in use. It changes while the daemon runs: with its file, and when SIGHUP has read the options again.
import { chmodSync, statSync } from 'node:fs'
import { type Log, message } from '../log/log.ts'
import { lookAtFiles } from '../system/file-states.ts'
import type { Options } from './options.ts'
import { findToken, readToken, tokenFile } from './token.ts'

/** The time between two looks at the file. */
const checkSeconds = 1

export class CurrentToken {
  #token: ReturnType<typeof findToken>
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
