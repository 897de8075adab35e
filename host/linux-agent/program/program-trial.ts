// Tries a new program as a process of its own: it has to connect and to execute the daemon's first request.
import { spawn } from 'node:child_process'

/** Set for a program on trial. */
const variable = 'FLEET_AGENT_TRIAL'

/**
 * Resolves to the reason when the program fails: when it ends, does not execute a request in time, or does so with another
 * status than 200. Its process has ended then, in any case.
 */
export async function runTrial(file: string, seconds: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [variable]: '1' },
  })
  let timer: NodeJS.Timeout | undefined
  const problem = await new Promise<string | undefined>(resolve => {
    child.on('message', status => resolve(status === 200 ? undefined : `it replied ${status} to its first request`))
    child.on('error', ({ message }) => resolve(message))
    child.on('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`))
    timer = setTimeout(resolve, seconds * 1000, `it did not connect and execute a request in ${seconds} s`)
  })
  clearTimeout(timer)
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return problem
}

/**
 * For a program on trial: a function that reports the status of its first reply, which the daemon does not get. What the
 * daemon sends next is for the program that stays. Undefined for any other program.
 */
export function trialReport(): ((status: number) => void) | undefined {
  const isOnTrial = process.env[variable] === '1' && process.send !== undefined
  // Not for the scripts of the daemon.
  delete process.env[variable]
  if (!isOnTrial) return undefined
  process.once('disconnect', () => process.exit(0))
  return status => void process.send?.(status)
}
