// A site's folder of command files outside the repository, and a lab that serves them: what hot-loading tests use.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FleetEvent } from '../../host/system/events.ts'
import { type Lab, startLab } from './test-host.ts'

export interface Site {
  lab: Lab
  folder: string
  path(name: string): string
  /** Writes a file and resolves when the host has said something of a module; of `file` if that is another. */
  save(name: string, source: string, file?: string): Promise<FleetEvent>
  /** Writes a file, for what the host has nothing to say of. */
  write(name: string, source: string): void
  /** Resolves with the next event of a module's file. */
  told(name: string, type?: FleetEvent['type']): Promise<FleetEvent>
  stop(): Promise<void>
}

export async function startSite(options: Record<string, unknown> = {}): Promise<Site> {
  // As node resolves it: a temporary folder may lie behind a link.
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-site-')))
  const folder = join(parent, 'commands')
  mkdirSync(folder)
  const lab = await startLab({ options: { commands: [folder], ...options } })
  const path = (name: string) => join(folder, name)
  const types: FleetEvent['type'][] = ['module-loaded', 'module-failed', 'module-removed']
  const told = (name: string, type?: FleetEvent['type']) =>
    Promise.any(types.filter(one => !type || one === type).map(one => lab.event(one, { file: path(name) })))
  const write = (name: string, source: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), source)
  }
  return {
    ...{ lab, folder, path, told, write },
    save(name, source, file = name) {
      const heard = told(file)
      write(name, source)
      return heard
    },
    async stop() {
      await lab.stop()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** A command file that answers a route with a text. */
export const saying = (text: string, route = 'GET /hello') =>
  `export default { summary: 'Say something', route: '${route}', answer: () => (${JSON.stringify({ text })}) }\n`
