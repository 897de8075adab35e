// Puts files that are read and written at once in the place of Node's, whose threads take as long as the machine lets them.
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'

type Call = (...args: unknown[]) => unknown

const require = createRequire(import.meta.url)

// `as`: functions are looked up by their names.
const atOnce = fs as unknown as Record<string, Call>

const promiseOf =
  (call: Call): Call =>
  async (...args) =>
    call(...args)

/** What Node names, say, `fstatSync` or `closeSync`. */
const ofDescriptor = (name: string): Call => atOnce[`f${name}Sync`] ?? atOnce[`${name}Sync`] ?? fail(name)

function fail(name: string): never {
  throw new Error(`expected a function of files, got ${name}`)
}

const handleCalls = ['appendFile', 'chmod', 'close', 'datasync', 'readFile', 'stat', 'sync', 'truncate', 'writeFile']

/** Counts of bytes, by the call that returns them. */
const counts = { read: 'bytesRead', write: 'bytesWritten' }

/** An open file, with what the daemon uses of Node's. */
function open(...args: unknown[]): object {
  const fd = ofDescriptor('open')(...args)
  const calls = handleCalls.map(name => [name, promiseOf(ofDescriptor(name).bind(undefined, fd))])
  const transfers = Object.entries(counts).map(([name, count]) => [
    name,
    async (buffer: unknown, ...rest: unknown[]) => ({ [count]: ofDescriptor(name)(fd, buffer, ...rest), buffer }),
  ])
  return Object.fromEntries([['fd', fd], ...calls, ...transfers])
}

/** To be called before the modules are loaded that use files. */
export function installDisk(): void {
  const promises: Record<string, Call> = require('node:fs/promises')
  for (const name of Object.keys(promises)) {
    const call = atOnce[`${name}Sync`]
    if (call) promises[name] = promiseOf(call)
  }
  promises.open = promiseOf(open)
  syncBuiltinESMExports()
}
