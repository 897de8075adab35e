// Runs programs of Windows and reads what they print as UTF-8.
import { execFile } from 'node:child_process'

/** Milliseconds; a disk that does not respond can keep the system waiting. */
const timeout = 60_000
/** Bytes of output. */
const longestOutput = 16 * 1024 * 1024

const options = {
  ...{ timeout, maxBuffer: longestOutput, windowsHide: true, windowsVerbatimArguments: true },
  encoding: 'buffer',
} as const

/** UTF-16 has a mark, which wmic writes where its output is no console. */
export function decodeOutput(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '')
}

/** A line for cmd.exe, such as `quser`. Rejects when it fails, takes over a minute, or `signal` is aborted. */
export function runCommand(line: string, signal?: AbortSignal): Promise<string> {
  const args = ['/d', '/s', '/c', `"chcp 65001 >nul & ${line}"`]
  return new Promise((resolve, reject) => {
    execFile('cmd.exe', args, { ...options, signal }, (error, stdout, stderr) => {
      const [problem = ''] = decodeOutput(stderr).trim().split(/\r?\n/)
      if (error) reject(problem === '' ? error : new Error(problem))
      else resolve(decodeOutput(stdout))
    })
  })
}
