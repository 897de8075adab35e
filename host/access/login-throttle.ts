// Stops guesses of passwords: counts the failed logins of a name from an address, so that nobody else has to wait for them.
import { setTimeout as delay } from 'node:timers/promises'
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'
import { networkOf } from '../system/networks.ts'
import { Counts } from '../system/throttle.ts'
import type { PasswordSlots, SlotKind } from './password-slots.ts'

/** Failed logins of one address in a minute after which names without a user are not checked any more. */
const addressFailures = 10
/** Failed logins of one name from one address, or of one known browser, in an hour that cause no wait. */
const freeFailures = 3
const hour = 3600 // s
/** The longest wait in seconds: who guesses must not lock out for long who has the same address. */
const maxWait = 60

export interface LoginSource {
  name: string
  /** Whether there is a user of this name. */
  isUser: boolean
  addr: string
  /** Of the cookie of a browser in which this user has logged in before. */
  device: string | undefined
}

/** A login whose password is to be checked. */
export interface AdmittedLogin {
  /** For the slots of the check. */
  kind: SlotKind
  lane: string
  succeeded(): void
  /** Returns the response. */
  failed(): Refusal
}

const tooManyOfAddress = refuse('too many failed logins from this address', 429)

export class LoginThrottle {
  readonly #slots: Pick<PasswordSlots, 'isFull' | 'lastMilliseconds'>
  /** Failures by network. */
  readonly #addresses = new Counts()
  /** Failures by name and network, or by browser. */
  readonly #failures = new Counts({ seconds: hour })

  constructor(slots: Pick<PasswordSlots, 'isFull' | 'lastMilliseconds'>) {
    this.#slots = slots
  }

  /**
   * A refusal with 429 when this login must wait. Otherwise it counts as failed until it has succeeded: many at once must
   * not all be admitted.
   */
  async admit(source: LoginSource): Promise<AdmittedLogin | Refusal> {
    const admitted = this.#check(source)
    if (admitted) return admitted
    // As long as a check, and with the response of a wrong password: the time does not show which names have a user.
    await delay(this.#slots.lastMilliseconds)
    return tooManyOfAddress
  }

  /** Undefined for an address that has failed too often, unless the name is one of a user that may be checked now. */
  #check({ name, isUser, addr, device }: LoginSource): AdmittedLogin | Refusal | undefined {
    const network = networkOf(addr)
    const key = device === undefined ? `${network} ${name}` : `device ${device}`
    const earlier = device === undefined ? this.#addresses.count(network) : 0
    const kind = device !== undefined ? 'known' : earlier === 0 ? 'new' : 'failed'
    const isOverLimit = earlier >= addressFailures
    if (isOverLimit && !isUser) return undefined
    const isWaiting = this.#isWaiting(key)
    if (isWaiting || this.#slots.isFull(kind)) {
      if (isOverLimit) return undefined
      return refuse(isWaiting ? 'too many failed logins of this user' : 'too many logins at once', 429)
    }
    this.#failures.add(key)
    if (device === undefined) this.#addresses.add(network)
    return {
      kind,
      lane: device === undefined ? network : name,
      succeeded: () => {
        if (device === undefined) this.#addresses.takeBack(network)
        this.#failures.delete(key)
      },
      failed: () => {
        // The wait begins again: the work for the password took a part of it.
        this.#failures.touch(key)
        return isOverLimit ? tooManyOfAddress : refuse('wrong name or password', 401)
      },
    }
  }

  #isWaiting(key: string): boolean {
    const failures = this.#failures.count(key)
    return failures > freeFailures && this.#failures.idleTime(key) < waitAfter(failures) * 1000
  }
}

/** Seconds: 2, 4, 8 and so on. */
const waitAfter = (failures: number): number => Math.min(maxWait, 2 ** (failures - freeFailures))
