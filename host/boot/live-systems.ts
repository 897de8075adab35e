// Reads the live systems that clients may boot from a JSON file of the site.
import { readFile } from 'node:fs/promises'
import { isNotFound } from '../system/fs-errors.ts'

/** The only live system of a site without such a file. */
const defaultSystem = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

/** `file` holds `{default: index, oglive: [{directory, …}]}`. Rejects when the file exists but has another content. */
export async function readLiveSystems(file: string | undefined): Promise<{ default: number; oglive: object[] }> {
  const text = file === undefined ? undefined : await readIfExists(file)
  if (text === undefined) return { default: 0, oglive: [defaultSystem] }
  const list = parse(text)
  if (list instanceof Object && 'oglive' in list && Array.isArray(list.oglive)) {
    const index = 'default' in list && Number.isInteger(list.default) ? Number(list.default) : 0
    return { default: index, oglive: list.oglive }
  }
  const start = JSON.stringify(text.slice(0, 80))
  throw new Error(`${file}: expected {"default": 0, "oglive": [{"directory": …}]}, got ${start}`)
}

function readIfExists(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(error => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

/** Undefined for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
