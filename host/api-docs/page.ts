// Renders the API reference as one HTML page that contains its styles, its script and the document.
import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')

/** `json` is the OpenAPI document. */
export function renderPage(json: string): string {
  // In HTML, `</script>` ends a script even inside a JSON string.
  const safeJson = json.replaceAll('<', '\\u003c')
  const contents: Record<string, string> = { style: read('page.css'), code: read('page.js'), document: safeJson }
  return read('page.html').replaceAll(
    /\/\* (style|code|document) \*\//g,
    (placeholder, name) => contents[name] ?? placeholder,
  )
}
