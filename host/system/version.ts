// What package.json says of this daemon: its version, and the packages that only some sites need.
import { readFileSync } from 'node:fs'

interface Package {
  version: string
  /** Versions by name. */
  peerDependencies: Record<string, string>
}

export const { version, peerDependencies }: Package = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

const adapterPackages = ['pg', 'pg-connection-string']

/** The one line that says what to install when an import has failed for lack of such a package; else undefined. */
export function missingPackages(error: unknown): string | undefined {
  const [, name = ''] = /^Cannot find package '([^']+)'/.exec(error instanceof Error ? error.message : '') ?? []
  if (!Object.hasOwn(peerDependencies, name)) return undefined
  const names = adapterPackages.includes(name) ? adapterPackages : [name]
  const list = names.map(each => `${each}@${peerDependencies[each]}`).join(' ')
  return `expected packages that are not installed, see docs/operating.md: npm install --global ${list}`
}
