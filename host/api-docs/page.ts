// The page that shows the API to people: one text with its styles, its code and the document, which needs no network.
import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')

/** `json` is the OpenAPI document. */
export function docsPage(json: string): string {
  // In a page `</script>` ends a script also within a text of JSON.
  const safe = json.replaceAll('<', '\\u003c')
  const parts: Record<string, string> = { style: read('page.css'), code: read('page.js'), document: safe }
  return read('page.html').replaceAll(/\/\* (style|code|document) \*\//g, (found, part) => parts[part] ?? found)
}
