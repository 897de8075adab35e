// Starts a test host that serves a site's folder of command files outside the repository, for tests of hot loading.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FleetEvent } from '../../host/system/events.ts'
import { startTestHost, type TestHostOptions } from './test-host.ts'

const moduleEvents: FleetEvent['type'][] = ['module-loaded', 'module-failed', 'module-removed']

export async function startSite(options: Record<string, unknown> = {}, more: Omit<TestHostOptions, 'options'> = {}) {
  // Without links, as Node resolves paths: the folder of temporary files may be one.
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-site-')))
  const folder = join(parent, 'commands')
  mkdirSync(folder)
  const lab = await startTestHost({ ...more, options: { commands: [folder], ...options } })
  const path = (name: string) => join(folder, name)
  /** Resolves with the next event of a command file, of any type if none is named. */
  const nextEvent = (name: string, type?: FleetEvent['type']): Promise<FleetEvent> => {
    const types = type ? [type] : moduleEvents
    return Promise.any(types.map(one => lab.event(one, { file: path(name) })))
  }
  /** Writes a file without waiting for an event. */
  const write = (name: string, source: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), source)
  }
  return {
    lab,
    folder,
    path,
    write,
    nextEvent,
    /** Writes a file; resolves with the next event of that file, or of `eventFile`. */
    save(name: string, source: string, eventFile = name) {
      const event = nextEvent(eventFile)
      write(name, source)
      return event
    },
    async stop() {
      await lab.stop()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** The source of a command file that answers `{ text }`. */
export const textCommand = (text: string, route = 'GET /hello') =>
  `export default { summary: 'Answer a text', route: '${route}', answer: () => (${JSON.stringify({ text })}) }\n`
