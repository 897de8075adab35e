// The queue of a hook, and how far it has come, without a daemon around them.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { FailureLog } from '../../host/cluster/failure-log.ts'
import { HookPosition } from '../../host/hooks/hook-position.ts'
import { HookQueue } from '../../host/hooks/hook-queue.ts'
import { HookStates } from '../../host/hooks/hook-states.ts'
import { StoredFeed } from '../../host/hooks/stored-feed.ts'
import { systemClock } from '../../host/system/clock.ts'
import { failingStoreFile, newestStore } from '../harness/failing-store.ts'
import { startSite } from '../harness/site-folder.ts'
import { silent } from '../harness/store-folders.ts'

const test = suite('positions of hooks')

test('stored events come in the order in which they were stored, also when the clock was set back', () => {
  const queue = new HookQueue()
  const event = { type: 'client-ready', addr: '127.0.0.2' } as const
  queue.addStored([50, 20, 30].map((time, index) => ({ time, event, id: index + 1 })))
  queue.add({ time: 40, event })
  equal(
    queue.take().events.map(({ id }) => id),
    [undefined, 1, 2, 3],
  )
})

async function openPosition(on: string) {
  const site = await startSite({ store: { adapter: failingStoreFile } })
  const { documents, storedEvents } = newestStore.get()
  const [states, feed] = [new HookStates(documents), new StoredFeed(storedEvents)]
  const failures = new FailureLog({ ...silent, error() {} }, { failed: '', succeeded: '' })
  const deps = {
    clock: systemClock,
    states,
    feed,
    failures,
    readFailures: failures,
    hasOtherHosts: false,
    onRelease() {},
  }
  const position = new HookPosition('ready', deps, () => {})
  position.restore({ file: '', origin: '', pack: '', on: [on], cursor: 0, handled: 0 })
  await position.open()
  return { site, states, position }
}

test('a hook whose place is stored twice at the same time keeps what waits', async () => {
  const { site, position } = await openPosition('client-ready')
  position.queue.add({ time: 0, event: { type: 'client-ready', addr: '127.0.0.2' } })
  await Promise.all([position.save(), position.save()])
  is(position.waiting, 1)
  await site.stop()
})

test('a hook that another host takes over stores nothing more here: what waited would count as handled', async () => {
  const { site, states, position } = await openPosition('computer-added')
  const version = async () => (await states.find('ready'))?.version
  const before = await version()
  const saved = position.save()
  position.release()
  await saved
  is(await version(), before)
  await site.stop()
})

test.run()
