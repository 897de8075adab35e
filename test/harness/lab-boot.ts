// What a lab does with boot files, and with imports of computers, which must not change them.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { equal, is } from 'uvu/assert'
import type { TestHost } from './test-host.ts'

/** A folder for the host, with copies of the shipped templates, which a test may change. */
export function bootFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'boot-host-'))
  const options = { templates: join(folder, 'templates'), output: join(folder, 'output') }
  cpSync(join(import.meta.dirname, '../../boot-templates'), options.templates, { recursive: true })
  return { folder, options }
}

export function bootCalls(testHost: TestHost, { templates, output } = { templates: '', output: '' }) {
  const { call, log } = testHost
  const send = (format: string, text: string, more: object = {}) =>
    call('POST /client/import', { format, text, room: 1, ...more })
  const exported = async () => (await call('GET /client/export')).text
  /** All boot files, also hidden ones: path → text. */
  function files(): Record<string, string> {
    if (!existsSync(output)) return {}
    const entries = readdirSync(output, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return Object.fromEntries(paths.map(path => [path.slice(output.length + 1), readFileSync(path, 'utf8')]))
  }
  return {
    templates,
    bootOutput: output,
    files,
    /** Sends a request whose status must be 200. */
    ok: async (route: string, payload: unknown) => is((await call(route, payload)).status, 200, log.at(-1)),
    info: async (ip: string): Promise<Record<string, unknown>> =>
      (await call('GET /client/info', { client: [ip] })).json,
    send,
    exported,
    /** The report of an import that changes no record and no boot file. */
    async importUnchanged(format: string, text: string, more: object = {}) {
      const before = [await exported(), files()]
      const { json } = await send(format, text, more)
      equal([await exported(), files()], before)
      return json
    },
  }
}

export const lines = (...text: string[]) => text.join('\n')

/** The paths of both boot files of a computer, by its hardware address. */
export function pathsOf(mac: string): { menu: string; grub: string } {
  const pairs = mac.match(/[0-9a-f]{2}/gi) ?? []
  return {
    menu: `menu.lst/01-${pairs.join('-').toUpperCase()}`,
    grub: `grub/01-${pairs.join(':').toLowerCase()}`,
  }
}
