// Stops guesses of passwords: limits the failed logins of an address and of a name.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from '../refusal.ts'
import type { Refusal } from '../services.ts'
import { createMutex } from '../system/mutex.ts'
import { isOverloaded } from './passwords.ts'

/** Failed logins of one address in a minute, and the seconds that it is refused after that. */
const addressFailures = 10
const minute = 60 // s
/** Failed logins of one name in an hour that cause no wait. */
const freeFailures = 3
const hour = 3600 // s
/** The longest wait of a name in seconds: who guesses must not lock a user out for long. */
const maxWait = 60

export class LoginLimits {
  readonly #addresses = new RateLimiterMemory({ points: addressFailures, duration: minute, blockDuration: minute })
  readonly #failures = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: hour })
  readonly #oneAtATime = createMutex()
  readonly #waits = new RateLimiterMemory({ points: 1, duration: maxWait })

  /**
   * A refusal with 429 when this login must wait. Otherwise it counts as failed until `succeeded`: many at once must not
   * all be admitted.
   */
  admit(addr: string, name: string): Promise<Refusal | undefined> {
    return this.#oneAtATime(() => this.#check(addr, name))
  }

  /** As `admit`, for a login with a token: nobody is locked out, as it has no name. */
  admitToken(addr: string): Promise<Refusal | undefined> {
    return this.#oneAtATime(() => this.#checkAddress(addr))
  }

  async tokenSucceeded(addr: string): Promise<void> {
    await this.#addresses.reward(addr)
  }

  /** The wait begins again: the work for the password took a part of it. */
  async failed(name: string): Promise<void> {
    const failures = await this.#failures.get(name)
    await this.#wait(name, failures?.consumedPoints ?? 0)
  }

  async succeeded(addr: string, name: string): Promise<void> {
    await this.#addresses.reward(addr)
    await this.#failures.delete(name)
    await this.#waits.delete(name)
  }

  async #check(addr: string, name: string): Promise<Refusal | undefined> {
    if (isOverloaded()) return refuse('too many logins at once', 429)
    const refusal = await this.#checkAddress(addr)
    if (refusal) return refusal
    const wait = await this.#waits.get(name)
    if (wait !== null && wait.msBeforeNext > 0) return refuse('too many failed logins of this user', 429)
    const { consumedPoints } = await this.#failures.penalty(name)
    await this.#wait(name, consumedPoints)
    return undefined
  }

  async #checkAddress(addr: string): Promise<Refusal | undefined> {
    const isBelow = await this.#isBelowLimit(addr)
    return isBelow ? undefined : refuse('too many failed logins from this address', 429)
  }

  async #wait(name: string, failures: number): Promise<void> {
    if (failures > freeFailures) await this.#waits.block(name, waitAfter(failures))
  }

  async #isBelowLimit(addr: string): Promise<boolean> {
    try {
      await this.#addresses.consume(addr)
      return true
    } catch (error) {
      // The limiter rejects with this, and with errors for faults.
      if (error instanceof RateLimiterRes) return false
      throw error
    }
  }
}

/** Seconds: 2, 4, 8 and so on. */
const waitAfter = (failures: number): number => Math.min(maxWait, 2 ** (failures - freeFailures))
