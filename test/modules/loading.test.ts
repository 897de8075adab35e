// Hot loading: which files are commands, what they may import, and which keys change how they are served.
import { unlinkSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

const test = suite('loading')
test.after(() => site.stop())

test('a new file gets its route, and a deleted file is 404 again', async () => {
  is((await lab.call('GET /hello')).status, 404)
  await site.save('hello.ts', textCommand('one'))
  is(await textOf('/hello'), 'one')
  const removed = site.nextEvent('hello.ts', 'module-removed')
  unlinkSync(site.path('hello.ts'))
  await removed
  is((await lab.call('GET /hello')).status, 404)
})

test('files with the extensions .ts, .mts, .js and .mjs are commands', async () => {
  for (const extension of ['ts', 'mts', 'js', 'mjs']) {
    await site.save(`end-${extension}.${extension}`, textCommand(extension, `GET /end/${extension}`))
    is(await textOf(`/end/${extension}`), extension)
  }
})

test('an edited file replaces its version, and its versions are counted', async () => {
  for (const text of ['one', 'two', 'three']) {
    await site.save('edited.ts', textCommand(text, 'GET /edited'))
    is(await textOf('/edited'), text)
  }
  const { json } = await lab.call('GET /modules')
  const entry = json.modules.find(({ command }: { command: string }) => command === 'edited')
  const { loaded_at, ...rest } = entry
  match(loaded_at, /^\d{4}-\d\d-\d\dT/)
  equal(rest, {
    file: site.path('edited.ts'),
    command: 'edited',
    kind: 'command',
    contract: 2,
    state: 'in service',
    does: 'serves GET /edited',
    origin: site.folder,
    versions: 3,
    version: 3,
    route: 'GET /edited',
  })
})

test('an edited helper file, imported directly or indirectly, replaces the version of the command', async () => {
  const command = `import { text } from './_near.ts'\n${textCommand('', 'GET /deep').replace('"text":""', 'text')}`
  site.write('parts/far.ts', "export const far = 'far one'\n")
  site.write('_near.ts', "import { far } from './parts/far.ts'\nexport const text = far\n")
  await site.save('deep.ts', command)
  is(await textOf('/deep'), 'far one')
  await site.save('parts/far.ts', "export const far = 'far two'\n", 'deep.ts')
  is(await textOf('/deep'), 'far two')
  await site.save('_near.ts', "export const text = 'near'\n", 'deep.ts')
  is(await textOf('/deep'), 'near')
})

test('helpers, tests, declarations, hidden files and files in subfolders are not commands', async () => {
  for (const name of ['_x.ts', '.x.ts', 'x.d.ts', 'x.test.ts', 'notes.txt', 'parts/x.ts'])
    site.write(name, textCommand('no'))
  await site.save('after-them.ts', textCommand('yes', 'GET /after'))
  is((await lab.call('GET /hello')).status, 404)
})

test('a file can import packages installed next to it, built-in modules of Node and types of the host', async () => {
  site.write('node_modules/greeting/package.json', '{"name":"greeting","main":"main.cjs"}')
  site.write('node_modules/greeting/main.cjs', "exports.greet = name => 'hello ' + name\n")
  await site.save(
    'greet.ts',
    `import type { Command } from 'fleet-host'
import { basename } from 'node:path'
import { greet } from 'greeting'
export default {
  summary: 'Greet',
  route: 'GET /greet',
  answer: () => ({ text: greet(basename('/a/you')) + import.meta.url.slice(0, 8) }),
} satisfies Command
`,
  )
  is(await textOf('/greet'), 'hello youfile:///')
})

test('a package is not bundled: it knows its own file, and files that import it share it', async () => {
  site.write('node_modules/counter/package.json', '{"name":"counter","main":"main.cjs"}')
  site.write('node_modules/counter/main.cjs', 'let calls = 0\nexports.next = () => __filename + ++calls\n')
  for (const name of ['first', 'second']) {
    const answer = '() => ({ text: next() })'
    const source = `export default { summary: 'Count', route: 'GET /count/${name}', answer: ${answer} }\n`
    await site.save(`count-${name}.ts`, `import { next } from 'counter'\n${source}`)
  }
  const file = site.path('node_modules/counter/main.cjs')
  equal([await textOf('/count/first'), await textOf('/count/second')], [`${file}1`, `${file}2`])
})

test("a site command with access: 'none' needs no token, by exact path", async () => {
  await site.save('open.ts', textCommand('open', 'GET /open').replace('{ summary', "{ access: 'none', summary"))
  is((await lab.call('GET /open', undefined, { Authorization: 'wrong' })).status, 200)
  is((await lab.call('GET /open/x', undefined, { Authorization: 'wrong' })).status, 401)
  is((await lab.call('GET /open/x')).status, 200)
  is((await lab.call('PUT /open')).status, 405)
})

test.run()
