// Hot loading: what is dropped in, edited, renamed or deleted is in force without a restart.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { saying, startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const late = join(site.folder, '..', 'late')
const linked = join(site.folder, '..', 'linked')
const folders = await startSite({ commands: [late, linked] })

const says = async (path: string, at = lab) => (await at.call(`GET ${path}`)).json?.text
const test = suite('loading')

test('a file that is dropped in is routed; deleted it is 404 again', async () => {
  is((await lab.call('GET /hello')).status, 404)
  await site.save('hello.ts', saying('one'))
  is(await says('/hello'), 'one')
  const removed = site.told('hello.ts', 'module-removed')
  unlinkSync(site.path('hello.ts'))
  await removed
  is((await lab.call('GET /hello')).status, 404)
})

test('each ending is served: .ts, .mts, .js, .mjs', async () => {
  for (const ending of ['ts', 'mts', 'js', 'mjs']) {
    await site.save(`end-${ending}.${ending}`, saying(ending, `GET /end/${ending}`))
    is(await says(`/end/${ending}`), ending)
  }
})

test('an edited file is swapped, its versions are counted', async () => {
  for (const text of ['one', 'two', 'three']) {
    await site.save('edited.ts', saying(text, 'GET /edited'))
    is(await says('/edited'), text)
  }
  const { json } = await lab.call('GET /modules')
  const entry = json.modules.find(({ command }: { command: string }) => command === 'edited')
  const { loaded_at, ...rest } = entry
  match(loaded_at, /^\d{4}-\d\d-\d\dT/)
  equal(rest, {
    ...{ file: site.path('edited.ts'), command: 'edited', origin: site.folder, versions: 3, version: 3 },
    route: 'GET /edited',
  })
})

test('a relative helper that is edited, at any depth, swaps the command', async () => {
  const command = `import { text } from './_near.ts'\n${saying('', 'GET /deep').replace('"text":""', 'text')}`
  site.write('parts/far.ts', "export const far = 'far one'\n")
  site.write('_near.ts', "import { far } from './parts/far.ts'\nexport const text = far\n")
  await site.save('deep.ts', command)
  is(await says('/deep'), 'far one')
  await site.save('parts/far.ts', "export const far = 'far two'\n", 'deep.ts')
  is(await says('/deep'), 'far two')
  await site.save('_near.ts', "export const text = 'near'\n", 'deep.ts')
  is(await says('/deep'), 'near')
})

test('a helper, a test, a declaration and a hidden file are no commands', async () => {
  for (const name of ['_x.ts', '.x.ts', 'x.d.ts', 'x.test.ts', 'notes.txt', 'parts/x.ts'])
    site.write(name, saying('no'))
  await site.save('after-them.ts', saying('yes', 'GET /after'))
  is((await lab.call('GET /hello')).status, 404)
})

test('packages installed beside the files are found, built-ins of Node and types of the host too', async () => {
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
  is(await says('/greet'), 'hello youfile:///')
})

test('a renamed file is one command, with no refused request in between', async () => {
  await site.save('before.ts', saying('same', 'GET /renamed'))
  const loaded = site.told('behind.ts', 'module-loaded')
  const removed = site.told('before.ts', 'module-removed')
  let over = false
  const calling = (async () => {
    const statuses = new Set<number>()
    while (!over) statuses.add((await lab.call('GET /renamed')).status)
    return [...statuses]
  })()
  renameSync(site.path('before.ts'), site.path('behind.ts'))
  await loaded
  await removed
  over = true
  equal(await calling, [200])
  equal(lab.host.commands().filter(({ path }) => path === '/renamed').length, 1)
})

test('a file that is saved by deleting and creating it again is never gone', async () => {
  await site.save('resaved.ts', saying('one', 'GET /resaved'))
  const heard = site.told('resaved.ts', 'module-loaded')
  unlinkSync(site.path('resaved.ts'))
  await lab.host.loader.refresh()
  is(await says('/resaved'), 'one')
  site.write('resaved.ts', saying('two', 'GET /resaved'))
  await heard
  is(await says('/resaved'), 'two')
})

test('a file that is saved through a rename is swapped', async () => {
  await site.save('atomic.ts', saying('one', 'GET /atomic'))
  site.write('.atomic.ts.tmp', saying('two', 'GET /atomic'))
  const heard = site.told('atomic.ts')
  renameSync(site.path('.atomic.ts.tmp'), site.path('atomic.ts'))
  await heard
  is(await says('/atomic'), 'two')
})

