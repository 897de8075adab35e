// The page of the API reference: complete, without foreign parts, and shown by a real browser.
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { startSite } from '../harness/site-folder.ts'
import { token } from '../harness/test-host.ts'

const site = await startSite()
const { lab } = site
const readDocument = async () => (await lab.call('GET /openapi.json')).json

const page = suite('API page')
page.after(() => site.stop())

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

page('GET /docs is one page that loads nothing else', async () => {
  const { status, headers, text } = await lab.call('GET /docs')
  equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  not.match(text, /\bsrc=|href="(?!data:|#)|@import|url\(|import\(|fetch\(/)
  const [, json = ''] = /<script type="application\/json" id="document">(.*)<\/script>/.exec(text) ?? []
  equal(JSON.parse(json), await readDocument())
})

page('its policy allows its own script and styles by their hashes, and nothing else', async () => {
  const { headers, text } = await lab.call('GET /docs')
  const contentOf = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(text)?.[1] ?? ''
  equal(String(headers['content-security-policy']).split('; '), [
    "default-src 'none'",
    `script-src ${hashOf(contentOf('script'))}`,
    `style-src ${hashOf(contentOf('style'))}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  is(headers['referrer-policy'], 'no-referrer')
  // The policy would block these.
  not.match(text, /<[^>]+\s(style|on\w+)=/)
})

page('the summary of a command cannot insert HTML into the page', async () => {
  const summary = '</script><script>alert(1)</script>'
  await site.save('evil.ts', `export default { summary: '${summary}', route: 'GET /evil', answer() {} }\n`)
  not.match((await lab.call('GET /docs')).text, 'alert(1)</script>')
  is((await readDocument()).paths['/evil'].get.summary, summary)
})

/** The document after its script has run. */
async function render(): Promise<string> {
  const browser = await startChromium()
  const url = `http://127.0.0.1:${lab.host.ports.rest}/docs`
  const context = await browser.newContext({ httpCredentials: { username: 'admin', password: token } })
  try {
    const opened = await context.newPage()
    await opened.goto(url)
    return await opened.content()
  } finally {
    await context.close()
    await browser.close()
  }
}

if (chromiumProgram !== undefined)
  page('a browser shows every operation with its route, an example of its answer and a button to copy', async () => {
    const { paths } = await readDocument()
    const html = await render()
    const ids = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
      path.endsWith('/{rest}') ? [] : Object.values(methods).map(({ operationId }) => operationId),
    )
    const articles = html.split('<article ').slice(2)
    equal(articles.map(article => /^id="([^"]+)"/.exec(article)?.[1]).sort(), ids.sort())
    for (const article of articles) match(article, /<button [^>]*class="copy"/)
    const clients = articles.find(article => article.startsWith('id="clients"')) ?? ''
    for (const text of ['Answer', '200 application/json', '"last_cmd"', 'WOL_SENT', '10.1.1.20', 'curl -H'])
      ok(clients.replaceAll(/<[^>]+>/g, '').includes(text), text)
    const setup = articles.find(article => article.startsWith('id="schedule-create"')) ?? ''
    ok(setup.includes('512 October'))
  })

page.run()
