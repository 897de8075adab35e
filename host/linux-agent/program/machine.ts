// What this computer says of itself: its files, what its programs print, and what identifies it.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { knownSerial } from '../../agent-program/serial-number.ts'

/** The files of the system, such as those of /sys, below a folder that tests replace. */
export function createSystemFiles(root: string) {
  return {
    /** The text without blanks at both ends; '' when the file is missing or cannot be read. */
    read(path: string): string {
      try {
        return readFileSync(join(root, path), 'utf8').replaceAll('\0', '').trim()
      } catch {
        return ''
      }
    },
    /** The names in a folder, sorted; none when it cannot be read. */
    list(path: string): string[] {
      try {
        return readdirSync(join(root, path)).sort()
      } catch {
        return []
      }
    },
    exists: (path: string) => existsSync(join(root, path)),
    /** The path below the folder. */
    path: (path: string) => join(root, path),
  }
}

export type SystemFiles = ReturnType<typeof createSystemFiles>

/** Milliseconds; a disk that does not respond can keep lsblk and df waiting. */
const timeout = 60_000
/** Bytes of output. */
const longestOutput = 16 * 1024 * 1024

/**
 * Rejects when the program is missing, fails, takes over a minute, or `signal` is aborted: then it is killed.
 * `limit`: other milliseconds, 0 for none.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  signal?: AbortSignal,
  limit = timeout,
): Promise<string> {
  const options = {
    signal,
    timeout: limit,
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

/** What the program printed, also when it failed, as that says nothing of its output; 'missing' without the program. */
export async function outputOf(file: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const options = {
    signal,
    maxBuffer: longestOutput,
    killSignal: 'SIGKILL',
    env: { ...process.env, LC_ALL: 'C' },
  } as const
  return new Promise(resolve => {
    execFile(file, args, options, (error, stdout) => resolve(error?.code === 'ENOENT' ? 'missing' : stdout))
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

/** After partitions or their contents were changed: their devices, and what lsblk says of them, come a moment later. */
export const settleDevices = (signal?: AbortSignal) => tryProgram('udevadm', ['settle', '--timeout=30'], signal)

/** The name of the installed system: `Debian GNU/Linux 12 (bookworm)`. */
export function osName(files: SystemFiles): string {
  return prettyName(files.read('etc/os-release') || files.read('usr/lib/os-release')) ?? 'Linux'
}

/** The name of a system in its file os-release; undefined when it has none. */
export const prettyName = (release: string): string | undefined =>
  /^PRETTY_NAME=(.*)$/m.exec(release)?.[1]?.replace(/^(["'])(.*)\1$/, '$2')

/** '' when unknown: the file is readable by root only. */
export function serialNumber(files: SystemFiles): string {
  const serial =
    files.read('sys/class/dmi/id/product_serial') || files.read('sys/firmware/devicetree/base/serial-number')
  return knownSerial(serial)
}

export function computerName(files: SystemFiles): string {
  return files.read('proc/sys/kernel/hostname') || hostname()
}

/** Twelve hexadecimal digits with colons between; '' for an interface without a hardware address. */
export function macOf(name: string, files: SystemFiles): string {
  const mac = name === '' ? '' : files.read(`sys/class/net/${name}/address`)
  return /^(?!00:00:00:00:00:00)([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? mac.toLowerCase() : ''
}

/** Mbit/s; undefined when the interface does not say, as wireless ones. */
export function linkSpeed(name: string, files: SystemFiles): number | undefined {
  const speed = name === '' ? 0 : Number(files.read(`sys/class/net/${name}/speed`))
  return Number.isInteger(speed) && speed > 0 ? speed : undefined
}
