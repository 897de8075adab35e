// The agent on Windows under test: the bundle that computers get, by the Node for Windows in Wine.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from './daemon-process.ts'
import { sharedProgram } from './linux-agent.ts'
import { placeCim } from './windows-cim.ts'
import { placeDownloads } from './windows-downloads.ts'
import { placeScheduler } from './windows-scheduler.ts'

/** The file node.exe, which `.ci/run` downloads. */
export const windowsNode = process.env.FLEET_TEST_NODE_EXE ?? ''
const node = windowsNode

/** Whether Wine and node.exe are there. */
export const hasWine = spawnSync('wine', ['--version']).status === 0 && existsSync(node)

/** A command that prints to a file: Node does not write to the pipes of Wine. */
const wineTo = (output: string, args: string[]): [string, ...string[]] => [
  'sh',
  '-c',
  'exec wine "$@" > "$0" 2>&1 < /dev/null',
  output,
  ...args,
]

/** A Windows 10 of its own; takes a minute. */
export function createWindowsComputer() {
  const folder = mkdtempSync(join(tmpdir(), 'windows-computer-'))
  const log = join(folder, 'log')
  const own = {
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    DISPLAY: '',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  const env = { ...process.env, ...own }
  const wine = (...args: string[]) => execFileSync('wine', args, { env, stdio: 'ignore', timeout: 180_000 })
  const start = (output: string, args: string[]) => {
    const [shell, ...rest] = wineTo(output, args)
    return spawn(shell, rest, { env, stdio: 'ignore' })
  }
  // Of its own: an update replaces it.
  const program = join(folder, 'fleet-agent.js')
  copyFileSync(sharedProgram, program)
  wine('wineboot', '-i')
  wine('winecfg', '-v', 'win10')
  const drive = join(folder, 'prefix/drive_c')
  const scheduler = placeScheduler(drive, node, command => start(join(folder, 'task.log'), command))
  placeDownloads(drive, node)
  // A share has the script and node.exe.
  const share = join(folder, 'a share')
  mkdirSync(share)
  symlinkSync(node, join(share, 'node.exe'))
  return {
    folder,
    program,
    /** Of a file on the drive C:. */
    onDrive: (name: string) => join(drive, name),
    /** Of a file in Program Files\fleet-agent. */
    path: (name: string) => join(drive, 'Program Files/fleet-agent', name),
    /** Runs the script with arguments as an administrator does. */
    async install(script: Uint8Array, ...args: string[]) {
      const file = join(share, 'install.cmd')
      writeFileSync(file, script)
      const child = start(log, ['cmd.exe', '/d', '/c', `Z:${file}`.replaceAll('/', '\\'), ...args])
      await scheduler.serveUntilEnd(child)
      return { status: child.exitCode, out: readFileSync(log, 'utf8') }
    },
    /** From then on the script is alone in its folder. */
    removeNode: () => rmSync(join(share, 'node.exe')),
    /** What quser, and qprocess of lock screens, print from then on, which Wine has not. */
    logIn(users: string, screens = ''): void {
      for (const [name, text] of Object.entries({ quser: users, qprocess: screens })) {
        writeFileSync(join(drive, `${name}.txt`), text)
        writeFileSync(join(drive, `windows/system32/${name}.cmd`), `@type C:\\${name}.txt\r\n`)
      }
    },
    /** From then on PowerShell, which Wine has not, prints these objects of CIM classes. */
    describe: (classes: object) => placeCim(drive, node, classes),
    /** A program that Windows can uninstall; `root`: HKLM, or HKCU for one of the user. */
    register(root: string, name: string, view: 'reg:32' | 'reg:64' = 'reg:64'): void {
      const key = `${root}\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${name}`
      wine('reg', 'add', key, '/v', 'DisplayName', '/d', name, '/f', `/${view}`)
      wine('reg', 'add', key, '/v', 'DisplayVersion', '/d', '1.0', '/f', `/${view}`)
    },
    /** Without waiting for its connection. */
    startAgent(port: number, more: Record<string, string> = {}): Program {
      const options = { server: '127.0.0.1', port: String(port), 'log-level': 'debug', ...more }
      return startProgram(folder, { command: wineTo(log, [node, program]), text: JSON.stringify(options), env: own })
    },
    /** Ends all its processes. */
    remove() {
      spawnSync('wineserver', ['-k', '-w'], { env, timeout: 60_000 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
