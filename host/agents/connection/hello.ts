// The introduction of an agent: what it says of its computer after it has connected.
import type { Hello } from '../../contract/services.ts'
import { toPrintable } from '../../log/printable.ts'
import { LimitedEvents } from '../../system/throttle.ts'

/** The first one counts; an agent that says more than this only updates it. */
const hellosPerSecond = 1

/** Most characters of each value. A host name has 63, a DMI serial number 64 at most. */
const lengths = { name: 63, serial: 64, os: 100, agent: 64 } as const

const macForm = /^(?:[\da-f]{2}[:-]?){5}[\da-f]{2}$/

/** Undefined when it is no introduction. Values that cannot be used are left out. */
export function toHello(event: { event: unknown } | undefined): Hello | undefined {
  if (event?.event !== 'hello') return undefined
  const hello: Hello = {}
  const mac = macOf(Reflect.get(event, 'mac'))
  if (mac !== undefined) hello.mac = mac
  for (const key of ['name', 'serial', 'os', 'agent'] as const) {
    const value: unknown = Reflect.get(event, key)
    const text = typeof value === 'string' ? toPrintable(value, lengths[key]) : ''
    if (text !== '') hello[key] = text
  }
  return hello
}

/** The 12 digits in lower case; undefined for anything else, and for an address of zeros, which loopback has. */
function macOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 17) return undefined
  const text = value.toLowerCase()
  const digits = text.replaceAll(/[:-]/g, '')
  return macForm.test(text) && !/^0+$/.test(digits) ? digits : undefined
}

/** Passes on the first introduction and then the newest of each second, without repetitions. */
export function limitHellos(onHello: (hello: Hello) => void): LimitedEvents<Hello> {
  let previous = ''
  return new LimitedEvents(hellosPerSecond, hello => {
    const text = JSON.stringify(hello)
    if (text === previous) return
    previous = text
    onHello(hello)
  })
}
