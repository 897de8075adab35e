// Renders the API reference as one HTML page that contains its styles, its script and the document.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TextResponse } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')

/** In the sequence in which they need each other. */
const scripts = ['elements.js', 'schemas.js', 'operations.js', 'page.js']

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** `json` is the OpenAPI document. */
export function renderPage(json: string): TextResponse {
  const style = read('page.css')
  const code = scripts.map(read).join('\n')
  // In HTML, `</script>` ends a script even inside a JSON string.
  const contents: Record<string, string> = { style, code, document: json.replaceAll('<', '\\u003c') }
  const html = read('page.html').replaceAll(
    /\/\* (style|code|document) \*\//g,
    (placeholder, name) => contents[name] ?? placeholder,
  )
  return text('text/html; charset=utf-8', html, 200, headersOf(style, code))
}

/** The browser uses the page's own script and styles, and loads nothing. */
function headersOf(style: string, code: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' }
}
