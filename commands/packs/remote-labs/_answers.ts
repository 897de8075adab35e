// Answers in the form that brokers read: always JSON, with a message where something is wrong.
import type { Services, TextResponse } from 'fleet-host'

const type = 'application/json; charset=utf-8'

/** Without a value it is an empty text, as brokers parse every body. */
export const json =
  ({ text }: Services) =>
  (value: unknown = ''): TextResponse =>
    text(type, JSON.stringify(value))

export class Problem extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const problem = (services: Services, status: number, message: string): TextResponse =>
  services.text(type, JSON.stringify({ message }), status)

/** A whole number of at least `least`, which may come as digits. */
export function wholeNumber(value: unknown, name: string, least: number): number {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least) return number
  throw new Problem(400, `${name}: expected a whole number from ${least}`)
}
