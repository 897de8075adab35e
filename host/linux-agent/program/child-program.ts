// Runs one of the system's programs and returns what it prints.
import { execFile } from 'node:child_process'

/** Milliseconds; a disk that does not respond can keep lsblk and df waiting. */
const timeout = 60_000
/** Bytes of output. */
const longestOutput = 16 * 1024 * 1024

/** Rejects when the program is missing, fails, takes over a minute, or `signal` is aborted: then it is killed. */
export function runProgram(file: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const options = {
    signal,
    timeout,
    maxBuffer: longestOutput,
    killSignal: 'SIGKILL',
    // Programs translate their output.
    env: { ...process.env, LC_ALL: 'C' },
  } as const
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const [line = ''] = stderr.trim().split('\n')
      if (error) reject(line === '' ? error : new Error(`${file}: ${line}`))
      else resolve(stdout)
    })
  })
}

/** As `runProgram`; undefined when the program is missing or fails. */
export async function tryProgram(
  file: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return await runProgram(file, args, signal)
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}
