// A command file that cannot be loaded: the last good version stays in service, and the log has one line with the reason.
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { suite } from 'uvu'
import { is, match, not, ok } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

export const runs = { seconds: 11 }

const site = await startSite()
const { lab } = site
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

/** A good command file with further or other keys. */
const withKeys = (keys: string) =>
  `export default { summary: 'Answer', route: 'GET /broken', answer: () => ({ text: 'new' }), ${keys} }\n`
const clients = "payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }"

const brokenFiles: Record<string, [source: string, reason: RegExp]> = {
  'a syntax error': [
    'export default {\n  summary: "x"\n  route: 1,\n}\n',
    /broken\.ts:3: Expected "}" but found "route"/,
  ],
  'a throw at load': ["\n\nthrow new Error('not today')\n", /broken\.ts:3: not today/],
  'a throw of null': ['throw null\n', /null/],
  'a top-level await': ['await null\nexport default {}\n', /broken\.ts:1: Top-level await/],
  'an endless loop': ['while (true) {}\n', /does not return: expected to load within 500 ms/],
  'an endless recursion': ['const f = () => f()\nf()\n', /Maximum call stack/],
  'a call of process.exit': ['process.exit(0)\n', /a command file must not call process\.exit\(\)/],
  'a property for all objects': [
    'Object.prototype.polluted = 1\n',
    /Object\.prototype\.polluted: expected no change of what all code uses|not extensible/,
  ],
  'a method for all texts': [
    'Object.defineProperty(String.prototype, "shout", { value: () => "!", configurable: true })\nexport default {}\n',
    /String\.prototype\.shout: expected no change|not extensible/,
  ],
  'another JSON.parse': ['JSON.parse = () => 7\n', /JSON\.parse: expected no change of what all code uses, got one/],
  'another JSON, after another process.nextTick': [
    'process.nextTick = () => {}\nglobalThis.JSON = {}\n',
    /globalThis\.JSON: expected no change/,
  ],
  'another fetch': ['globalThis.fetch = () => 7\n', /globalThis\.fetch: expected no change/],
  'another iterator of arrays': [
    'Array.prototype[Symbol.iterator] = () => 7\n',
    /Array\.prototype\.a symbol: expected/,
  ],
  'no Array.prototype.map': ['delete Array.prototype.map\n', /Array\.prototype\.map: expected no change/],
  'no content': ['', /file: expected 'export default \{ … \}', got no default export/],
  'an incomplete text': ["export default { summary: 'Answer', ro", /broken\.ts:1: /],
  'a named export only': ['export const command = {}\n', /got no default export/],
  'a default export that is not an object': ['export default 7\n', /module: expected an object, got 7/],
  'an unknown key': [withKeys('anwser: () => 1'), /command: expected answer, got unknown key "anwser"/],
  'a missing key': ["export default { route: 'GET /broken', answer() {} }\n", /command: summary is missing/],
  'a key with a wrong type': [withKeys('answer: 7'), /answer: .*a function, got 7/],
  'a route without a method': [
    withKeys("route: '/broken'"),
    /route: expected GET, POST or DELETE and a path without .*, got "\/broken"/,
  ],
  'a route with a trailing slash': [withKeys("route: 'GET /broken/'"), /route: expected .*, got "GET \/broken\/"/],
  'a route without a segment': [withKeys("route: 'GET /'"), /route: expected .*, got "GET \/"/],
  'a route with another method': [withKeys("route: 'PUT /broken'"), /route: expected .*, got "PUT \/broken"/],
  'a route with letters that no request has': [withKeys("route: 'GET /ünï'"), /route: expected .*, got "GET \/ünï"/],
  'an unknown property of import.meta': [
    'console.log(import.meta.main)\nexport default {}\n',
    /broken\.ts:1: import\.meta: expected url, dirname or filename, got another property/,
  ],
  'an unknown key of forward': [
    `${withKeys(`${clients}, forward: { too: 'GET /x' }`)}`,
    /forward: expected to, got unknown key "too"/,
  ],
  'a schema with an unknown keyword': [withKeys("payload: { type: 'object', requierd: [] }"), /payload: .*requierd/],
  'a schema with an unknown type': [withKeys("payload: { type: 'objekt' }"), /payload.*type/],
  'a schema with an unknown format': [
    withKeys("payload: { type: 'object', properties: { at: { type: 'string', format: 'hour' } } }"),
    /payload: expected a format of date-time, .*, uri, got hour/,
  ],
  'a schema with an unknown $ref': [
    withKeys("payload: { $ref: 'clint' }"),
    /payload: expected a \$ref to one of clients, .*, got clint/,
  ],
  'a forward without clients': [
    withKeys("forward: { to: 'POST /x' }"),
    /payload: expected the required key clients: .*, got none/,
  ],
  'an onReply without a reply schema': [
    withKeys(`${clients}, forward: { to: 'POST /x', onReply() {} }`),
    /forward\.onReply: expected a schema forward\.reply, got none/,
  ],
  'an example that does not match the payload': [
    withKeys(`${clients}, example: { clients: ['x'] }`),
    /example: clients\[0\]: expected four numbers .*, got "x"/,
  ],
  'none of answer, act and forward': [
    withKeys('answer: undefined').replace("answer: () => ({ text: 'new' }), ", ''),
    /answer: .*a function, got undefined|command: expected answer, act or forward, got none of them/,
  ],
  'the route of a built-in command': [
    withKeys("route: 'GET /clients'"),
    /GET \/clients belongs to .*commands\/clients\.ts/,
  ],
  'the route of another site file': [withKeys("route: 'GET /other'"), /GET \/other belongs to .*other\.ts/],
  'an import of a missing file': [
    "import './_gone.ts'\nexport default {}\n",
    /broken\.ts:1: Could not resolve "\.\/_gone\.ts"/,
  ],
  'a package that is not installed': [
    "import 'no-such-package'\nexport default {}\n",
    /broken\.ts:1: expected a package that can be required, got no-such-package, which is not installed/,
  ],
  'a package that can only be imported': [
    "import 'import-only'\nexport default {}\n",
    /broken\.ts:1: expected a package that can be required, got import-only, which can only be imported/,
  ],
}

