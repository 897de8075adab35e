// What a hook gets of events that happened while it could not run: broken, paused, deleted, or the daemon stopped.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { diskFull, failingMethods, failingStoreFile, heldMethods, newestStore } from '../harness/failing-store.ts'
import { emit, hook, opened, restart, statesOf } from '../harness/hook-site.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

const test = suite('events that a hook must not miss')

const store = { path: './data' }

const broken = 'export default { summary: '

test('a stored event that happened while the file was broken from the start comes when it is mended', async () => {
  const site = await startSite({ store })
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  await site.lab.addComputer('127.0.0.2')
  await site.lab.logged(/got computer-added 127.0.0.2/)
  const next = await restart(site, () => site.write('added.ts', broken))
  await next.lab.call('POST /client/add', { name: 'b', ip: '127.0.0.3', mac: '020000000003', room: 1 })
  site.write('added.ts', hook('computer-added'))
  match(await next.lab.logged(/got/), 'got computer-added 127.0.0.3')
  await next.stop()
})

test('events of the bus that wait when the daemon stops come after its start', async () => {
  const site = await startSite({ store })
  await site.save('ready.ts', hook('client-ready', `throw new Error('not yet')`))
  await opened(site)
  emit(site, '127.0.0.2')
  await site.lab.logged(/run failed/)
  emit(site, '127.0.0.3')
  const next = await restart(site, () => site.write('ready.ts', hook('client-ready')))
  match(await next.lab.logged(/got/), 'got client-ready 127.0.0.2, client-ready 127.0.0.3\n')
  await next.stop()
})

test('a hook that comes back after its file was deleted gets nothing of the time between', async () => {
  const site = await startSite({ store })
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  const removed = site.nextEvent('added.ts', 'module-removed')
  rmSync(site.path('added.ts'))
  await removed
  await site.lab.addComputer('127.0.0.2')
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  await site.lab.addComputer('127.0.0.3')
  match(await site.lab.logged(/got/), 'got computer-added 127.0.0.3')
  await site.stop()
})

test('a hook whose file is deleted while the daemon is down is forgotten', async () => {
  const site = await startSite({ store })
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  const next = await restart(site, () => rmSync(site.path('added.ts')))
  await next.lab.logged(/added.ts: the hook is forgotten, as its file is gone/)
  await next.stop()
})

test('a start that fails forgets no hook', async () => {
  const options = { store: { adapter: failingStoreFile } }
  const site = await startSite(options)
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  const before = newestStore.get()
  const key = { pack: '', collection: 'hooks', key: 'added/added' }
  const { value = '' } = (await before.documents.find(key)) ?? {}
  await site.lab.stop('keep')
  let fail = (_: Error) => {}
  const held = new Promise<void>((_, reject) => {
    fail = reject
  })
  held.catch(() => {})
  heldMethods.set('jobs.unfinished', held)
  const started = startTestHost({ options: { commands: [site.folder], ...options } }).catch(({ message }) => message)
  await pollUntil(async () => newestStore.get() !== before)
  const { documents } = newestStore.get()
  await documents.put({ ...key, value })
  fail(new Error('the store is away'))
  is(await started, 'the store is away')
  is((await documents.find(key))?.value, value)
  heldMethods.clear()
  await site.stop()
})

test('the store forgets hooks that no host has had for 30 days, and no others', async () => {
  const clock = createManualClock()
  const day = 86_400_000
  const site = await startSite({ store: { adapter: failingStoreFile } }, { clock })
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  site.write('broken.ts', broken)
  const collection = { pack: '', collection: 'hooks' }
  const { documents } = newestStore.get()
  const put = async (key: string, name: string, days: number) => {
    const state = { file: site.path(name), origin: site.folder, pack: 'a', cursor: 0, handled: 0 }
    await documents.put({ ...collection, key, value: JSON.stringify({ ...state, seen: clock.now() - days * day }) })
  }
  await put('deleted', 'deleted.ts', 31)
  await put('broken', 'broken.ts', 31)
  await put('gone@b', 'added.ts', 31)
  await put('down@b', 'added.ts', 29)
  const keys = async () => (await documents.list(collection, { limit: 10 })).map(({ key }) => key)
  await clock.advance(day / 24)
  await pollUntil(async () => (await keys()).length === 3)
  equal(await keys(), ['added/added', 'broken', 'down@b'])
  for (let days = 0; days < 31; days += 1) await clock.advance(day)
  await pollUntil(async () => !(await keys()).includes('down@b'))
  equal(await statesOf(site), ['waiting'])
  equal(await keys(), ['added/added', 'broken'])
  const seen = async () => JSON.parse((await documents.find({ ...collection, key: 'added/added' }))?.value ?? '').seen
  await pollUntil(async () => clock.now() - (await seen()) < day)
  await site.stop()
})

