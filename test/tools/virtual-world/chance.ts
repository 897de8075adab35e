// Chance from a seed, in place of Node's: the same seed gives the same numbers, also inside the daemon.
import { createRequire, syncBuiltinESMExports } from 'node:module'

export interface Chance {
  /** From 0 on, below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  isTrue(probability: number): boolean
  pick<T>(values: readonly T[]): T
  bytes(count: number): Buffer
  /** Chance for another purpose: what is drawn there changes nothing here. */
  fork(): Chance
}

/** mulberry32, which needs one number of 32 bits. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    isTrue: probability => next() < probability,
    pick(values) {
      const picked = values[between(0, values.length - 1)]
      if (picked === undefined) throw new Error('expected values to pick from, got none')
      return picked
    },
    bytes: count => Buffer.from(Array.from({ length: count }, () => between(0, 255))),
    fork: () => createChance(between(0, 2 ** 32 - 1)),
  }
}

const require = createRequire(import.meta.url)

/** Everything in this process that asks Node for chance gets it from `chance` from now on. */
export function installChance(chance: Chance): void {
  const crypto: typeof import('node:crypto') = require('node:crypto')
  const randomBytes = (count: number, done?: (error: null, bytes: Buffer) => void) => {
    const bytes = chance.bytes(count)
    if (done) process.nextTick(done, null, bytes)
    return bytes
  }
  const fill = <Values extends NodeJS.ArrayBufferView>(values: Values) => {
    Buffer.from(values.buffer, values.byteOffset, values.byteLength).set(chance.bytes(values.byteLength))
    return values
  }
  const randomUUID = () => {
    const hex = chance.bytes(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const randomInt = (first: number, last?: number) =>
    last === undefined ? chance.between(0, first - 1) : chance.between(first, last - 1)
  Object.assign(crypto, { randomBytes, randomUUID, randomInt, randomFillSync: fill })
  Object.assign(crypto.webcrypto, { randomUUID, getRandomValues: fill })
  Math.random = chance.next
  syncBuiltinESMExports()
}
