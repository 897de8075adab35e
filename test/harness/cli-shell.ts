// Runs `fleet` with the environment of a user: in this process, or as a program linked into a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runFleet } from '../../host/cli/program.ts'
import { fleetProgram } from '../tools/runner/bundled-file.ts'
import { token } from './rest-call.ts'
import type { TestHost } from './test-host.ts'

export interface RunResult {
  code: number | null
  out: string
  error: string
}

export type CliShell = ReturnType<typeof openShell>

type Variables = Record<string, string | undefined>

/** With the address and the token of a daemon. */
export const openShellOf = ({ host }: Pick<TestHost, 'host'>) =>
  openShell({ FLEET_URL: `http://127.0.0.1:${host.ports.rest}`, FLEET_API_TOKEN: token })

export function openShell(variables: Record<string, string> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-shell-')))
  const link = join(folder, 'bin/fleet')
  mkdirSync(dirname(link))
  symlinkSync(fleetProgram(), link)
  const { FLEET_URL: _, FLEET_API_TOKEN: __, ...inherited } = process.env
  const defaults: Variables = {
    ...inherited,
    PATH: `${dirname(link)}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...variables,
  }

  async function fleetWith(environment: Variables, ...args: string[]): Promise<RunResult> {
    const [out, error] = [createCollector(), createCollector()]
    const code = await runFleet(args, { environment: { ...defaults, ...environment }, out, error })
    return { code, out: out.text(), error: error.text() }
  }

  async function run(file: string, args: string[], environment: Variables): Promise<RunResult> {
    const env = { ...defaults, ...environment }
    const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await closed
    return { code, out, error }
  }

  return {
    /** The home and working directory of the programs. */
    folder,
    /** Runs `fleet` with these arguments in this process, in its working directory. */
    fleet: (...args: string[]) => fleetWith({}, ...args),
    /** What that prints, on both outputs. */
    async printed(...args: string[]): Promise<string> {
      const { out, error } = await fleetWith({}, ...args)
      return `${out}${error}`
    },
    /** Runs it with other variables; undefined removes one. */
    fleetWith,
    /** Runs `fleet` on a terminal of 80 columns where a user types `answer`. */
    async fleetOnTerminal(answer: string, ...args: string[]): Promise<RunResult> {
      const [out, error] = [createCollector(terminal), createCollector(terminal)]
      const input = Object.assign(Readable.from([`${answer}\n`]), { isTTY: true })
      const code = await runFleet(args, { environment: defaults, out, error, input })
      return { code, out: out.text(), error: error.text() }
    },
    /** Runs the program `fleet` with these arguments. */
    program: (...args: string[]) => run(link, args, {}),
    programWith: (environment: Variables, ...args: string[]) => run(link, args, environment),
    /** Runs a script in bash, which finds `fleet` in its path. */
    bash: (script: string) => run('bash', ['-c', script], {}),
    write(name: string, content: string): string {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const terminal = { isTTY: true, columns: 80, rows: 24, hasColors: () => false }

/** Collects what is written: as a pipe, or as a terminal. */
function createCollector(device: Partial<typeof terminal> = {}) {
  let collected = ''
  return {
    ...device,
    write(text: string) {
      collected += text
    },
    text: () => collected,
  }
}