const irregular = /_\w+\.ts: expected a regular file of at most 5000000 bytes, got /
Object.assign(brokenFiles, {
  'an import of a device': [
    "import '/dev/zero'\nexport default {}\n",
    /\/dev\/zero: expected a regular file .* got a device/,
  ],
  'an import of a link to a device': [
    "import './_device.ts'\nexport default {}\n",
    /\/dev\/zero: expected a regular file/,
  ],
  'an import of a pipe': ["import './_pipe.ts'\nexport default {}\n", irregular],
  'an import of a file that is too large': ["import './_large.ts'\nexport default {}\n", irregular],
  'a package that is a pipe': [
    "import 'pipe'\nexport default {}\n",
    /index\.js: expected a regular file .* got a device/,
  ],
})
symlinkSync('/dev/zero', site.path('_device.ts'))
site.write('_large.ts', ' '.repeat(5_000_001))
site.write('node_modules/pipe/package.json', '{"name":"pipe","main":"index.js"}')
spawnSync('mkfifo', [site.path('_pipe.ts'), site.path('node_modules/pipe/index.js')])

site.write('node_modules/import-only/package.json', '{"name":"import-only","exports":{".":{"import":"./x.mjs"}}}')
site.write('node_modules/import-only/x.mjs', 'export default 1\n')
await site.save('other.ts', textCommand('other', 'GET /other'))

const test = suite('loading failures')

for (const [name, [source, reason]] of Object.entries(brokenFiles)) {
  test(`${name}: the old version still serves, one line has the reason, and the next good save loads`, async () => {
    await site.save('broken.ts', textCommand(`before ${name}`, 'GET /broken'))
    const before = lab.log.length
    const event = await site.save('broken.ts', source)
    is(event.type, 'module-failed', JSON.stringify(event))
    is(await textOf('/broken'), `before ${name}`)
    const lines = lab.log.slice(before).filter(line => line.includes('broken.ts'))
    is(lines.length, 1, lines.join())
    match(lines[0] ?? '', reason)
    match(lines[0] ?? '', /warn {2}modules: \/.*\/broken\.ts:.* .*; version \d+ stays in service\n$/)
    not.match(lines[0] ?? '', /\/broken\.ts:.*\/broken\.ts:\d/)
    const entry = lab.host.loader.list().find(({ command }) => command === 'broken')
    ok(entry?.error && reason.test(entry.error))
    await site.save('broken.ts', textCommand(`after ${name}`, 'GET /broken'))
    is(await textOf('/broken'), `after ${name}`)
    is(lab.host.loader.list().find(({ command }) => command === 'broken')?.error, undefined)
  })
}

test.after(() => site.stop())
test.run()
