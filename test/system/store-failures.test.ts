// Failed writes of the store: how the daemon finds and reports them.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { diskFull, failingMethods, failingStoreFile } from '../harness/failing-store.ts'
import { layout } from '../harness/lab-images.ts'
import { computer, openObservedStore, report } from '../harness/observed-store-setup.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const addr = computer.ip
const ignore = () => {}

const failures = suite('failed store writes')

failures('after a failed write the probe fails until a write succeeds', async () => {
  const { store, problems } = await openObservedStore()
  equal(await problems(), [])
  failingMethods.add('jobs.update').add('computers.update')
  await store.jobs.update([]).catch(ignore)
  equal(await problems(), [`store: ${diskFull}`])
  equal(await problems(), [`store: ${diskFull}`])
  failingMethods.clear()
  equal(await problems(), [])
})

failures('the probe finds a full disk although nothing else is written', async () => {
  const { problems } = await openObservedStore()
  failingMethods.add('computers.update')
  equal(await problems(), [`store: ${diskFull}`])
  failingMethods.clear()
  equal(await problems(), [])
})

failures('a failed write is reported although smaller writes succeed', async () => {
  const { store, problems } = await openObservedStore()
  failingMethods.add('inventory.refresh')
  await store.inventory.refresh(addr, report).catch(ignore)
  await store.computers.update([addr], { name: 'new' })
  equal(await problems(), [`store: inventory.refresh failed: ${diskFull}`])
  equal(await problems(), [])
})

failures('a failed write is forgotten when the same method has succeeded', async () => {
  const { store, problems } = await openObservedStore()
  failingMethods.add('inventory.refresh')
  await store.inventory.refresh(addr, report).catch(ignore)
  failingMethods.clear()
  await store.inventory.refresh(addr, report)
  equal(await problems(), [])
})

failures('in a store without computers a failed write is reported until the same method has succeeded', async () => {
  const { store, problems } = await openObservedStore([])
  failingMethods.add('centers.add')
  await store.centers.add({ name: 'Other', comment: '' }).catch(ignore)
  equal(await problems(), [`store: centers.add failed: ${diskFull}`])
  equal(await problems(), [`store: centers.add failed: ${diskFull}`])
  failingMethods.clear()
  await store.centers.add({ name: 'Other', comment: '' })
  equal(await problems(), [])
})

failures('before a command only a store whose last write failed is written, and the result decides', async () => {
  const { store, ensureWritable } = await openObservedStore()
  const tryCommand = () => ensureWritable().catch(error => error.message)
  failingMethods.add('computers.update')
  is(await tryCommand(), undefined)
  failingMethods.add('jobs.update')
  await store.jobs.update([]).catch(ignore)
  is(await tryCommand(), diskFull)
  is(await tryCommand(), diskFull)
  failingMethods.delete('computers.update')
  is(await tryCommand(), undefined)
  failingMethods.add('computers.update')
  is(await tryCommand(), undefined)
  failingMethods.clear()
})

failures('a stopped engine is found in a store without computers', async () => {
  const { problems } = await openObservedStore([])
  failingMethods.add('schedules.setSince')
  equal(await problems(), [`store: ${diskFull}`])
})

failures('a failed write rejects with the error of the store and emits nothing', async () => {
  const { store, events } = await openObservedStore()
  failingMethods.add('computers.delete')
  is(await store.computers.delete([addr]).catch(error => error.message), diskFull)
  equal(events, [])
})

failures('readyz is 503 with the reason when only agents write and the disk is full', async () => {
  failingMethods.clear()
  const lab = await startTestHost({ options: { store: { adapter: failingStoreFile, path: './data' } } })
  await lab.addComputer('127.0.0.2')
  failingMethods.add('inventory.refresh')
  await lab.agent('127.0.0.2', { refresh: { status: 200, body: layout } })
  const { status, json } = await lab.call('GET /readyz')
  equal([status, json.ready], [503, false])
  match(json.reasons[0], /^store: .*ENOSPC/)
  failingMethods.clear()
  // A result is used again for a second.
  await pollUntil(async () => (await lab.call('GET /readyz')).status === 200)
  await lab.stop()
})

failures.run()
