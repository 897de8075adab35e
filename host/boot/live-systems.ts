// The live systems that clients may boot, as a JSON file of the site lists them.
import { readFile } from 'node:fs/promises'

/** What a site without such a file has. */
const usual = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

/** `file` holds `{default: index, oglive: [{directory, …}]}`. Rejects when it is there and cannot be read so. */
export async function readLiveSystems(file: string | undefined): Promise<{ default: number; oglive: object[] }> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(ifAbsent)
  if (text === undefined) return { default: 0, oglive: [usual] }
  const found = parse(text)
  if (found instanceof Object && 'oglive' in found && Array.isArray(found.oglive)) {
    const index = 'default' in found && Number.isInteger(found.default) ? Number(found.default) : 0
    return { default: index, oglive: found.oglive }
  }
  throw new Error(`${file}: expected {"default": 0, "oglive": [{"directory": …}]}, got something else`)
}

/** Undefined for a text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function ifAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
