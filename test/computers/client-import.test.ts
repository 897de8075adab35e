// Many computers at once: client/import takes all of a text or nothing, client/export gives them back.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, ok as holds, is, match } from 'uvu/assert'
import { pathsOf, startBootLab } from '../harness/boot-host.ts'

const lab = await startBootLab()
const { status, files, info } = lab
const lines = (...text: string[]) => text.join('\n')
const ok = async (route: string, payload: unknown) => is(await status(route, payload), 200, lab.log.at(-1))
const send = (format: string, text: string, more: object = {}) =>
  lab.call('POST /client/import', { format, text, room: 1, ...more })
const exported = async () => (await lab.call('GET /client/export')).text
/** What is told of a text, and that nothing of it was stored. */
async function refusedBy(format: string, text: string, more: object = {}) {
  const before = [await exported(), files()]
  const { json } = await send(format, text, more)
  equal([await exported(), files()], before)
  return json
}
const none = { added: 0, exists: 0, conflicts: [] }

const csv = suite('client/import of CSV')

const three = lines(
  '\ufeffName,IP,mac,serial_number,boot,room\r',
  '"pc 1, left",10.1.1.1,02:00:00:00:00:01,"S,1",,\r',
  'pc-2,10.1.1.2,02-00-00-00-00-02,,11,2\r',
  'pc-3,10.1.1.3,020000000003,,none,',
)

csv('a dry run tells what would be added, and stores and writes nothing', async () => {
  await ok('POST /center/add', { name: 'Center' })
  await ok('POST /room/add', { name: 'One', netmask: '255.255.255.0', center: 1 })
  await ok('POST /room/add', { name: 'Two', netmask: '255.255.0.0', center: 1, gateway: '10.1.1.254' })
  equal(await refusedBy('csv', three, { dry_run: true }), { ...none, added: 3 })
})

csv('quoted commas, CRLF and a byte-order mark: all are added to their rooms, with defaults', async () => {
  equal((await send('csv', three, { dry_run: false })).json, { ...none, added: 3 })
  const [one, two] = [await info('10.1.1.1'), await info('10.1.1.2')]
  const defaults = { boot: 'pxe', netmask: '255.255.255.0', livedir: 'ogLive', repo_id: 1, room: 1, remote: false }
  equal({ ...one, ...defaults, name: 'pc 1, left', mac: '020000000001', serial_number: 'S,1' }, one)
  equal([two.room, two.netmask, two.boot], [2, '255.255.0.0', '11'])
})

