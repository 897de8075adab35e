// Bundles the built-in commands and packs once for all processes of a test run, each of which loads all of them.
// In the bundles of test files this file stands for host/modules/bundle.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedCommand } from '../../../host/contract/loaded-command.ts'
import type { Bundle } from '../../../host/modules/bundle.ts'
import { FolderLists } from '../../../host/modules/folder-lists.ts'
import { placeOf } from '../../../host/modules/module-files.ts'
import { fingerprintOf } from '../../../host/system/file-states.ts'
import { bundlesVariable, root } from './bundled-file.ts'
import { writeValidSchemas } from './cached-schemas.ts'

const name = 'command-bundles.json'

/** By the path of the file. */
type Bundles = Record<string, Extract<Bundle, { code: string }>>

export async function writeCommandBundles(folder: string): Promise<void> {
  const { bundle } = await import('../../../host/modules/bundle.ts')
  const { loadFile } = await import('../../../host/modules/load-file.ts')
  const paths = [join(root, 'commands'), join(root, 'commands/packs')].map(path => ({ path, origin: 'built-in' }))
  const bundles: Bundles = {}
  const commands: LoadedCommand['command'][] = []
  for (const { file, isInPack } of await new FolderLists(paths, { warn() {} }).list([])) {
    const result = await bundle(file)
    if ('code' in result) bundles[file] = result
    const { checked, problem } = await loadFile(file, { place: placeOf(file, isInPack) })
    if (problem !== undefined) throw new Error(`${file}: ${problem}`)
    if (checked?.module.kind === 'command') commands.push(checked.module.command)
  }
  writeFileSync(join(folder, name), JSON.stringify(bundles))
  writeValidSchemas(folder, commands)
}

const file = join(process.env[bundlesVariable] ?? '', name)
const bundles: Bundles = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** A file that has changed since the start of the test run, or that is not built in, is bundled now. */
export async function bundle(file: string): Promise<Bundle> {
  const known = bundles[file]
  if (known && Object.entries(known.inputs).every(([input, fingerprint]) => fingerprintOf(input) === fingerprint))
    return known
  const { bundle } = await import('../../../host/modules/bundle.ts')
  return bundle(file)
}
