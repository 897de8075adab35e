// Hot loading that fails: the last good version stays in service, the log says what is wrong, the next save recovers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { saying, startSite } from '../harness/site-folder.ts'
import { startLab } from '../harness/test-host.ts'

const site = await startSite({ limits: { answer_seconds: 0.2 } })
const { lab } = site
const says = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

/** A command file with `keys` in place of, or beside, a good one's. */
const withKeys = (keys: string) =>
  `export default { summary: 'Say', route: 'GET /broken', answer: () => ({ text: 'new' }), ${keys} }\n`
const clients = "payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }"

const broken: Record<string, [source: string, reason: RegExp]> = {
  'a syntax error': [
    'export default {\n  summary: "x"\n  route: 1,\n}\n',
    /broken\.ts:3: Expected "}" but found "route"/,
  ],
  'a throw at load': ["\n\nthrow new Error('not today')\n", /broken\.ts:3: not today/],
  'a throw of nothing': ['throw null\n', /null/],
  'a top-level await': ['await null\nexport default {}\n', /broken\.ts:1: Top-level await/],
  'a load that never returns': ['while (true) {}\n', /does not return; a file must have loaded within 500 ms/],
  'a load that never ends its recursion': ['const f = () => f()\nf()\n', /Maximum call stack/],
  'an exit': ['process.exit(0)\n', /process\.exit\(\) is not for a command file/],
  'an empty file': ['', /no default export; 'export default \{ … \}' would be right/],
  'half a file': ["export default { summary: 'Say', ro", /broken\.ts:1: /],
  'no default export': ['export const command = {}\n', /no default export/],
  'a default export that is no object': ['export default 7\n', /command: expected an object, got 7/],
  'an unknown key': [withKeys('anwser: () => 1'), /expected answer, got unknown key "anwser"/],
  'a missing key': ["export default { route: 'GET /broken', answer() {} }\n", /command: summary is missing/],
  'a key of a wrong type': [withKeys('answer: 7'), /answer: must be a function, got 7/],
  'a route without a method': [
    withKeys("route: '/broken'"),
    /route: wrong form, got "\/broken"; GET or POST and a path/,
  ],
  'a route with a trailing slash': [withKeys("route: 'GET /broken/'"), /route: wrong form/],
  'a route without a segment': [withKeys("route: 'GET /'"), /route: wrong form/],
  'a route with another method': [withKeys("route: 'PUT /broken'"), /route: wrong form/],
  'a route that no request can have': [withKeys("route: 'GET /ünï'"), /route: wrong form/],
  'what import.meta does not have': [
    'console.log(import.meta.main)\nexport default {}\n',
    /broken\.ts:1: import\.meta has only/,
  ],
  'an unknown key of forward': [
    `${withKeys(`${clients}, forward: { too: 'GET /x' }`)}`,
    /forward: (to is missing|unknown key "too"; to would)/,
  ],
  'a schema with an unknown word': [withKeys("payload: { type: 'object', requierd: [] }"), /payload: .*requierd/],
  'a schema with an unknown type': [withKeys("payload: { type: 'objekt' }"), /payload.*type/],
  'a schema with an unknown piece': [
    withKeys("payload: { $ref: 'clint' }"),
    /no schema is named clint; one of clients, /,
  ],
  'a forward without clients': [withKeys("forward: { to: 'POST /x' }"), /payload: no clients; /],
  'a settle without a reply': [
    withKeys(`${clients}, forward: { to: 'POST /x' }, settle() {}`),
    /settle: there is no reply/,
  ],
  'an example that does not fit': [
    withKeys(`${clients}, example: { clients: ['x'] }`),
    /example: clients\[0\]: wrong form, got "x"/,
  ],
  'nothing to do': [
    withKeys('answer: undefined').replace("answer: () => ({ text: 'new' }), ", ''),
    /answer: must be a function, got undefined|does nothing/,
  ],
  "a built-in command's route": [withKeys("route: 'GET /clients'"), /GET \/clients belongs to .*commands\/clients\.ts/],
  "another site file's route": [withKeys("route: 'GET /other'"), /GET \/other belongs to .*other\.ts/],
  'an import that is not there': [
    "import './_gone.ts'\nexport default {}\n",
    /broken\.ts:1: Could not resolve "\.\/_gone\.ts"/,
  ],
  'a package that is not there': [
    "import 'no-such-package'\nexport default {}\n",
    /broken\.ts:1: there is no package no-such-package; /,
  ],
  'a package that can only be imported': [
    "import 'import-only'\nexport default {}\n",
    /broken\.ts:1: package import-only can only be imported; /,
  ],
}

