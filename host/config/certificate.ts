// The certificate of the REST API: reads its files, notices that they were renewed, and warns before it expires.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { lookAtFiles } from '../system/file-states.ts'
import { isLoopback } from '../system/networks.ts'
import { type Options, OptionsError } from './options.ts'

/** The time between two looks at the files. */
const checkSeconds = 2

const dayMilliseconds = 86_400_000

/** A certificate of Let's Encrypt is renewed 30 days before it expires: something is wrong then. */
export const warningDays = 14

type TlsFiles = NonNullable<Options['rest']['tls']>

export interface CertificateDeps {
  files: TlsFiles
  log: Log
  clock: Clock
}

interface Pair {
  cert: Buffer
  key: Buffer
  /** Milliseconds since 1970. */
  expires: number
}

export class Certificate {
  #pair: Pair
  #renewed: (context: SecureContextOptions) => void = () => {}
  #lastProblem = ''
  #cancelWarning = () => {}
  readonly #deps: CertificateDeps
  readonly #stopChecks: () => void

  /** Throws an OptionsError when the files cannot be used. */
  constructor(deps: CertificateDeps) {
    this.#deps = deps
    this.#pair = readPair(deps.files)
    const { cert, key } = deps.files
    // The first look reads them again: they may have changed since.
    this.#stopChecks = lookAtFiles([cert, key], checkSeconds, () => this.reload())
    this.#warn()
  }

  /** What a server with this certificate is created with. */
  get context(): SecureContextOptions {
    const { cert, key } = this.#pair
    return { cert, key, minVersion: 'TLSv1.2' }
  }

  /** Whole days until it expires; negative after that. */
  get days(): number {
    return Math.floor((this.#pair.expires - this.#deps.clock.now()) / dayMilliseconds)
  }

  /** Calls `renewed` with the context of each new certificate. */
  onRenewed(renewed: (context: SecureContextOptions) => void): void {
    this.#renewed = renewed
  }

  /** Reads the files again. When they cannot be used, the certificate stays as it is. */
  reload(): void {
    const { files, log } = this.#deps
    try {
      const pair = readPair(files)
      this.#lastProblem = ''
      if (pair.cert.equals(this.#pair.cert) && pair.key.equals(this.#pair.key)) return
      this.#pair = pair
      this.#renewed(this.context)
      log.info('rest', `certificate renewed from ${files.cert}, expires on ${dateOf(pair)}`)
      this.#warn()
    } catch (error) {
      // The files may change one after the other.
      const problem = message(error)
      if (problem !== this.#lastProblem) log.warn('rest', `certificate not renewed, the old one stays: ${problem}`)
      this.#lastProblem = problem
    }
  }

  close(): void {
    this.#stopChecks()
    this.#cancelWarning()
  }

  /** Now and every day. */
  #warn(): void {
    const { files, clock, log } = this.#deps
    this.#cancelWarning()
    this.#cancelWarning = clock.after(dayMilliseconds, () => this.#warn())
    if (this.days >= warningDays) return
    const when = this.days < 0 ? 'has expired' : `expires in ${this.days} days`
    log.warn('rest', `the certificate in ${files.cert} ${when}, on ${dateOf(this.#pair)}`)
  }
}

/** Undefined without the option `rest.tls`: then the API is plain HTTP. */
export function openCertificate({ ip, tls }: Options['rest'], log: Log, clock: Clock): Certificate | undefined {
  if (tls) return new Certificate({ files: tls, log, clock })
  const risk = 'tokens and passwords can be read on the network, see rest.tls'
  if (!isLoopback(ip)) log.warn('rest', `plain HTTP on ${ip}: ${risk}`)
  return undefined
}

const dateOf = ({ expires }: Pair): string => new Date(expires).toISOString().slice(0, 10)

function readPair(files: TlsFiles): Pair {
  const cert = read('cert', files.cert)
  const key = read('key', files.key)
  try {
    createSecureContext({ cert, key })
    // Of a chain, the first certificate is the server's own.
    return { cert, key, expires: Date.parse(new X509Certificate(cert).validTo) }
  } catch (error) {
    const expected = `expected a certificate in ${files.cert} and its private key in ${files.key}`
    throw new OptionsError(`rest.tls: ${expected}, got ${message(error)}`)
  }
}

function read(name: keyof TlsFiles, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new OptionsError(`rest.tls.${name}: expected a file that can be read, got ${message(error)}`)
  }
}
