// Finds the bundle of a source file that `npm test` has made, which starts faster than the file itself.
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

/** Names the folder of the bundles; unset when a test file runs without `npm test`. */
export const bundlesVariable = 'FLEET_TEST_BUNDLES'

/** `file` is an absolute path, or relative to the repository. Undefined when there is no bundle. */
function bundleOf(file: string): string | undefined {
  const folder = process.env[bundlesVariable]
  const bundle = folder && join(folder, relative(root, resolve(root, file)).replace(/\.ts$/, '.mjs'))
  return bundle && existsSync(bundle) ? bundle : undefined
}

export const isBundled = (file: string): boolean => bundleOf(file) !== undefined

/** `fleet`, which Node runs in any folder. */
export const fleetProgram = (): string => bundleOf('host/cli/fleet.mjs') ?? join(root, 'host/cli/fleet.mjs')

/** V8 of Node 20 optimizes functions early, which takes more processor time than most tests then save: a sixth of it. */
const isEager = Number.parseInt(process.versions.node, 10) < 22
const bundleArguments = isEager ? ['--interrupt-budget=1000000'] : []

/** The arguments with which Node runs a TypeScript file of this repository. */
export function nodeArguments(file: string): string[] {
  const bundle = bundleOf(file)
  if (bundle === undefined) return ['--import', 'tsx', file]
  // A daemon would read the maps of all its code at each start.
  return [...bundleArguments, ...(bundle.endsWith('/host/main.mjs') ? [] : ['--enable-source-maps']), bundle]
}

/** Stands for `import(file)` in bundles: Node itself does not load TypeScript. */
export const importBundled = (file: string): Promise<unknown> => import(bundleOf(file) ?? file)