site.write('node_modules/import-only/package.json', '{"name":"import-only","exports":{".":{"import":"./x.mjs"}}}')
site.write('node_modules/import-only/x.mjs', 'export default 1\n')
await site.save('other.ts', saying('other', 'GET /other'))

const test = suite('loading failures')

for (const [name, [source, reason]] of Object.entries(broken)) {
  test(`${name}: the old version still serves, one line says why, the next good save recovers`, async () => {
    await site.save('broken.ts', saying(`before ${name}`, 'GET /broken'))
    const before = lab.log.length
    const event = await site.save('broken.ts', source)
    is(event.type, 'module-failed', JSON.stringify(event))
    is(await says('/broken'), `before ${name}`)
    const lines = lab.log.slice(before).filter(line => line.includes('broken.ts'))
    is(lines.length, 1, lines.join())
    match(lines[0] ?? '', reason)
    match(lines[0] ?? '', /warn {2}modules: \/.*\/broken\.ts: .*; version \d+ stays in service\n$/)
    const entry = lab.host.loader.list().find(({ command }) => command === 'broken')
    ok(entry?.error && reason.test(entry.error))
    await site.save('broken.ts', saying(`after ${name}`, 'GET /broken'))
    is(await says('/broken'), `after ${name}`)
    is(lab.host.loader.list().find(({ command }) => command === 'broken')?.error, undefined)
  })
}

test('a file that is saved while it is read is told of as it is then', async () => {
  spawnSync('mkfifo', [site.path('_slow.ts')])
  const before = lab.log.length
  const event = site.save('halfway.ts', `import './_slow.ts'\n${saying('first', 'GET /halfway')}`)
  // Opens when there is a reader: the file is being read.
  const slow = await open(site.path('_slow.ts'), 'w')
  site.write('halfway.ts', saying('second', 'GET /halfway'))
  await slow.writeFile('export const half = (')
  await slow.close()
  is((await event).type, 'module-loaded')
  is(await says('/halfway'), 'second')
  equal(
    lab.log.slice(before).filter(line => /warn/.test(line)),
    [],
  )
})

test('a folder that is not there is told of, and what comes into it is loaded', async () => {
  const folder = join(site.folder, '..', 'later')
  const late = await startLab({ options: { commands: [folder] } })
  try {
    const warning = `warn  modules: ${folder}: there is no such folder yet; what comes into it is loaded\n`
    equal(late.log.filter(line => line.endsWith(warning)).length, 1)
    const loaded = late.event('module-loaded', { file: join(folder, 'hello.ts') })
    mkdirSync(folder)
    writeFileSync(join(folder, 'hello.ts'), saying('hello'))
    await loaded
    is((await late.call('GET /hello')).json.text, 'hello')
  } finally {
    await late.stop()
  }
})

test('a package that is installed later is found when the same text is saved again', async () => {
  const source = `import { word } from 'later'\nexport default { summary: 'x', route: 'GET /later', answer: () => ({ text: word }) }\n`
  is((await site.save('later.ts', source)).type, 'module-failed')
  site.write('node_modules/later/package.json', '{"name":"later","main":"main.cjs"}')
  site.write('node_modules/later/main.cjs', "exports.word = 'here'\n")
  is((await site.save('later.ts', source)).type, 'module-loaded')
  is(await says('/later'), 'here')
})

test('a file whose time ran out while the processor did something else is run once more', async () => {
  const waits = (times: number) => `globalThis.waits ??= ${times}
if (globalThis.waits-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
delete globalThis.waits
`
  is((await site.save('starved.ts', waits(1) + saying('late', 'GET /starved'))).type, 'module-loaded')
  is(await says('/starved'), 'late')
  const event = await site.save('starved.ts', waits(9) + saying('later', 'GET /starved'))
  match(event.type === 'module-failed' ? event.reason : '', /does not return/)
  is(await says('/starved'), 'late')
})

test('what is no regular file is no command, and keeps no other file waiting', async () => {
  spawnSync('mkfifo', [site.path('pipe.ts')])
  mkdirSync(site.path('folder.ts'))
  symlinkSync('/nowhere/at/all.ts', site.path('dangling.ts'))
  is((await site.save('beside.ts', saying('beside', 'GET /beside'))).type, 'module-loaded')
  is(await says('/beside'), 'beside')
})

