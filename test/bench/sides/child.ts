// A program of the benchmark in a process of its own, which is asked by messages.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Milliseconds on the clock that all processes of this machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** What a program can be asked: each call by name, with one argument at most. */
export type Calls = Record<string, (argument: never) => unknown>

export type Ask<Of extends Calls> = <Name extends keyof Of & string>(
  name: Name,
  ...argument: Parameters<Of[Name]>
) => Promise<Awaited<ReturnType<Of[Name]>>>

export interface Child<Of extends Calls> {
  pid: number
  ask: Ask<Of>
  stop(): Promise<void>
}

interface Reply<Result> {
  id: number
  result: Result
  failed?: string
}

/** `name` is a file beside this one. */
export function startChild<Of extends Calls>(name: string): Child<Of> {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), { execArgv: ['--import', 'tsx'] })
  return {
    pid: child.pid ?? 0,
    ask: asking<Of>(child),
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode !== null || !child.kill('SIGKILL')) return
      await ended
    },
  }
}

export function asking<Of extends Calls>(child: ChildProcess): Ask<Of> {
  let last = 0
  return (name, ...[argument]) => {
    last += 1
    const id = last
    return new Promise((resolve, reject) => {
      const over = (end: () => void) => {
        child.off('message', onMessage)
        child.off('exit', onExit)
        end()
      }
      const onMessage = (reply: Reply<Awaited<ReturnType<Of[typeof name]>>>) => {
        if (reply.id !== id) return
        const { failed } = reply
        over(() => (failed === undefined ? resolve(reply.result) : reject(new Error(`${name}: ${failed}`))))
      }
      const onExit = () => over(() => reject(new Error(`${name}: the process has ended`)))
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.send({ id, name, argument })
    })
  }
}

// The daemon takes `process.exit` away from its modules.
const exit = process.exit.bind(process)

/** The child's part: answers what it is asked, and ends with its parent. */
export function serve<Of extends Calls>(calls: Of): Of {
  process.on('message', async ({ id, name, argument }: { id: number; name: string; argument: never }) => {
    try {
      process.send?.({ id, result: await calls[name]?.(argument) })
    } catch (error) {
      process.send?.({ id, failed: String(error) })
    }
  })
  process.on('disconnect', () => exit())
  return calls
}
