// The live systems that clients may boot, as a JSON file of the site lists them.
import { readFile } from 'node:fs/promises'

/** What a site without such a file has. */
const usual = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

/** `file` holds `{default: index, oglive: [{directory, …}]}`. Rejects when it cannot be read so. */
export async function readLives(file: string | undefined): Promise<{ default: number; oglive: object[] }> {
  if (file === undefined) return { default: 0, oglive: [usual] }
  const found: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (found instanceof Object && 'oglive' in found && Array.isArray(found.oglive)) {
    const index = 'default' in found && Number.isInteger(found.default) ? Number(found.default) : 0
    return { default: index, oglive: found.oglive }
  }
  throw new Error(`${file}: no list of live systems; {"default": 0, "oglive": [{"directory": …}]} would be right`)
}
