// Stops guesses of passwords: counts the failed logins of a name from an address, so that nobody else has to wait for them.
import { setTimeout as delay } from 'node:timers/promises'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'
import { createMutex } from '../system/mutex.ts'
import { networkOf } from '../system/networks.ts'
import type { PasswordSlots, SlotKind } from './password-slots.ts'

/** Failed logins of one address in a minute after which names without a user are not checked any more. */
const addressFailures = 10
const minute = 60 // s
/** Failed logins of one name from one address, or of one known browser, in an hour that cause no wait. */
const freeFailures = 3
const hour = 3600 // s
/** The longest wait in seconds: who guesses must not lock out for long who has the same address. */
const maxWait = 60

const unlimited = Number.MAX_SAFE_INTEGER

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
  succeeded(): Promise<void>
  /** Returns the response. */
  failed(): Promise<Refusal>
}

const tooManyOfAddress = refuse('too many failed logins from this address', 429)

export class LoginLimits {
  readonly #slots: Pick<PasswordSlots, 'isFull' | 'lastMilliseconds'>
  readonly #addresses = new RateLimiterMemory({ points: unlimited, duration: minute })
  readonly #failures = new RateLimiterMemory({ points: unlimited, duration: hour })
  readonly #waits = new RateLimiterMemory({ points: 1, duration: maxWait })
  readonly #oneAtATime = createMutex()

  constructor(slots: Pick<PasswordSlots, 'isFull' | 'lastMilliseconds'>) {
    this.#slots = slots
  }

  /**
   * A refusal with 429 when this login must wait. Otherwise it counts as failed until it has succeeded: many at once must
   * not all be admitted.
   */
  async admit(source: LoginSource): Promise<AdmittedLogin | Refusal> {
    const admitted = await this.#oneAtATime(() => this.#check(source))
    if (admitted) return admitted
    // As long as a check, and with the response of a wrong password: the time does not show which names have a user.
    await delay(this.#slots.lastMilliseconds)
    return tooManyOfAddress
  }

  /** Undefined for an address that has failed too often, unless the name is one of a user that may be checked now. */
  async #check({ name, isUser, addr, device }: LoginSource): Promise<AdmittedLogin | Refusal | undefined> {
    const network = networkOf(addr)
    const key = device === undefined ? `${network} ${name}` : `device ${device}`
    const earlier = device === undefined ? ((await this.#addresses.get(network))?.consumedPoints ?? 0) : 0
    const kind = device !== undefined ? 'known' : earlier === 0 ? 'new' : 'failed'
    const isOverLimit = earlier >= addressFailures
    if (isOverLimit && !isUser) return undefined
    const wait = await this.#waits.get(key)
    const isWaiting = wait !== null && wait.msBeforeNext > 0
    if (isWaiting || this.#slots.isFull(kind)) {
      if (isOverLimit) return undefined
      return refuse(isWaiting ? 'too many failed logins of this user' : 'too many logins at once', 429)
    }
    const { consumedPoints } = await this.#failures.penalty(key)
    await this.#wait(key, consumedPoints)
    if (device === undefined) await this.#addresses.penalty(network)
    return {
      kind,
      lane: device === undefined ? network : name,
      succeeded: async () => {
        if (device === undefined) await this.#addresses.reward(network)
        await this.#failures.delete(key)
        await this.#waits.delete(key)
      },
      failed: async () => {
        // The wait begins again: the work for the password took a part of it.
        await this.#wait(key, (await this.#failures.get(key))?.consumedPoints ?? 0)
        return isOverLimit ? tooManyOfAddress : refuse('wrong name or password', 401)
      },
    }
  }

  async #wait(key: string, failures: number): Promise<void> {
    if (failures > freeFailures) await this.#waits.block(key, waitAfter(failures))
  }
}

/** Seconds: 2, 4, 8 and so on. */
const waitAfter = (failures: number): number => Math.min(maxWait, 2 ** (failures - freeFailures))
