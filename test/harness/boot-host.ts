// A host whose boot templates a test may change, and a look at the boot files that it writes.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Lab, startLab } from './test-host.ts'

export interface BootLab extends Lab {
  /** Has the shipped templates. */
  templates: string
  output: string
  /** What lies below the output folder, also what is hidden: path → text. */
  files(): Record<string, string>
  status(route: string, payload?: unknown): Promise<number>
  info(ip: string): Promise<Record<string, unknown>>
}

export async function startBootLab(more: object = {}): Promise<BootLab> {
  const folder = mkdtempSync(join(tmpdir(), 'boot-lab-'))
  const [templates, output] = [join(folder, 'templates'), join(folder, 'output')]
  cpSync(join(import.meta.dirname, '../../boot-templates'), templates, { recursive: true })
  const lab = await startLab({
    folder,
    options: { boot: { server: '10.1.1.1', lang: 'C', templates, output }, ...more },
  })
  return {
    ...{ ...lab, templates, output },
    files() {
      if (!existsSync(output)) return {}
      const found = readdirSync(output, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      const paths = found.map(({ parentPath, name }) => join(parentPath, name)).sort()
      return Object.fromEntries(paths.map(path => [path.slice(output.length + 1), readFileSync(path, 'utf8')]))
    },
    status: async (route, payload) => (await lab.call(route, payload)).status,
    info: async ip => (await lab.call('GET /client/info', { client: [ip] })).json,
  }
}

/** Both paths of a computer, by its hardware address. */
export function pathsOf(mac: string): { menu: string; grub: string } {
  const pairs = mac.match(/[0-9a-f]{2}/gi) ?? []
  return {
    menu: `menu.lst/01-${pairs.join('-').toUpperCase()}`,
    grub: `grub/01-${pairs.join(':').toLowerCase()}`,
  }
}
