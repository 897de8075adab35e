// The program `fleet` as a person has it: linked from elsewhere and called in a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface Ran {
  code: number | null
  out: string
  error: string
}

export interface Shell {
  folder: string
  /** Runs `fleet` with these words. */
  fleet(...words: string[]): Promise<Ran>
  /** The same with other variables; undefined takes one away. */
  fleetWith(environment: Record<string, string | undefined>, ...words: string[]): Promise<Ran>
  /** Runs a text in bash, which finds `fleet` in its path. */
  bash(script: string): Promise<Ran>
  write(name: string, content: string): string
  remove(): void
}

const program = join(import.meta.dirname, '../host/cli/fleet.mjs')

export function openShell(given: Record<string, string>): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-shell-'))
  const link = join(folder, 'bin/fleet')
  mkdirSync(dirname(link))
  symlinkSync(program, link)
  const { FLEET_URL: _, FLEET_API_TOKEN: __, ...inherited } = process.env
  const own = { PATH: `${dirname(link)}:${process.env.PATH}`, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }

  async function run(file: string, words: string[], environment: Record<string, string | undefined>): Promise<Ran> {
    const env = { ...inherited, ...own, ...given, ...environment }
    const child = spawn(file, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'close')
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await ended
    return { code, out, error }
  }

  return {
    folder,
    fleet: (...words) => run(link, words, {}),
    fleetWith: (environment, ...words) => run(link, words, environment),
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
