// In place of the Task Scheduler of Windows, which Wine has not: one task, which the test starts and ends.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pollUntil } from './poll.ts'

/** Milliseconds between two calls of schtasks: node.exe may be downloaded, and starts slowly in Wine. */
const longestStep = 300_000

/** Has the test do what it was called for, and waits for that. */
const schedule = `
const { copyFileSync, existsSync, renameSync, writeFileSync } = require('node:fs')
const [action, , , , xml] = process.argv.slice(2)
if (action === '/create') copyFileSync(xml, 'C:/task.xml')
writeFileSync('C:/new-request', action)
renameSync('C:/new-request', 'C:/request')
while (existsSync('C:/request')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
`

/** The program of the task with its arguments. */
function taskCommand(file: string): string[] {
  const task = readFileSync(file, 'utf16le').replaceAll('&quot;', '"')
  const read = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(task)?.[1] ?? ''
  const args = read('Arguments').match(/"[^"]*"|\S+/g) ?? []
  return [read('Command'), ...args.map(arg => arg.replaceAll('"', ''))]
}

/** Replaces schtasks on `drive`, the folder of C:. `start` starts a program in Wine. */
export function placeScheduler(drive: string, node: string, start: (command: string[]) => ChildProcess) {
  const system = join(drive, 'windows/system32')
  const request = join(drive, 'request')
  rmSync(join(system, 'schtasks.exe'))
  writeFileSync(join(drive, 'schedule.cjs'), schedule)
  writeFileSync(join(system, 'schtasks.cmd'), `@"Z:${node}" C:\\schedule.cjs %* >nul 2>nul <nul\r\n`)
  let task: ChildProcess | undefined

  async function serve(action: string): Promise<void> {
    if (action === '/run') task = start(taskCommand(join(drive, 'task.xml')))
    if (action !== '/end' || !task) return
    const ended = once(task, 'exit')
    task.kill('SIGKILL')
    await ended
    task = undefined
  }

  return {
    /** Does what `child` requests until it has ended. */
    async serveUntilEnd(child: ChildProcess): Promise<void> {
      while (child.exitCode === null) {
        await pollUntil(() => child.exitCode !== null || existsSync(request), longestStep)
        if (!existsSync(request)) continue
        await serve(readFileSync(request, 'utf8'))
        rmSync(request)
      }
    },
  }
}
