// `fleet` with a person's environment: in this process, or linked from elsewhere as a program in a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runFleet } from '../../host/cli/program.ts'

export interface Ran {
  code: number | null
  out: string
  error: string
}

export interface Shell {
  folder: string
  /** Runs `fleet` with these words, in this process and the folder where it is. */
  fleet(...words: string[]): Promise<Ran>
  /** The same with other variables; undefined takes one away. */
  fleetWith(environment: Variables, ...words: string[]): Promise<Ran>
  /** Runs the program with these words, in the shell's own folder. */
  program(...words: string[]): Promise<Ran>
  programWith(environment: Variables, ...words: string[]): Promise<Ran>
  /** Runs a text in bash, which finds `fleet` in its path. */
  bash(script: string): Promise<Ran>
  write(name: string, content: string): string
  remove(): void
}

type Variables = Record<string, string | undefined>

const entry = join(import.meta.dirname, '../../host/cli/fleet.mjs')

export function openShell(given: Record<string, string>): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-shell-'))
  const link = join(folder, 'bin/fleet')
  mkdirSync(dirname(link))
  symlinkSync(entry, link)
  const { FLEET_URL: _, FLEET_API_TOKEN: __, ...inherited } = process.env
  const own = { PATH: `${dirname(link)}:${process.env.PATH}`, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
  const usual = { ...inherited, ...own, ...given }

  async function fleetWith(environment: Variables, ...words: string[]): Promise<Ran> {
    const [out, error] = [collect(), collect()]
    const code = await runFleet(words, { environment: { ...usual, ...environment }, out, error })
    return { code, out: out.text(), error: error.text() }
  }

  async function run(file: string, words: string[], environment: Variables): Promise<Ran> {
    const env = { ...usual, ...environment }
    const child = spawn(file, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'close')
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await ended
    return { code, out, error }
  }

  return {
    folder,
    fleet: (...words) => fleetWith({}, ...words),
    fleetWith,
    program: (...words) => run(link, words, {}),
    programWith: (environment, ...words) => run(link, words, environment),
    bash: script => run('bash', ['-c', script], {}),
    write(name, content) {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A pipe that keeps what is written. */
function collect() {
  let whole = ''
  return {
    write(text: string) {
      whole += text
    },
    text: () => whole,
  }
}
