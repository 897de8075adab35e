// Runs test files in a process that is kept for the next file: the program of test/tools/runner/reused-process.ts.
//
// uvu runs the suites of a file when this program says so. A suite that waits for ever ends the process, because nothing
// else keeps it running; uvu then says so, and this program prints the errors of the tests before.
import { statSync } from 'node:fs'
import { importBundled } from './bundled-file.ts'
import { secondsOfEndedChildren } from './cpu-time.ts'

/** What this process sends after each file. */
export interface FileEnd {
  code: number
  cpu: number | undefined
}

// uvu reads it when it is loaded.
Object.assign(globalThis, { UVU_DEFER: 1 })
const { exec } = await import('uvu')
const { takeErrors } = await import('./suites.ts')

const environment = { ...process.env }

/** uvu adds each suite to the queue; `isLate` is set when one comes after the file has awaited something. */
function startQueue() {
  const queue = { isLate: false, isImported: false }
  const suites: unknown[] = [null]
  suites.push = suite => {
    setImmediate(() => {
      queue.isLate ||= !queue.isImported
    })
    return Array.prototype.push.call(suites, suite)
  }
  Object.assign(globalThis, { UVU_QUEUE: [suites] })
  return queue
}

async function runFile(file: string): Promise<FileEnd> {
  const before = process.cpuUsage()
  const queue = startQueue()
  // A file before may have left Node with the numbers of a pipe or a socket: see host/log/log-output.ts.
  statSync(import.meta.dirname)
  await importBundled(file)
  queue.isImported = true
  await exec()
  takeErrors()
  if (queue.isLate) console.log('expected everything to be awaited before the first suite')
  const code = queue.isLate ? 1 : Number(process.exitCode ?? 0)
  process.exitCode = 0
  restoreEnvironment()
  const { user, system } = process.cpuUsage(before)
  const ofChildren = secondsOfEndedChildren()
  return { code, cpu: ofChildren === undefined ? undefined : ofChildren + (user + system) / 1e6 }
}

/** The time zone, above all. */
function restoreEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) {
    if (process.env[name] !== value) process.env[name] = value
  }
}

process.on('exit', () => {
  for (const error of takeErrors()) console.error(error)
})

process.on('message', (file: string) => {
  process.channel?.unref()
  runFile(file).then(end => {
    process.channel?.ref()
    process.send?.(end)
  })
})
