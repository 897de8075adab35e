// The agent on Windows under test: the bundle that computers get, by the Node for Windows in Wine.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from './daemon-process.ts'
import { sharedProgram } from './linux-agent.ts'

/** The file node.exe, which `.ci/run` downloads. */
const node = process.env.FLEET_TEST_NODE_EXE ?? ''

/** Whether Wine and node.exe are there. */
export const hasWine = spawnSync('wine', ['--version']).status === 0 && existsSync(node)

/** A Windows 10 of its own; takes a minute. */
export function createWindowsComputer() {
  const folder = mkdtempSync(join(tmpdir(), 'windows-computer-'))
  const log = join(folder, 'log')
  const env = {
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    DISPLAY: '',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  const wine = (...args: string[]) =>
    execFileSync('wine', args, { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 180_000 })
  // Of its own: an update replaces it.
  const program = join(folder, 'fleet-agent.js')
  copyFileSync(sharedProgram, program)
  wine('wineboot', '-i')
  wine('winecfg', '-v', 'win10')
  return {
    program,
    /** Without waiting for its connection. */
    startAgent(port: number, more: Record<string, string> = {}): Program {
      const options = { server: '127.0.0.1', port: String(port), 'log-level': 'debug', ...more }
      // Node does not write to the pipes of Wine.
      const script = 'exec wine "$@" > "$0" 2>&1 < /dev/null'
      const command: [string, ...string[]] = ['sh', '-c', script, log, node, program]
      return startProgram(folder, { command, text: JSON.stringify(options), env })
    },
    output: () => readFileSync(log, 'utf8'),
    /** Ends all its processes. */
    remove() {
      spawnSync('wineserver', ['-k', '-w'], { env: { ...process.env, ...env }, timeout: 60_000 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