csv('boot files are written for those whose mode has a template', async () => {
  const [one, two] = [pathsOf('020000000001'), pathsOf('020000000002')]
  equal(Object.keys(files()), [one.grub, two.grub, one.menu, two.menu].sort())
  match(files()[one.menu] ?? '', /^##BOOT-TEMPLATE pxe\n/)
  match(files()[two.grub] ?? '', ' ip=10.1.1.2:10.1.1.1:10.1.1.254:255.255.0.0:pc-2:eth0:none group=Two ')
})

csv('computers that are there already as the text has them are told, and left as they are', async () => {
  await ok('POST /client/update', { ip: '10.1.1.1', livedir: 'mine' })
  const more = lines(three, 'pc-4,10.1.1.4,020000000004,,,')
  equal(await refusedBy('csv', more, { dry_run: true }), { ...none, added: 1, exists: 3 })
  equal((await send('csv', more)).json, { ...none, added: 1, exists: 3 })
  equal((await send('csv', more)).json, { ...none, exists: 4 })
  is((await info('10.1.1.1')).livedir, 'mine')
})

csv('three bad lines among good ones: these are named, and nothing is stored', async () => {
  const text = lines(
    'name,ip,mac,room,repo_id',
    'pc-5,10.1.1.5,020000000005,,',
    'pc-6,10.1.1.256,020000000006,,',
    'pc-7,10.1.1.7,020000000007,99,',
    'other,10.1.1.2,020000000008,,',
    'pc-9,10.1.1.9,020000000009,,',
  )
  for (const dry_run of [true, false]) {
    equal(await refusedBy('csv', text, { dry_run }), {
      ...none,
      conflicts: [
        { line: 3, reason: 'ip: expected an IPv4 address, got "10.1.1.256"' },
        { line: 4, reason: 'room: there is no room 99' },
        { line: 5, reason: 'ip: 10.1.1.2 is taken by pc-2' },
      ],
    })
  }
})

csv('a dry run tells of an unknown repository, too', async () => {
  const text = lines('name,ip,mac,repo_id', 'pc-5,10.1.1.5,020000000005,1', 'pc-6,10.1.1.6,020000000006,7')
  for (const dry_run of [true, false]) {
    equal(await refusedBy('csv', text, { dry_run }), {
      ...none,
      conflicts: [{ line: 3, reason: 'repo_id: there is no repository 7' }],
    })
  }
})

csv(
  'a taken address with another hardware address is a conflict, with the same one in other words it is none',
  async () => {
    const text = (mac: string) => lines('name,ip,mac', `pc-2,10.1.1.2,${mac}`)
    equal((await refusedBy('csv', text('0200000000ff'))).conflicts, [
      { line: 2, reason: 'ip: 10.1.1.2 is taken by pc-2' },
    ])
    equal(await refusedBy('csv', text('02:00:00-00:00:02')), { ...none, exists: 1 })
  },
)

csv('a text without computers adds none', async () => {
  equal(await refusedBy('csv', 'name,ip,mac\n'), none)
})

csv('files that cannot be written: 500, and nothing is stored', async () => {
  const inTheWay = join(lab.output, pathsOf('020000000006').grub)
  mkdirSync(inTheWay)
  const before = [await exported(), files()]
  const text = lines('name,ip,mac', 'pc-5,10.1.1.5,020000000005', 'pc-6,10.1.1.6,020000000006')
  is((await send('csv', text)).status, 500)
  equal([await exported(), files()], before)
  rmSync(inTheWay, { recursive: true })
})

csv.run()

const payload = suite('the payload of client/import')

const wrong: Record<string, object> = {
  'an unknown room': { room: 99 },
  'a room that is no number': { room: '1' },
  'an unknown format': { format: 'xlsx' },
  'a text that is none': { text: ['name,ip,mac'] },
  'a flag that is none': { dry_run: 1 },
}

for (const [name, part] of Object.entries(wrong)) {
  payload(`${name}: 400, and nothing is stored`, async () => {
    const before = await exported()
    const text = lines('name,ip,mac', 'pc-5,10.1.1.5,020000000005')
    is((await send('csv', text, part)).status, 400)
    is(await exported(), before)
  })
}

payload('any other keys are ignored', async () => {
  equal(await refusedBy('csv', three, { comment: 'x', dry_run: true }), { ...none, exists: 3 })
})

payload.run()

const dhcpd = suite('client/import of dhcpd.conf')

const conf = (...hosts: string[]) =>
  lines(
    '# the lab',
    'option domain-name "example.org";',
    'default-lease-time 600;',
    'subnet 10.2.0.0 netmask 255.255.0.0 {',
    '  range 10.2.9.1 10.2.9.200;',
    '  group {',
    ...hosts.map(host => `    ${host}`),
    '  }',
    '}',
  )
const host = (n: number, more = '') =>
  `host pc-${n} { hardware ethernet 02:00:00:00:02:${n}; fixed-address 10.2.0.${n}; ${more}}`

dhcpd('the host declarations are added, and their boot files are written', async () => {
  const text = conf(host(21), host(22, 'option host-name "lab 22"; '), `# ${host(23)}`)
  equal(await refusedBy('dhcpd', text, { room: 2, dry_run: true }), { ...none, added: 2 })
  equal((await send('dhcpd', text, { room: 2 })).json, { ...none, added: 2 })
  const { name, mac, room, netmask } = await info('10.2.0.22')
  equal([name, mac, room, netmask], ['lab 22', '020000000222', 2, '255.255.0.0'])
  match(files()[pathsOf('020000000222').grub] ?? '', ':lab_22:eth0:none group=Two ')
  equal((await send('dhcpd', text, { room: 2 })).json, { ...none, exists: 2 })
})

dhcpd('three bad lines among good ones: these are named, and nothing is stored', async () => {
  const text = conf(
    host(24),
    'host bad-1 { hardware ethernet 02:00:00:00:02; fixed-address 10.2.0.25; }',
    'host bad-2 { fixed-address 10.2.0.26; }',
    host(27),
    'host other { hardware ethernet 02:00:00:00:02:28; fixed-address 10.2.0.21; }',
  )
  for (const dry_run of [true, false]) {
    equal(await refusedBy('dhcpd', text, { room: 2, dry_run }), {
      ...none,
      conflicts: [
        { line: 8, reason: 'mac: expected 12 hex digits, got "02:00:00:00:02"' },
        { line: 9, reason: 'mac: hardware ethernet is missing' },
        { line: 11, reason: 'ip: 10.2.0.21 is taken by pc-21' },
      ],
    })
  }
})

dhcpd.run()

const trip = suite('client/export')

trip('is CSV with a header row and all keys of client/add', async () => {
  const { headers, text } = await lab.call('GET /client/export')
  is(headers['content-type'], 'text/csv; charset=utf-8')
  const [header, first] = text.split('\r\n')
  is(
    header,
    'name,ip,mac,room,netmask,boot,remote,serial_number,hardware_id,repo_id,netiface,netdriver,livedir,maintenance',
  )
  is(first, '"pc 1, left",10.1.1.1,020000000001,1,255.255.255.0,pxe,false,"S,1",0,1,eth0,generic,mine,false')
})

trip('what it gives is imported back as it was, boot files and all', async () => {
  await ok('POST /client/update', {
    ip: '10.1.1.3',
    name: ' "ñ";\tx ',
    remote: true,
    maintenance: true,
    hardware_id: 7,
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

trip.run()

const many = suite('many at once')
many.after(() => lab.stop())

const rows = Array.from({ length: 1500 }, (_, n) => {
  const mac = (n + 0x100000)
    .toString(16)
    .padStart(12, '0')
    .replace(/..(?=.)/g, '$&:')
  return `classroom-${n},10.3.${n >> 8}.${n & 255},${mac},ogLive-noble`
})
const large = lines('name,ip,mac,livedir', ...rows)

many('1,500 computers fit into one request, and each gets its boot files', async () => {
  holds(JSON.stringify({ format: 'csv', text: large, room: 1 }).length < 131_072)
  const before = Object.keys(files()).length
  equal((await send('csv', large)).json, { ...none, added: 1500 })
  is(Object.keys(files()).length, before + 3000)
  match(files()[pathsOf('0000001005db').grub] ?? '', / ip=10\.3\.5\.219:.*:classroom-1499:/)
})

many('the same ones again are all there', async () => {
  equal((await send('csv', large)).json, { ...none, exists: 1500 })
})

many('others with their addresses are 1,500 conflicts, which fit into one answer', async () => {
  const { conflicts } = await refusedBy('csv', large.replaceAll('classroom-', 'room-'))
  is(conflicts.length, 1500)
  equal(conflicts[1499], { line: 1501, reason: 'ip: 10.3.5.219 is taken by classroom-1499' })
})

many('they get a new mode in one request, and they are deleted in one', async () => {
  const clients = rows.map(row => row.split(',')[1])
  await ok('POST /mode', { clients, mode: '10' })
  const texts = Object.values(files()).filter(text => text.startsWith('##BOOT-TEMPLATE 10\n'))
  is(texts.length, 3000)
  await ok('POST /client/delete', { clients })
  is(Object.keys(files()).length, 10)
})

many.run()
