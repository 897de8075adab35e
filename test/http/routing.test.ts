// Routing by the longest registered path that a path begins with; the method plays no part in the choice.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { bytesOf, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

// Commands of a site whose routes are prefixes of each other.
const site = mkdtempSync(join(tmpdir(), 'site-'))
for (const [name, route] of Object.entries({
  site: 'GET /site',
  'site-report': 'POST /site/report',
  'site-report-day': 'GET /site/report/day',
  'site-dots': 'GET /s.te',
  sitemap: 'GET /sitemap',
})) {
  const answer = `answer: () => ({ name: '${name}' })`
  writeFileSync(join(site, `${name}.ts`), `export default { summary: '${name}', route: '${route}', ${answer} }\n`)
}

const answer = "rest: true, answer: ({ request }) => ({ name: 'site-items', rest: request.rest })"
writeFileSync(join(site, 'site-items.ts'), `export default { summary: 'x', route: 'GET /site/items', ${answer} }\n`)

const lab = await startTestHost({ options: { commands: [site] } })
const test = suite('routing')
test.after(async () => {
  await lab.stop()
  rmSync(site, { recursive: true })
})

const nameOf = async (route: string) => (await lab.call(route)).json?.name
const statusOf = async (route: string, payload?: unknown) => (await lab.call(route, payload)).status

test('a path that begins with a route belongs to that route', async () => {
  for (const path of ['/clients', '/clientsX', '/clients/', '/clients/127.0.0.1', '/clients%20', '/clients?x=1']) {
    const { status, json } = await lab.call(`GET ${path}`)
    equal([path, status, json], [path, 200, { clients: [] }])
  }
})

test('the query is not part of the path', async () => {
  is(await statusOf('GET /?/clients'), 404)
  is(await nameOf('GET /site?/report/day'), 'site')
})

test('a path that begins with no route is 404', async () => {
  const paths = [
    '/',
    '/client',
    '/clien',
    '/image',
    '/shell',
    '/x/clients',
    '//clients',
    '/./clients',
    '/%63lients',
    '*',
  ]
  for (const path of paths) {
    for (const method of ['GET', 'POST']) {
      const text = await lab.raw(bytesOf(`${method} ${path}`, { body: '{"clients": ["10.0.0.1"]}' }))
      equal([path, ...statusesIn(text)], [path, 404])
    }
  }
})

test('upper and lower case are different paths', async () => {
  for (const path of ['/Clients', '/CLIENTS', '/clientS']) is(await statusOf(`GET ${path}`), 404)
  is(await statusOf('GET /Shell/run', {}), 404)
})

test('a target with scheme and host, as proxies send it, is served by its path, also with an invalid host', async () => {
  for (const target of [
    'http://example.org/clients',
    'HTTP://x:1/clientsX',
    'http://[::1/clients',
    'http://a:99999/clients',
  ]) {
    equal([target, ...statusesIn(await lab.raw(bytesOf(`GET ${target}`)))], [target, 200])
  }
  equal(statusesIn(await lab.raw(bytesOf('GET http://example.org'))), [404])
  equal(statusesIn(await lab.raw(bytesOf('GET http://clients/'))), [404])
})

test('the longest registered prefix wins', async () => {
  is(await nameOf('GET /site'), 'site')
  is(await nameOf('GET /sitemap'), 'sitemap')
  is(await nameOf('GET /site/x'), 'site')
  is(await nameOf('GET /site/report/day'), 'site-report-day')
  is(await nameOf('GET /site/report/day/7'), 'site-report-day')
  is(await nameOf('POST /site/report/daybreak'), 'site-report')
})

test('a method that the longest prefix does not have is 405, also when a shorter prefix has it', async () => {
  is(await statusOf('GET /site/report'), 405)
  is(await statusOf('GET /site/report/daybreak'), 405)
  is(await statusOf('POST /site/reporting'), 405)
  is(await statusOf('POST /site/report/day'), 405)
  is(await statusOf('POST /sitemap'), 405)
})

test('only the paths whose routing the specification shows go on within a part of the path', async () => {
  const { registry } = lab.host
  const paths = registry.commands.filter(({ command }) => command.http?.prefix).map(({ path }) => path)
  const shown =
    'clients client/setup client/info client/add client/delete wol shell/run shell/output session scopes poweroff reboot'
  equal(
    [...new Set(paths)].sort(),
    shown
      .split(' ')
      .map(path => `/${path}`)
      .sort(),
  )
  for (const path of ['/message', '/meX', '/siteX', '/healthzz', '/modules.json']) {
    equal([path, await statusOf(`GET ${path}`)], [path, 404])
  }
  for (const path of ['/me', '/me/', '/me/x', '/modules/', '/clientsX']) {
    equal([path, await statusOf(`GET ${path}`)], [path, 200])
  }
})

test('a route that reads the rest of its path matches only at the end of the path or at a slash', async () => {
  const { json } = await lab.call('GET /site/items/7/x')
  equal(json, { name: 'site-items', rest: ['7', 'x'] })
  equal((await lab.call('GET /site/items')).json, { name: 'site-items', rest: [] })
  is(await nameOf('GET /site/itemsX'), 'site')
  is(await statusOf('GET /jobsX'), 404)
})

test('the characters of a route have no special meaning', async () => {
  is(await nameOf('GET /s.te'), 'site-dots')
  is(await statusOf('GET /sXte'), 404)
})

test('routes that end alike are distinguished', async () => {
  const routes = { '/client/setup': 'partitions', '/session': 'sessions', '/hardware': 'hardware' }
  for (const [path, key] of Object.entries(routes)) {
    equal(Object.keys((await lab.call(`GET ${path}`, { client: ['10.0.0.1'] })).json), [key])
  }
  is(await statusOf('POST /setup', {}), 400)
  is(await statusOf('GET /setup', {}), 405)
  is(await statusOf('POST /client/setup', {}), 405)
})

test.run()
