// Runs a script by cmd.exe or PowerShell, which is ended with all its processes.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { ScriptShell } from '../../agent-program/shell-script.ts'

/** The first line of a script for PowerShell. */
const powerShellLine = /^#! *powershell\s*$/i

/** Milliseconds for taskkill. */
const killTimeout = 5000

export const windowsShell: ScriptShell = {
  start(script) {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-agent-'))
    const child = spawn('cmd.exe', ['/d', '/s', '/c', `""${writeScript(folder, script)}" 2>&1"`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      windowsVerbatimArguments: true,
    })
    const remove = () => {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      } catch {
        // A virus scanner, or what the script has left running, uses it.
      }
    }
    child.once('exit', remove).once('error', remove)
    return child
  },
  createDecoder: () => new StringDecoder('utf8'),
  kill(child, signal) {
    if (!isRunning(child)) return false
    // At once and by force: a program without a window does not notice a request to close.
    if (signal !== 0) {
      const args = ['/pid', String(child.pid), '/t', '/f']
      const { status } = spawnSync('taskkill.exe', args, { stdio: 'ignore', windowsHide: true, timeout: killTimeout })
      // That of Wine does not know /t.
      if (status !== 0) child.kill('SIGKILL')
    }
    return true
  },
  statusOf: code => (typeof code === 'number' ? code : 1),
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null

/** Returns the file to start. With code page 65001 cmd.exe reads the rest of the file, and programs print, as UTF-8. */
function writeScript(folder: string, script: string): string {
  const file = join(folder, 'script.cmd')
  const [first = '', ...others] = script.split(/\r?\n/)
  const isPowerShell = powerShellLine.test(first)
  const lines = isPowerShell ? [powerShellCommand(folder, others)] : [first, ...others]
  writeFileSync(file, ['@echo off', 'chcp 65001 >nul', ...lines, ''].join('\r\n'))
  return file
}

function powerShellCommand(folder: string, lines: string[]): string {
  const file = join(folder, 'script.ps1')
  // Without the mark Windows PowerShell takes the file for the code page of the system.
  writeFileSync(file, `\ufeff${lines.join('\r\n')}\r\n`)
  return `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "${file}"`
}