test('a file that is saved again without a change is not a new version', async () => {
  await site.save('same.ts', saying('one', 'GET /same'))
  site.write('same.ts', saying('one', 'GET /same'))
  await site.save('same-after.ts', saying('x', 'GET /same-after'))
  await lab.host.loader.refresh()
  is(lab.host.loader.list().find(({ command }) => command === 'same')?.versions, 1)
})

test('requests under way finish on the version that they started with', async () => {
  const slow = (text: string) => `
export default {
  summary: 'Answer when told',
  route: 'GET /slow',
  answer: async () => {
    await new Promise(resolve => { globalThis.fleetHostTestGo = resolve })
    return { text: '${text}' }
  },
}
`
  await site.save('slow.ts', slow('one'))
  const first = says('/slow')
  while (Reflect.get(globalThis, 'fleetHostTestGo') === undefined) await new Promise(setImmediate)
  const go = Reflect.get(globalThis, 'fleetHostTestGo')
  await site.save('slow.ts', saying('two', 'GET /slow'))
  is(await says('/slow'), 'two')
  go()
  is(await first, 'one')
})

const forwarding = (text: string) => `
export default {
  summary: 'Ask an agent',
  route: 'POST /ask',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  forward: { to: 'POST /ask' },
  reply: { type: 'object' },
  settle: (reply, client, { fleet }) => fleet.keepOutput(client.addr, '${text}'),
}
`

test("an agent's pending answer is settled by the version that sent the command, the agent stays connected", async () => {
  const addr = '127.0.7.1'
  await site.save('ask.ts', forwarding('one'))
  const agent = await lab.agent(addr)
  await lab.call('POST /ask', { clients: [addr] })
  await agent.next('/ask')
  await site.save('ask.ts', forwarding('two'))
  const removed = site.told('ask.ts', 'module-removed')
  unlinkSync(site.path('ask.ts'))
  await removed
  const ended = lab.event('command-ended', { addr })
  agent.answer(200, {})
  is((await ended).result, 'success')
  equal((await lab.call('POST /shell/output', { clients: [addr] })).json.clients, [{ addr, output: 'one' }])
})

test('a site command may be open, by exact path', async () => {
  await site.save('open.ts', saying('open', 'GET /open').replace('{ summary', '{ open: true, summary'))
  is((await lab.call('GET /open', undefined, { Authorization: 'wrong' })).status, 200)
  is((await lab.call('GET /openly', undefined, { Authorization: 'wrong' })).status, 401)
  is((await lab.call('GET /openly')).status, 200)
  is((await lab.call('PUT /open')).status, 405)
})

const moved = suite('folders')
const heard = (file: string, type: 'module-loaded' | 'module-removed' = 'module-loaded') =>
  folders.lab.event(type, { file })

moved('a folder may not exist yet, be created, emptied and replaced', async () => {
  const file = join(late, 'hello.ts')
  const created = heard(file)
  mkdirSync(late)
  writeFileSync(file, saying('one'))
  await created
  is(await says('/hello', folders.lab), 'one')
  const emptied = heard(file, 'module-removed')
  rmSync(late, { recursive: true })
  await emptied
  is((await folders.lab.call('GET /hello')).status, 404)
  const next = join(site.folder, '..', 'next')
  mkdirSync(next)
  writeFileSync(join(next, 'hello.ts'), saying('two'))
  const replaced = heard(file)
  renameSync(next, late)
  await replaced
  is(await says('/hello', folders.lab), 'two')
})

moved('a symbolic link that is swapped swaps the commands behind it', async () => {
  const generation = (name: string) => {
    const at = join(site.folder, '..', `release-${name}`)
    mkdirSync(at)
    writeFileSync(join(at, 'linked.ts'), saying(name, 'GET /linked'))
    return at
  }
  const file = join(linked, 'linked.ts')
  const first = heard(file)
  symlinkSync(generation('one'), linked)
  await first
  is(await says('/linked', folders.lab), 'one')
  const second = heard(file)
  symlinkSync(generation('two'), `${linked}.tmp`)
  renameSync(`${linked}.tmp`, linked)
  await second
  is(await says('/linked', folders.lab), 'two')
})

moved.after(async () => {
  await site.stop()
  await folders.stop()
})
test.run()
moved.run()
