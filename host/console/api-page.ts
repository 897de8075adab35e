// Renders the API page: one file of HTML that contains its styles, its script and the OpenAPI document.
import { createHash } from 'node:crypto'
import type { TextResponse } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import { buildApp, icon } from './bundle-console.ts'

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

let built: ReturnType<typeof buildApp> | undefined

/** `json` is the OpenAPI document. */
export async function renderApiPage(json: string): Promise<TextResponse> {
  built ??= buildApp('iife', 'pages/api/api-page.tsx')
  const { outputFiles } = await built.catch((error: unknown) => {
    built = undefined
    throw error
  })
  const contentOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? ''
  const style = contentOf('.css')
  const script = contentOf('.js')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. /openapi.json has the same as a document.</noscript>
<script type="application/json" id="document">${
    // In HTML, \`</script>\` ends a script even inside a JSON string.
    json.replaceAll('<', '\\u003c')
  }</script>
<script>${script}</script>
</body>
</html>
`
  return text('text/html; charset=utf-8', html, 200, {
    // The browser uses the page's own script and styles, and loads nothing.
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  })
}
