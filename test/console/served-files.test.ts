// What the daemon serves of the console: the page, its files, and where browsers are led.
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { operationWords } from '../../host/console/app/language/operation-words.ts'
import { createConsole } from '../../host/console/service.ts'
import { readSource, sourceFiles } from '../harness/source-files.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const test = suite<{ host: TestHost }>('files of the console')

test.before(async context => {
  context.host = await startTestHost()
})
test.after(({ host }) => host.stop())

const withoutToken = { Authorization: '' }
/** Kilobytes, compressed: of the scripts and styles that the first page needs, and of the console in one language. */
const maxKilobytes = { first: 55, all: 136 }

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, file = '']) => file)

async function readPage(host: TestHost) {
  const { text } = await host.call('GET /console', undefined, withoutToken)
  const languages: Record<string, string> = JSON.parse(/data-languages='([^']+)'/.exec(text)?.[1] ?? '{}')
  return {
    first: named(text, /(?:src|href)="(console\/[^"]+\.(?:js|css))"/g),
    others: [
      ...named(text, /href="(console\/[^"]+\.svg)"/g),
      ...named(text, /data-later-style="([^"]+)"/g),
      ...Object.values(languages).map(name => `console/${name}`),
    ],
  }
}

/** Those of the page, and the scripts that they name. */
async function filesOf(host: TestHost): Promise<string[]> {
  const { first, others } = await readPage(host)
  const files = new Set(first)
  for (const file of files) {
    const { text } = await host.call(`GET /${file}`, undefined, withoutToken)
    for (const name of named(text, /"\.\/([\w-]+\.js)"/g)) files.add(`console/${name}`)
  }
  return [...files, ...others]
}

const withoutHash = (file: string) => file.replace(/-[0-9a-zA-Z]{8,16}\./, '.')

test('the page is served without a token and names a style sheet, the languages and the first scripts', async ({
  host,
}) => {
  const { status, headers } = await host.call('GET /console', undefined, withoutToken)
  equal([status, headers['content-type'], headers['cache-control']], [200, 'text/html; charset=utf-8', 'no-cache'])
  match(String(headers['content-security-policy']), "default-src 'self'")
  const { first, others } = await readPage(host)
  equal(first.map(withoutHash).sort(), [
    'console/chunk.js',
    'console/chunk.js',
    'console/main.css',
    'console/main.js',
    'console/start.js',
  ])
  const texts = ['ca', 'de', 'en', 'es', 'eu', 'fr', 'gl', 'pt'].map(language => `console/${language}.json`)
  equal(others.map(withoutHash).sort(), [...texts, 'console/icon.svg', 'console/later.css'].sort())
})

test('its files are immutable, compressed when the browser accepts it, and small', async ({ host }) => {
  const sizes = new Map<string, number>()
  for (const file of await filesOf(host)) {
    const plain = await host.call(`GET /${file}`, undefined, withoutToken)
    equal([plain.status, plain.headers['content-encoding']], [200, undefined])
    equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    sizes.set(file, gzipSync(plain.text, { level: 9 }).length)
    const raw = await host.raw(
      `GET /${file} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n`,
    )
    is(/Content-Encoding: gzip/.test(raw), plain.text.length >= 2048)
  }
  const bytesOf = (isText: boolean) =>
    [...sizes].flatMap(([file, bytes]) => (file.endsWith('.json') === isText ? bytes : []))
  const all = sum(bytesOf(false)) + Math.max(...bytesOf(true))
  ok(all < maxKilobytes.all * 1000, `${all} bytes`)
  const { first } = await readPage(host)
  const loaded = sum(first.map(file => sizes.get(file) ?? 0))
  ok(loaded < maxKilobytes.first * 1000, `${loaded} bytes for the first page`)
  ok([...sizes.keys()].some(file => file.startsWith('console/later-')))
})

