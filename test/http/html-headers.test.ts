// The headers of pages: no script in their text, no other page around them, and nothing reported to other servers.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const test = suite('headers of pages')
test.after(() => site.stop())

const page = (headers: string) =>
  `export default { summary: 'Page', route: 'GET /page', mediaType: 'text/html', answer: ({ services }) => services.text('text/html', '<p>', 200${headers}) }\n`

test('GET /docs has a policy without inline scripts, and may not be framed', async () => {
  const { headers } = await lab.call('GET /docs')
  const policy = String(headers['content-security-policy'])
  match(policy, /default-src 'none'; script-src 'sha256-/)
  match(policy, /frame-ancestors 'none'/)
  not.match(policy, /unsafe/)
  equal(
    [headers['x-content-type-options'], headers['referrer-policy'], headers['x-frame-options']],
    ['nosniff', 'no-referrer', 'DENY'],
  )
  is(headers['strict-transport-security'], undefined)
})

test('a page of a site command has them, too, unless it sets its own', async () => {
  await site.save('page.ts', page(''))
  const { headers } = await lab.call('GET /page')
  match(String(headers['content-security-policy']), /^default-src 'self'; .*frame-ancestors 'none'$/)
  equal([headers['referrer-policy'], headers['x-content-type-options']], ['no-referrer', 'nosniff'])
  await site.save('page.ts', page(`, { 'Content-Security-Policy': "default-src 'none'" }`))
  is((await lab.call('GET /page')).headers['content-security-policy'], "default-src 'none'")
})

test('other responses have no policy', async () => {
  is((await lab.call('GET /clients')).headers['content-security-policy'], undefined)
})

test.run()
