// Serves the console: one page, its script and its style sheet, bundled once for the life of the process.
import type { ConsoleService } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import { bundleConsole, type ConsoleBundle } from './bundle-console.ts'

/** Names contain a digest of the content: what a browser has of a name never changes. */
const fileHeaders = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** The page names the files of this version. */
const pageHeaders = { 'Cache-Control': 'no-cache', 'Referrer-Policy': 'same-origin' }

export function createConsole(): ConsoleService {
  return {
    async respond(rest) {
      const { page, files } = await sharedBundle()
      // Opened as `/console/`, the page finds its files one level deeper.
      const [name, ...below] = rest[0] === 'console' ? rest.slice(1) : rest
      if (name === undefined) return text('text/html; charset=utf-8', page, 200, pageHeaders)
      const file = below.length === 0 ? files.get(name) : undefined
      return file ? text(file.type, file.content, 200, fileHeaders) : text('text/plain', '', 404)
    },
  }
}

let bundled: Promise<ConsoleBundle> | undefined

/** Several hosts of one process share it. A failure, such as a file that cannot be read, is not kept. */
function sharedBundle(): Promise<ConsoleBundle> {
  bundled ??= bundleConsole().catch((error: unknown) => {
    bundled = undefined
    throw error
  })
  return bundled
}
