// Runs programs of Windows and reads what they print as UTF-8.
import { execFile } from 'node:child_process'

/** Milliseconds; a disk that does not respond can keep the system waiting. */
const timeout = 60_000
/** Bytes of output. */
const longestOutput = 16 * 1024 * 1024

const options = { timeout, maxBuffer: longestOutput, windowsHide: true, windowsVerbatimArguments: true } as const

/** Rejects when it fails, takes over a minute, or `signal` is aborted. */
function run(file: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...options, signal }, (error, stdout, stderr) => {
      const [line = ''] = stderr.trim().split(/\r?\n/)
      if (error) reject(line === '' ? error : new Error(line))
      else resolve(stdout)
    })
  })
}

/** A line for cmd.exe, such as `quser`. */
export const runCommand = (line: string, signal?: AbortSignal): Promise<string> =>
  run('cmd.exe', ['/d', '/s', '/c', `"chcp 65001 >nul & ${line}"`], signal)

/** Resolves to what the expression of PowerShell is, by JSON. Rejects also where PowerShell prints none. */
export async function query(expression: string, signal?: AbortSignal): Promise<unknown> {
  const script = [
    "$ErrorActionPreference = 'Stop'",
    // Where a policy restricts the language, this fails: then only ASCII is printed as it is.
    'try { [Console]::OutputEncoding = New-Object Text.UTF8Encoding $false } catch { }',
    `ConvertTo-Json -Compress -Depth 4 (${expression})`,
  ].join('; ')
  // As base64 no character of it has a meaning to anybody on the way.
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  const args = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-EncodedCommand', encoded]
  const text = await run('powershell.exe', args, signal)
  if (text.trim() === '') throw new Error('powershell: expected JSON, got nothing')
  return JSON.parse(text)
}