test('a helper that was missing is found as soon as it is there', async () => {
  const event = await site.save(
    'needs.ts',
    "import { text } from './lib/_late'\nexport default { summary: 'x', route: 'GET /needs', answer: () => ({ text }) }\n",
  )
  is(event.type, 'module-failed')
  is((await site.save('lib/_late.ts', "export const text = 'here'\n", 'needs.ts')).type, 'module-loaded')
  is(await says('/needs'), 'here')
})

test('among site files the one in service keeps a route; when it goes the other one takes it', async () => {
  await site.save('first.ts', saying('first', 'GET /wanted'))
  is((await site.save('second.ts', saying('second', 'GET /wanted'))).type, 'module-failed')
  is(await says('/wanted'), 'first')
  const taken = site.told('second.ts', 'module-loaded')
  await site.save('first.ts', saying('first', 'GET /elsewhere'))
  await taken
  is(await says('/wanted'), 'second')
  is(await says('/elsewhere'), 'first')
})

test('a name that a built-in command has is not for a site file', async () => {
  const event = await site.save('wol.ts', saying('no', 'GET /other-wol'))
  equal(
    [event.type, 'reason' in event && /^the name wol belongs to /.test(String(event.reason))],
    ['module-failed', true],
  )
})

const handler = (answer: string) => `export default { summary: 'x', route: 'GET /handler', answer: ${answer} }\n`

test('a handler that throws gives 500 to its caller only, with one stack in the log', async () => {
  await site.save('handler.ts', handler("() => { throw new Error('handler broke') }"))
  const before = lab.log.length
  const { status, text } = await lab.call('GET /handler')
  equal([status, text], [500, ''])
  is((await lab.call('GET /clients')).status, 200)
  const lines = lab.log.slice(before)
  is(lines.filter(line => /handler\.ts.*handler broke/.test(line)).length >= 1, true)
  is(lines.filter(line => /\n? {2,}at /.test(line)).length, 1)
})

test('a handler whose promise does not settle is cut off with 500', async () => {
  await site.save('handler.ts', handler('() => new Promise(() => {})'))
  is((await lab.call('GET /handler')).status, 500)
  await lab.logged(/GET \/handler .*500.*no answer within 0\.2 s/)
})

const text = (body: string) => handler(`() => ({ type: 'text/plain', body: ${body} })`)

test('a handler may answer a text or a stream of a type of its own', async () => {
  await site.save('handler.ts', text("'hello ñ'"))
  const { status, headers, text: said } = await lab.call('GET /handler')
  equal([status, headers['content-type'], said], [200, 'text/plain', 'hello ñ'])
  await site.save('handler.ts', text("(async function* () { yield 'one '; yield 'two' })()"))
  is((await lab.call('GET /handler')).text, 'one two')
})

test('a stream that fails before its first chunk, or never begins, gives 500', async () => {
  await site.save('handler.ts', text("(async function* () { throw new Error('no chunk') })()"))
  is((await lab.call('GET /handler')).status, 500)
  await site.save('handler.ts', text('(async function* () { await new Promise(() => {}) })()'))
  is((await lab.call('GET /handler')).status, 500)
})

for (const [name, answer] of [
  ['a function', '() => () => 1'],
  ['a text', "() => 'text'"],
  ['what JSON cannot say', '() => { const a = {}; a.a = a; return a }'],
  ['a number that JSON cannot say', '() => ({ big: 1n })'],
]) {
  test(`a handler that answers ${name} gives 500`, async () => {
    await site.save('handler.ts', handler(String(answer)))
    is((await lab.call('GET /handler')).status, 500)
  })
}

test('a settle that throws is a failure of that client only', async () => {
  await site.save(
    'settling.ts',
    `export default { summary: 'x', route: 'POST /settling', ${clients}, forward: { to: 'POST /settling' },
  reply: { type: 'object' }, settle(reply, { addr }) { if (addr === '127.0.8.1') throw new Error('settle broke') } }\n`,
  )
  const addrs = ['127.0.8.1', '127.0.8.2']
  const agents = await Promise.all(addrs.map(addr => lab.agent(addr)))
  const ended = addrs.map(addr => lab.event('command-ended', { addr, command: 'settling' }))
  await lab.call('POST /settling', { clients: addrs })
  for (const agent of agents) {
    await agent.next('/settling')
    agent.answer(200, {})
  }
  const [first, second] = await Promise.all(ended)
  equal([first?.result, first?.reason], ['failure', 'answer not stored: settle broke'])
  is(second?.result, 'success')
})

test.after(() => site.stop())
test.run()
