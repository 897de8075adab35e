// client/export and client/import together: an export restores the same records, and a text may have many computers.
import { suite } from 'uvu'
import { equal, is, ok as isTrue, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { lines, pathsOf } from '../harness/lab-boot.ts'

const testHost = await startLab({ boot: true })
const { send, exported, importUnchanged, files, ok } = testHost
const none = { added: 0, exists: 0, conflicts: [] }

const round = suite('client/export')
round.before(async () => {
  await ok('POST /center/add', { name: 'Center' })
  await ok('POST /room/add', { name: 'One', netmask: '255.255.255.0', center: 1 })
  await ok('POST /room/add', { name: 'Two', netmask: '255.0.0.0', center: 1, gateway: '10.1.1.254' })
  const text = lines(
    'name,ip,mac,serial_number,boot,room,livedir',
    '"pc 1, left",10.1.1.1,020000000001,"S,1",,,mine',
    'pc-2,10.1.1.2,020000000002,,11,2,',
    'pc-3,10.1.1.3,020000000003,,none,,',
    'pc-4,10.1.1.4,020000000004,,,,',
    'pc-21,10.2.0.21,020000000221,,,2,',
    'lab 22,10.2.0.22,020000000222,,,2,',
  )
  equal((await send('csv', text)).json, { ...none, added: 6 })
})

round(
  'the export is CSV with a header row and all keys of client/add, with names of rooms and repositories',
  async () => {
    const { headers, text } = await testHost.call('GET /client/export')
    is(headers['content-type'], 'text/csv; charset=utf-8')
    const [header, first] = text.split('\r\n')
    is(
      header,
      'name,ip,mac,room,netmask,boot,remote,serial_number,hardware_id,repo_id,netiface,netdriver,livedir,maintenance,row,column,tags',
    )
    is(
      first,
      '"pc 1, left",10.1.1.1,020000000001,Center/One,255.255.255.0,pxe,false,"S,1",0,default,eth0,generic,mine,false,,,',
    )
  },
)

round('an import of the export restores the same records and boot files', async () => {
  await ok('POST /client/update', {
    ip: '10.1.1.3',
    name: ' "ñ";\tx ',
    remote: true,
    maintenance: true,
    hardware_id: 7,
    place: { row: 3, column: 99 },
  })
  const [text, written] = [await exported(), files()]
  equal((await send('csv', text)).json, { ...none, exists: 6 })
  const clients = ['10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.1.4', '10.2.0.21', '10.2.0.22']
  await ok('POST /client/delete', { clients })
  equal(files(), {})
  equal((await send('csv', text)).json, { ...none, added: 6 })
  is(await exported(), text)
  equal(files(), written)
})

round.run()

const many = suite('large import')
many.after(() => testHost.stop())

const rows = Array.from({ length: 1500 }, (_, n) => {
  const mac = (n + 0x100000)
    .toString(16)
    .padStart(12, '0')
    .replace(/..(?=.)/g, '$&:')
  return `classroom-${n},10.3.${n >> 8}.${n & 255},${mac},ogLive-noble`
})
const large = lines('name,ip,mac,livedir', ...rows)

many('1,500 computers fit into one request, and each gets its boot files', async () => {
  isTrue(JSON.stringify({ format: 'csv', text: large, room: 1 }).length < 131_072)
  const before = Object.keys(files()).length
  equal((await send('csv', large)).json, { ...none, added: 1500 })
  is(Object.keys(files()).length, before + 3000)
  match(files()[pathsOf('0000001005db').grub] ?? '', / ip=10\.3\.5\.219:.*:classroom-1499:/)
})

many('a second import of the same computers counts all as existing', async () => {
  equal((await send('csv', large)).json, { ...none, exists: 1500 })
})

many('1,500 conflicts fit into one response', async () => {
  const { conflicts } = await importUnchanged('csv', large.replaceAll('classroom-', 'room-'))
  is(conflicts.length, 1500)
  equal(conflicts[1499], { line: 1501, reason: 'ip: 10.3.5.219 is taken by classroom-1499' })
})

many('one request sets the mode of 1,500 computers, and one deletes them', async () => {
  const clients = rows.map(row => row.split(',')[1])
  await ok('POST /mode', { clients, mode: '10' })
  const texts = Object.values(files()).filter(text => text.startsWith('##BOOT-TEMPLATE 10\n'))
  is(texts.length, 3000)
  await ok('POST /client/delete', { clients })
  is(Object.keys(files()).length, 10)
})

many.run()
