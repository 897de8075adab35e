// Starts a test host with its own copy of the boot templates, and reads the boot files that it writes.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { is } from 'uvu/assert'
import { startTestHost, type TestHost } from './test-host.ts'

export interface BootTestHost extends TestHost {
  /** A folder with copies of the shipped templates, which a test may change. */
  templates: string
  output: string
  /** All files below the output folder, also hidden ones: path → text. */
  files(): Record<string, string>
  status(route: string, payload?: unknown): Promise<number>
  /** Sends a request whose status must be 200. */
  ok(route: string, payload: unknown): Promise<void>
  info(ip: string): Promise<Record<string, unknown>>
}

export async function startBootTestHost(options: object = {}): Promise<BootTestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'boot-host-'))
  const templates = join(folder, 'templates')
  const output = join(folder, 'output')
  cpSync(join(import.meta.dirname, '../../boot-templates'), templates, { recursive: true })
  const testHost = await startTestHost({
    folder,
    options: { boot: { server: '10.1.1.1', lang: 'C', templates, output }, ...options },
  })
  const status = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).status
  return {
    ...testHost,
    templates,
    output,
    files() {
      if (!existsSync(output)) return {}
      const entries = readdirSync(output, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
      return Object.fromEntries(paths.map(path => [path.slice(output.length + 1), readFileSync(path, 'utf8')]))
    },
    status,
    ok: async (route, payload) => is(await status(route, payload), 200, testHost.log.at(-1)),
    info: async ip => (await testHost.call('GET /client/info', { client: [ip] })).json,
  }
}

/** The paths of both boot files of a computer, by its hardware address. */
export function pathsOf(mac: string): { menu: string; grub: string } {
  const pairs = mac.match(/[0-9a-f]{2}/gi) ?? []
  return {
    menu: `menu.lst/01-${pairs.join('-').toUpperCase()}`,
    grub: `grub/01-${pairs.join(':').toLowerCase()}`,
  }
}
