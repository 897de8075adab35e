// The frozen site files of a contract, as they say it: the host may know other names for the same.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../host/modules/bundle.ts'
import { evaluate } from '../../host/modules/evaluate.ts'

/** Of a folder, and of the folders of packs in it. */
export const contractFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.m?[jt]s$/.test(name) && !/(^|\/)(_?parts)\//.test(name))
    .map(name => join(folder, name))

/** All keys of the default exports, those of the objects in `groups` as `forward.to`. */
export async function usedKeys(files: readonly string[], groups: readonly string[]): Promise<string[]> {
  const used = new Set<string>()
  for (const file of files) {
    const exported = await exportOf(file)
    for (const [key, value] of Object.entries(exported)) {
      used.add(key)
      if (groups.includes(key)) for (const inner of Object.keys(value)) used.add(`${key}.${inner}`)
    }
  }
  return [...used].sort()
}

async function exportOf(file: string): Promise<Record<string, object>> {
  const bundled = await bundle(file)
  if ('problem' in bundled) throw new Error(bundled.problem)
  return Object(evaluate(bundled.code, file))
}
