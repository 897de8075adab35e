// Runs a program of the benchmark in a child process and calls its functions by messages.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nodeArguments } from '../../runner/bundled-file.ts'

/** Milliseconds of the monotonic clock, which is the same in all processes. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** The functions of a program by name; each takes at most one argument. */
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
  error?: string
}

/** `name` is a file in this folder. */
export function startChild<Of extends Calls>(name: string): Child<Of> {
  const program = nodeArguments(fileURLToPath(new URL(name, import.meta.url)))
  const child = fork(program.at(-1) ?? '', { execArgv: program.slice(0, -1) })
  return {
    pid: child.pid ?? 0,
    ask: createAsk<Of>(child),
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode !== null || !child.kill('SIGKILL')) return
      await ended
    },
  }
}

export function createAsk<Of extends Calls>(child: ChildProcess): Ask<Of> {
  let last = 0
  return (name, ...[argument]) => {
    last += 1
    const id = last
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        child.off('message', onMessage)
        child.off('exit', onExit)
        end()
      }
      const onMessage = (reply: Reply<Awaited<ReturnType<Of[typeof name]>>>) => {
        if (reply.id !== id) return
        const { error } = reply
        finish(() => (error === undefined ? resolve(reply.result) : reject(new Error(`${name}: ${error}`))))
      }
      const onExit = () => finish(() => reject(new Error(`${name}: the process has ended`)))
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.send({ id, name, argument })
    })
  }
}

// The daemon replaces `process.exit` for its modules.
const exit = process.exit.bind(process)

/** In the child: runs the calls of the parent, and exits with it. */
export function serveParent<Of extends Calls>(calls: Of): Of {
  process.on('message', async ({ id, name, argument }: { id: number; name: string; argument: never }) => {
    try {
      process.send?.({ id, result: await calls[name]?.(argument) })
    } catch (error) {
      process.send?.({ id, error: String(error) })
    }
  })
  process.on('disconnect', () => exit())
  return calls
}
