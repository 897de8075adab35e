// Imports while others delete records, or while the store cannot be written: all or nothing.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createImport } from '../../host/computers/import/import-text.ts'
import { refuse } from '../../host/contract/refusal.ts'
import type { Computer } from '../../stores/store.ts'
import { diskFull, failingMethods, openFailingStore } from '../harness/failing-store.ts'
import { room } from '../harness/observed-store-setup.ts'

/** An import whose records are stored after `beforeSave`. */
async function setUp() {
  const store = await openFailingStore()
  await store.centers.add({ name: 'Center', comment: '' })
  for (const name of ['One', 'Two']) await store.rooms.add({ ...room, name })
  let beforeSave = async () => {}
  const moved: string[] = []
  const computerFiles: Parameters<typeof createImport>[0]['computerFiles'] = {
    exclusive: work => work(),
    async saveWithFiles(_computers, save) {
      await beforeSave()
      const reason = await save()
      return reason === undefined ? undefined : refuse(reason)
    },
    removeFormer: async () => {},
  }
  const forgetClients = (computers: Computer[]) => void moved.push(...computers.map(({ ip }) => ip))
  const fleet = { clearOutput: () => undefined }
  const importText = createImport({ store, fleet, computerFiles, forgetClients, keep: (_, call) => call(store) })
  const send = (...rows: string[]) =>
    importText({ format: 'csv', text: ['name,ip,mac,room', ...rows].join('\n'), update: true })
  await send('pc-1,10.1.1.1,020000000001,One', 'pc-2,10.1.1.2,020000000002,One')
  return {
    store,
    moved,
    /** Two changed computers and a new one. */
    change: () =>
      send('renamed,10.1.1.1,020000000001,', 'pc-2,10.1.1.7,020000000002,', 'pc-3,10.1.1.3,020000000003,Two'),
    doBeforeSave(work: () => Promise<unknown>) {
      beforeSave = async () => void (await work())
    },
  }
}

const races = suite('import races')

races('a room that is deleted meanwhile is a conflict of its lines, and nothing is stored', async () => {
  const { store, change, doBeforeSave, moved } = await setUp()
  const before = await store.computers.list()
  doBeforeSave(() => store.rooms.delete(2))
  const report = await change()
  equal('conflicts' in report && report.conflicts, [{ line: 4, reason: 'unknown room' }])
  equal('added' in report && [report.added, report.updated], [0, 0])
  equal(await store.computers.list(), before)
  equal(moved, [])
})

races('a computer that is deleted meanwhile is a conflict of its line, and nothing is stored', async () => {
  const { store, change, doBeforeSave } = await setUp()
  doBeforeSave(() => store.computers.delete(['10.1.1.1']))
  const report = await change()
  equal('conflicts' in report && report.conflicts, [{ line: 2, reason: 'unknown computer' }])
  equal(
    (await store.computers.list()).map(({ ip }) => ip),
    ['10.1.1.2'],
  )
})

races('what an agent reports meanwhile is kept', async () => {
  const { store, change, doBeforeSave, moved } = await setUp()
  doBeforeSave(() => store.inventory.refresh('10.1.1.1', { rows: [], serial_number: 'S1' }))
  await change()
  const { name, serial_number } = (await store.computers.find('10.1.1.1')) ?? {}
  equal([name, serial_number], ['renamed', 'S1'])
  equal(moved, ['10.1.1.2'])
})

races('when the store cannot be written the import fails and changes nothing', async () => {
  const { store, change, moved } = await setUp()
  const before = await store.computers.list()
  failingMethods.add('computers.merge')
  is(await change().catch(error => error.message), diskFull)
  failingMethods.clear()
  equal(await store.computers.list(), before)
  equal(moved, [])
})

races.run()
