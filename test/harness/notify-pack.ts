// A small pack of a site, with a secret and a collection: for tests that need any pack.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHost } from './test-host.ts'

/** The options of a host that gets it. */
export const siteOptions = { commands: ['./site'] }

export const notifySource = `export default {
  summary: 'Send messages',
  every: '1 day',
  settings: {
    type: 'object',
    properties: {
      sender: { type: 'string', default: 'fleet@example.org' },
      password: { type: 'string', writeOnly: true },
    },
  },
  collections: { rules: { type: 'object' } },
  run() {},
}
`

/** Resolves when it is in service. */
export async function addNotifyPack(lab: TestHost, source = notifySource): Promise<void> {
  const folder = join(lab.folder, 'site')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'notify.ts')
  const loaded = lab.event('module-loaded', { file })
  writeFileSync(file, source)
  await loaded
}
