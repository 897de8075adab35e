// The cookies of the daemon: that of a session, and that of a browser in which a user has logged in.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { createDataFolder, isNotFound } from '../system/file-system.ts'

interface Cookie {
  /** The header `Set-Cookie`. */
  text(value: string, isSecure: boolean): string
  /** The value in a header `Cookie`. */
  read(header: string, isSecure: boolean): string | undefined
}

const attributes = 'HttpOnly; SameSite=Strict; Path=/'

/**
 * Browsers accept the prefix `__Host-` only over TLS and only from this host itself. Over TLS only the name with it
 * counts, as another host of the domain can set the plain one.
 */
function createCookie(name: string, value: RegExp): Cookie {
  const secureName = `__Host-${name}`
  const patternOf = (full: string) => new RegExp(`(?:^|; *)${full}=(${value.source})(?=;|$)`)
  const [plain, secure] = [patternOf(name), patternOf(secureName)]
  return {
    text: (text, isSecure) =>
      isSecure ? `${secureName}=${text}; ${attributes}; Secure` : `${name}=${text}; ${attributes}`,
    read: (header, isSecure) => secure.exec(header)?.[1] ?? (isSecure ? undefined : plain.exec(header)?.[1]),
  }
}

const { text, read } = createCookie('fleet_session', /[\w-]{43}/)

export const cookieText = text

/** The secret of a session in a header `Cookie`. */
export const secretIn = read

/** Removes the cookie in a browser. */
export const removedCookie = (isSecure: boolean): string => `${cookieText('', isSecure)}; Max-Age=0`

const loginCookie = createCookie('fleet_login', /[\w-]{40,4000}/)

/** Of a login that goes on at the provider, see `BegunLogins`; for that many seconds. */
export const loginCookieText = (value: string, isSecure: boolean, seconds: number): string =>
  `${loginCookie.text(value, isSecure)}; Max-Age=${seconds}`
export const begunLoginIn = loginCookie.read

const keyBytes = 32
const idBytes = 12
const fileMode = 0o600
/** Seconds that a browser keeps it after a login: a year. */
const maxAge = 31_536_000

const deviceCookie = createCookie('fleet_device', /\d{1,15}\.[\w-]{16}\.[\w-]{43}/)

/**
 * The cookie of a browser in which a user has logged in: with it, the user does not wait for failed logins of others.
 */
export class DeviceCookies {
  readonly #key: Buffer

  constructor(folder: string, log: Log) {
    this.#key = openKey(folder, log)
  }

  /** The id in a header `Cookie`, when it was made for this user. */
  find(header: string, isSecure: boolean, user: number): string | undefined {
    const [digits, id = '', signature = ''] = deviceCookie.read(header, isSecure)?.split('.') ?? []
    if (digits !== String(user)) return undefined
    const expected = this.#sign(user, id)
    return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? id : undefined
  }

  /** The header `Set-Cookie` after a login; a browser that is known keeps its id, and with it its count. */
  create(user: number, isSecure: boolean, id = randomBytes(idBytes).toString('base64url')): string {
    return `${deviceCookie.text([user, id, this.#sign(user, id)].join('.'), isSecure)}; Max-Age=${maxAge}`
  }

  #sign(user: number, id: string): string {
    return createHmac('sha256', this.#key).update(`${user}.${id}`).digest('base64url')
  }
}

/** Of a file of the data folder, which a first start makes. Where it cannot be kept, a restart forgets all browsers. */
function openKey(folder: string, log: Log): Buffer {
  const file = join(folder, 'device_key')
  try {
    const key = Buffer.from(readFileSync(file, 'latin1'), 'base64url')
    if (key.length === keyBytes) return key
    log.warn('access', `${file}: expected ${keyBytes} bytes in base64url; browsers are not known as before`)
  } catch (error) {
    if (!isNotFound(error)) log.warn('access', `${file}: ${message(error)}; browsers are not known as before`)
  }
  const key = randomBytes(keyBytes)
  try {
    createDataFolder(folder)
    writeFileSync(file, key.toString('base64url'), { mode: fileMode })
  } catch (error) {
    log.warn('access', `${file}: ${message(error)}; browsers are not known after a restart`)
  }
  return key
}