test('a hook that is new gets no event from before', async () => {
  const site = await startSite({ store })
  await site.lab.addComputer('127.0.0.2')
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  await site.lab.addComputer('127.0.0.3')
  match(await site.lab.logged(/got/), 'got computer-added 127.0.0.3')
  await site.stop()
})

test('100,000 events wait at most: the oldest of more are replaced by events-missing', async () => {
  const site = await startSite()
  await site.save(
    'ready.ts',
    `let count = 0
export default {
  summary: 'Count events',
  on: ['client-ready'],
  run({ events, services }) {
    for (const { type, since, until } of events) {
      if (type === 'client-ready') count += 1
      else services.log.info(type + ' ' + (since <= until))
    }
    if (count === 100_000) services.log.info('counted')
  },
}
`,
  )
  await opened(site)
  is((await site.lab.call('POST /hook/pause', { hook: 'ready' })).status, 200)
  await pollUntil(async () => (await site.lab.call('GET /hooks')).json.hooks[0].state === 'paused')
  for (let index = 0; index < 100_250; index += 1) emit(site, '127.0.0.2')
  is((await site.lab.call('GET /hooks')).json.hooks[0].waiting, 100_000)
  is((await site.lab.call('POST /hook/resume', { hook: 'ready' })).status, 200)
  await site.lab.logged(/counted/)
  equal(site.lab.log.filter(line => line.includes('events-missing')).length, 1)
  await site.lab.logged(/events-missing true/)
  await site.stop()
})

test('on a full disk a hook runs, and how far it has come is stored later', async () => {
  const clock = createManualClock()
  const site = await startSite({ store: { adapter: failingStoreFile } }, { clock })
  await site.save('added.ts', hook('computer-added'))
  await opened(site)
  failingMethods.add('documents.put')
  await site.lab.addComputer('127.0.0.2')
  await site.lab.logged(/got computer-added 127.0.0.2/)
  match(await site.lab.logged(/the store does not keep/), diskFull)
  await site.lab.addComputer('127.0.0.3')
  await site.lab.logged(/got computer-added 127.0.0.3/)
  not.match(site.lab.log.join(''), 'it does again')
  failingMethods.clear()
  await site.lab.addComputer('127.0.0.4')
  await site.lab.logged(/got computer-added 127.0.0.4/)
  await site.lab.logged(/hooks: it does again/)
  await site.stop()
})

test('when the last hook goes nothing is recorded, and what was recorded is deleted', async () => {
  const site = await startSite({ store: { adapter: failingStoreFile } })
  const recorded = () => newestStore.get().storedEvents.read(0, 10)
  await site.save('added.ts', hook('computer-added', `throw new Error('never')`))
  await opened(site)
  await site.lab.addComputer('127.0.0.2')
  await site.lab.logged(/run failed/)
  is((await recorded()).length, 1)
  rmSync(site.path('added.ts'))
  await site.nextEvent('added.ts', 'module-removed')
  await pollUntil(async () => (await recorded()).length === 0)
  await site.lab.addComputer('127.0.0.3')
  equal(await recorded(), [])
  await site.stop()
})

test('a daemon that stops on a full disk stops all its hooks, and none asks the store again', async () => {
  const clock = createManualClock()
  const site = await startSite({ store: { adapter: failingStoreFile } }, { clock })
  await site.save('added.ts', hook('computer-added'))
  await site.save('changed.ts', hook('computer-changed'))
  await opened(site)
  failingMethods.add('documents.put')
  await site.stop()
  failingMethods.clear()
  is(clock.nextDue(), undefined)
})

test.run()