const textsOf = (file: string): Record<string, string> => JSON.parse(readSource(file))
const languageFiles = readdirSync(new URL('../../host/console/app/language', import.meta.url))
  .filter(file => file.endsWith('.json'))
  .map(file => `host/console/app/language/${file}`)

test('all languages have the same texts, with the same values in them', async ({ host }) => {
  const english = textsOf('host/console/app/language/en.json')
  const valuesOf = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')
  for (const file of languageFiles) {
    const texts = textsOf(file)
    equal([file, Object.keys(texts)], [file, Object.keys(english)])
    const others = Object.keys(english).filter(key => valuesOf(texts[key]) !== valuesOf(english[key]))
    // Where a form for one has no number in it, the number is said by the word.
    equal([file, others.filter(key => !key.endsWith('_one'))], [file, []])
  }
  const { others } = await readPage(host)
  const served = others.find(file => file.startsWith('console/en-'))
  const { json } = await host.call(`GET /${served}`, undefined, withoutToken)
  // It has the texts in groups.
  const entries = Object.entries<Record<string, string>>(json).flatMap(([group, texts]) =>
    Object.entries(texts).map(([key, text]) => [`${group}.${key}`, text]),
  )
  equal(Object.fromEntries(entries), english)
})

test('all languages have words for every operation that is a POST', () => {
  const isOperation = (file: string) => file.startsWith('commands/') && readSource(file).includes("route: 'POST ")
  const names = sourceFiles.filter(isOperation).map(file => basename(file, '.ts'))
  for (const file of languageFiles) {
    const texts = textsOf(file)
    equal([file, names.filter(name => operationWords(name, key => texts[key]) === undefined)], [file, []])
  }
})

test('the page and its files are also found below a path that ends in a slash', async ({ host }) => {
  const page = await host.call('GET /console', undefined, withoutToken)
  equal((await host.call('GET /console/', undefined, withoutToken)).text, page.text)
  for (const file of await filesOf(host)) {
    equal((await host.call(`GET /console/${file}`, undefined, withoutToken)).status, 200)
  }
})

test('a compressed file has the content of the plain one', async ({ host }) => {
  const [file] = await filesOf(host)
  const plain = await host.call(`GET /${file}`, undefined, withoutToken)
  const response = await fetch(`http://127.0.0.1:${host.host.ports.rest}/${file}`)
  equal(await response.text(), plain.text)
  ok(gunzipSync(gzipSync(plain.text)).length > 0)
})

test('callers share the bytes of the page and of each file', async ({ host }) => {
  const console = createConsole()
  const names = (await filesOf(host)).map(file => file.replace('console/', ''))
  for (const rest of [[], ...names.map(name => [name])]) {
    const { body } = await console.respond(rest)
    ok(body instanceof Uint8Array)
    is((await console.respond(rest)).body, body)
  }
})

test('an unknown file of the console is 404, whoever asks', async ({ host }) => {
  for (const path of ['/console/none.js', '/console/a/b', '/console/main.js', '/console/console/none.js']) {
    equal([path, (await host.call(`GET ${path}`, undefined, withoutToken)).status], [path, 404])
    equal([path, (await host.call(`GET ${path}`)).status], [path, 404])
  }
})

test('a path that only begins like that of the console needs a token', async ({ host }) => {
  equal((await host.call('GET /consoles', undefined, withoutToken)).status, 401)
  equal((await host.call('POST /console/x', {}, withoutToken)).status, 401)
})

test('a browser that asks for / is led to the console', async ({ host }) => {
  const { status, headers } = await host.call('GET /', undefined, { ...withoutToken, Accept: 'text/html' })
  equal([status, headers.location], [302, 'console'])
})

test('neither the page nor its files contain a secret of the daemon', async ({ host }) => {
  for (const path of ['console', ...(await filesOf(host))]) {
    not.match((await host.call(`GET /${path}`, undefined, withoutToken)).text, 'the-token')
  }
})

test.run()
