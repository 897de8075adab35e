// Calls the addresses that a broker has given, once each: what it answers does not matter.
import { Problem } from './_answers.ts'
import type { Asked, Context } from './_schemas.ts'

/** Milliseconds in all. */
const patience = 3000
const mostCharacters = 2000

export function brokerUrl({ body, settings }: Asked, name: string, isOptional = false): string {
  const value = body[name]
  if (isOptional && (value === undefined || value === null || value === '')) return ''
  const wrong = new Problem(400, `${name}: expected the address of a page`)
  if (typeof value !== 'string' || value.length > mostCharacters || !URL.canParse(value)) throw wrong
  const { protocol, hostname } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong
  if (settings.brokers.length === 0 || settings.brokers.includes(hostname)) return value
  throw new Problem(400, `${name}: ${hostname} is not in the setting brokers`)
}

export async function callBroker({ services }: Context, url: string | undefined, what: string): Promise<void> {
  if (!url) return
  const signal = AbortSignal.any([AbortSignal.timeout(patience), services.signal])
  try {
    const response = await fetch(url, { redirect: 'manual', signal })
    await response.body?.cancel()
    services.log.info(`${what}: the broker at ${new URL(url).host} was called, status ${response.status}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    services.log.warn(`${what}: the broker at ${new URL(url).host} could not be called: ${reason}`)
  }
}
