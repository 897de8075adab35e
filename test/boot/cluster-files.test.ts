// Boot files of a host whose records other hosts of the fleet change.
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { ClusterFiles } from '../../host/boot/cluster-files.ts'
import { ComputerFiles } from '../../host/boot/computer-files.ts'
import { createLog } from '../../host/log/log.ts'
import { observeStore } from '../../host/store/observed-store.ts'
import { createEvents } from '../../host/system/events.ts'
import { openBootFolder, shippedTemplates } from '../harness/boot-folder.ts'
import { failingMethods, openFailingStore } from '../harness/failing-store.ts'
import { pathsOf } from '../harness/lab-boot.ts'
import { computer, room } from '../harness/observed-store-setup.ts'
import { pollUntil } from '../harness/poll.ts'

const macOf = (n: number) => `02000000000${n}`
const recordOf = (n: number) => ({ ...computer, ip: `10.1.1.${n}`, name: `pc-${n}`, mac: macOf(n), boot: '12' })

/** Two buses of hosts with one store; only the second one writes boot files here. */
async function setUp() {
  failingMethods.clear()
  const lines: string[] = []
  const log = createLog(line => lines.push(line))
  const [otherEvents, events] = [createEvents(log), createEvents(log)]
  otherEvents.on(event => events.relay(event))
  const shared = await openFailingStore()
  const other = observeStore(shared, otherEvents, () => {}).store
  const { store } = observeStore(shared, events, () => {})
  await other.centers.add({ name: 'Center', comment: '' })
  await other.rooms.add({ ...room, netmask: '255.255.255.0' })
  const boot = openBootFolder({ templates: shippedTemplates })
  const computerFiles = new ComputerFiles({ store, boot, repository: { address: '10.1.1.1' } })
  const records = new ClusterFiles({ events, store, computerFiles, log, retry: 1 })
  const menuOf = (n: number) => boot.files()[pathsOf(macOf(n)).menu]
  return { other, store, boot, records, lines, menuOf }
}

const test = suite('boot files of records that other hosts change')

test('at the start the files of all computers with a usable mode are written', async () => {
  const { other, boot, records } = await setUp()
  await other.computers.add([recordOf(1), recordOf(2), { ...recordOf(3), boot: 'unknown' }])
  await records.writeAll()
  equal(Object.keys(boot.files()), [1, 2].flatMap(n => Object.values(pathsOf(macOf(n)))).sort())
  await records.close()
})

test('computers that another host adds, changes and deletes have their files', async () => {
  const { other, boot, records, menuOf } = await setUp()
  await other.computers.add([recordOf(1), recordOf(2)])
  await pollUntil(() => menuOf(1) !== undefined && menuOf(2) !== undefined)
  await other.computers.update(['10.1.1.1'], { boot: '11' })
  await pollUntil(() => boot.files()[pathsOf(macOf(1)).grub]?.startsWith('##BOOT-TEMPLATE 11') === true)
  await other.computers.update(['10.1.1.1'], { mac: macOf(5) })
  await pollUntil(() => menuOf(5) !== undefined && menuOf(1) === undefined)
  await other.computers.update(['10.1.1.2'], { boot: 'unknown' })
  await pollUntil(() => menuOf(2) === undefined)
  await other.computers.delete(['10.1.1.1'])
  await pollUntil(() => Object.keys(boot.files()).length === 0)
  await records.close()
})

test('a computer whose mode has no template keeps the files that the site has made', async () => {
  const { other, boot, records, menuOf } = await setUp()
  await other.computers.add([recordOf(1)])
  await pollUntil(() => menuOf(1) !== undefined)
  await other.computers.update(['10.1.1.1'], { boot: 'unknown' })
  await pollUntil(() => menuOf(1) === undefined)
  writeFileSync(`${boot.output}/${pathsOf(macOf(1)).menu}`, 'of the site')
  await other.computers.update(['10.1.1.1'], { name: 'renamed' })
  await records.writeAll()
  is(menuOf(1), 'of the site')
  await records.close()
})

test('values of a room and the address of a repository come into the files', async () => {
  const { other, records, menuOf } = await setUp()
  await other.computers.add([recordOf(1)])
  await pollUntil(() => menuOf(1) !== undefined)
  await other.rooms.update({ ...room, id: 1, gateway: '10.1.1.254' })
  await pollUntil(() => menuOf(1)?.includes(':10.1.1.254:') === true)
  await other.repositories.update({ id: 1, ip: '10.1.1.77' })
  await pollUntil(() => menuOf(1)?.includes('10.1.1.77') === true)
  await records.close()
})

test('a computer that this host added and another one deletes has no files afterwards', async () => {
  const { other, store, boot, records, menuOf } = await setUp()
  await store.computers.add([recordOf(1)])
  await records.writeAll()
  match(menuOf(1) ?? '', 'pc-1')
  await store.computers.update(['10.1.1.1'], { name: 'renamed' })
  await other.computers.delete(['10.1.1.1'])
  await pollUntil(() => Object.keys(boot.files()).length === 0)
  await records.close()
})

test('after an error of the store the files are written later, with one line in the log', async () => {
  const { other, records, lines, menuOf } = await setUp()
  failingMethods.add('computers.findMany')
  await other.computers.add([recordOf(1)])
  await pollUntil(() => lines.some(line => line.includes('files not written after changes of other hosts')))
  failingMethods.clear()
  await pollUntil(() => menuOf(1) !== undefined)
  is(lines.filter(line => line.includes('files not written')).length, 1)
  await records.close()
})

test.run()
