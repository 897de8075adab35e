// What a login at the provider needs at its end: the browser keeps it in a cookie, which only this process can read.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Clock } from '../../system/clock.ts'
import { Counts } from '../../system/throttle.ts'
import type { LoginSecrets } from './provider.ts'

export interface BegunLogin extends LoginSecrets {
  /** The address to which the provider sends the browser. */
  redirect: string
}

/** How long a person may take at the provider. */
export const loginSeconds = 600

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** However many are begun, nothing is kept of them here. */
export class BegunLogins {
  readonly #clock: Clock
  readonly #key = randomBytes(keyBytes)
  /** The states that have come back, for as long as their cookies count. */
  readonly #used = new Counts({ seconds: loginSeconds })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The value of the cookie. */
  seal({ state, nonce, verifier, redirect }: BegunLogin): string {
    const expires = this.#clock.now() + loginSeconds * 1000
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, this.#key, iv)
    const text = JSON.stringify({ state, nonce, verifier, redirect, expires })
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url')
  }

  /** The login of a cookie; undefined when it is not one of this process, is too old, or was used. */
  take(value: string, state: string): BegunLogin | undefined {
    const login = this.#open(value)
    if (!login || login.state !== state || this.#clock.now() >= login.expires) return undefined
    return this.#used.add(state) === 1 ? login : undefined
  }

  #open(value: string): (BegunLogin & { expires: number }) | undefined {
    const bytes = Buffer.from(value, 'base64url')
    const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)]
    try {
      const decipher = createDecipheriv(algorithm, this.#key, iv, { authTagLength: tagBytes })
      decipher.setAuthTag(tag)
      const content = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
      return JSON.parse(content.toString())
    } catch {
      return undefined
    }
  }
}
