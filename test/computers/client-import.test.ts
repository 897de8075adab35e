// client/import: adds all computers of a text, or none.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { lines, pathsOf } from '../harness/lab-boot.ts'

const testHost = await startLab({ boot: true })
const { send, exported, importUnchanged, files, info, ok } = testHost
const none = { added: 0, exists: 0, conflicts: [] }

const csv = suite('client/import from CSV')

const three = lines(
  '\ufeffName,IP,mac,serial_number,boot,room\r',
  '"pc 1, left",10.1.1.1,02:00:00:00:00:01,"S,1",,\r',
  'pc-2,10.1.1.2,02-00-00-00-00-02,,11,2\r',
  'pc-3,10.1.1.3,020000000003,,none,',
)

csv('a dry run reports the new computers, and stores and writes nothing', async () => {
  await ok('POST /center/add', { name: 'Center' })
  await ok('POST /room/add', { name: 'One', netmask: '255.255.255.0', center: 1 })
  await ok('POST /room/add', { name: 'Two', netmask: '255.255.0.0', center: 1, gateway: '10.1.1.254' })
  equal(await importUnchanged('csv', three, { dry_run: true }), { ...none, added: 3 })
})

csv(
  'the computers of a CSV with quoted commas, CRLF and a byte order mark are added to their rooms, with defaults',
  async () => {
    equal((await send('csv', three, { dry_run: false })).json, { ...none, added: 3 })
    const [one, two] = [await info('10.1.1.1'), await info('10.1.1.2')]
    const defaults = { boot: 'pxe', netmask: '255.255.255.0', livedir: 'ogLive', repo_id: 1, room: 1, remote: false }
    equal({ ...one, ...defaults, name: 'pc 1, left', mac: '020000000001', serial_number: 'S,1' }, one)
    equal([two.room, two.netmask, two.boot], [2, '255.255.0.0', '11'])
  },
)

csv('boot files are written for the computers whose mode has a template', async () => {
  const [one, two] = [pathsOf('020000000001'), pathsOf('020000000002')]
  equal(Object.keys(files()), [one.grub, two.grub, one.menu, two.menu].sort())
  match(files()[one.menu] ?? '', /^##BOOT-TEMPLATE pxe\n/)
  match(files()[two.grub] ?? '', ' ip=10.1.1.2:10.1.1.1:10.1.1.254:255.255.0.0:pc-2:eth0:none group=Two ')
})

csv('computers that exist with the same name and addresses are counted and not changed', async () => {
  await ok('POST /client/update', { ip: '10.1.1.1', livedir: 'mine' })
  const more = lines(three, 'pc-4,10.1.1.4,020000000004,,,')
  equal(await importUnchanged('csv', more, { dry_run: true }), { ...none, added: 1, exists: 3 })
  equal((await send('csv', more)).json, { ...none, added: 1, exists: 3 })
  equal((await send('csv', more)).json, { ...none, exists: 4 })
  is((await info('10.1.1.1')).livedir, 'mine')
})

csv('each invalid line is a conflict, and no line is stored', async () => {
  const text = lines(
    'name,ip,mac,room,repo_id',
    'pc-5,10.1.1.5,020000000005,,',
    'pc-6,10.1.1.256,020000000006,,',
    'pc-7,10.1.1.7,020000000007,99,',
    'other,10.1.1.2,020000000008,,',
    'pc-9,10.1.1.9,020000000009,,',
  )
  for (const dry_run of [true, false]) {
    equal(await importUnchanged('csv', text, { dry_run }), {
      ...none,
      conflicts: [
        { line: 3, reason: 'ip: expected an IPv4 address, got "10.1.1.256"' },
        { line: 4, reason: 'room: there is no room 99' },
        { line: 5, reason: 'ip: 10.1.1.2 is taken by pc-2' },
      ],
    })
  }
})

csv('an unknown repository is a conflict, also in a dry run', async () => {
  const text = lines('name,ip,mac,repo_id', 'pc-5,10.1.1.5,020000000005,1', 'pc-6,10.1.1.6,020000000006,7')
  for (const dry_run of [true, false]) {
    equal(await importUnchanged('csv', text, { dry_run }), {
      ...none,
      conflicts: [{ line: 3, reason: 'repo_id: there is no repository 7' }],
    })
  }
})

csv(
  'an existing address with another hardware address is a conflict, with another notation of the same one it is not',
  async () => {
    const text = (mac: string) => lines('name,ip,mac', `pc-2,10.1.1.2,${mac}`)
    const [{ line, reason }] = (await importUnchanged('csv', text('0200000000ff'))).conflicts
    is(line, 2)
    match(reason, /^mac: pc-2 has 020000000002, the line has 0200000000ff: correct the line, or import with --update/)
    equal(await importUnchanged('csv', text('02:00:00-00:00:02')), { ...none, exists: 1 })
  },
)

csv('a computer with the name of another one is added with a warning', async () => {
  const text = lines(
    'name,ip,mac',
    'twin,10.1.1.31,020000000031',
    'twin,10.1.1.32,020000000032',
    'pc-2,10.1.1.33,020000000033',
  )
  const warnings = [
    { line: 3, reason: 'name: 10.1.1.32 has the name twin of 10.1.1.31 (room One)' },
    { line: 4, reason: 'name: 10.1.1.33 has the name pc-2 of 10.1.1.2 (room Two)' },
  ]
  equal(await importUnchanged('csv', text, { dry_run: true }), { ...none, added: 3, warnings })
})

csv(
  'a row with the hardware address of a computer that has another address is a conflict that says what to write',
  async () => {
    const text = lines('name,ip,mac', 'new,10.1.1.31,020000000031', 'pc-2,10.1.1.34,02:00:00:00:00:02')
    const reason =
      'mac: 020000000002 is that of pc-2 with the address 10.1.1.2, the line has 10.1.1.34: correct the line, or fleet computer edit 10.1.1.2 --ip 10.1.1.34'
    equal(await importUnchanged('csv', text), { ...none, conflicts: [{ line: 3, reason }] })
  },
)

csv('an address outside of the network of a room with a gateway is a warning', async () => {
  const text = lines('name,ip,mac,room', 'in,10.1.7.1,020000000041,2', 'out,10.2.1.1,020000000042,2')
  const warnings = [
    { line: 3, reason: 'ip: 10.2.1.1 is not in 10.1.0.0/16, the network of room Two (gateway 10.1.1.254)' },
  ]
  equal(await importUnchanged('csv', text, { dry_run: true }), { ...none, added: 2, warnings })
})

csv('a text without computers adds none', async () => {
  equal(await importUnchanged('csv', 'name,ip,mac\n'), none)
})

csv('when boot files cannot be written the response is 500, and nothing is stored', async () => {
  const folderAtPath = join(testHost.bootOutput, pathsOf('020000000006').grub)
  mkdirSync(folderAtPath)
  const before = [await exported(), files()]
  const text = lines('name,ip,mac', 'pc-5,10.1.1.5,020000000005', 'pc-6,10.1.1.6,020000000006')
  is((await send('csv', text)).status, 500)
  equal([await exported(), files()], before)
  rmSync(folderAtPath, { recursive: true })
})

csv.run()

const payload = suite('payload of client/import')

const invalid: Record<string, object> = {
  'an unknown room': { room: 99 },
  'a room that is not a number': { room: '1' },
  'an unknown format': { format: 'xlsx' },
  'a text that is a list': { text: ['name,ip,mac'] },
  'a dry_run that is not a boolean': { dry_run: 1 },
}

for (const [name, part] of Object.entries(invalid)) {
  payload(`${name} is refused with 400, and nothing is stored`, async () => {
    const before = await exported()
    const text = lines('name,ip,mac', 'pc-5,10.1.1.5,020000000005')
    is((await send('csv', text, part)).status, 400)
    is(await exported(), before)
  })
}

payload('other keys are ignored', async () => {
  equal(await importUnchanged('csv', three, { comment: 'x', dry_run: true }), { ...none, exists: 3 })
})

payload.run()

const dhcpd = suite('client/import from dhcpd.conf')

const conf = (...hosts: string[]) =>
  lines(
    '# the lab',
    'option domain-name "example.org";',
    'default-lease-time 600;',
    'subnet 10.1.0.0 netmask 255.255.0.0 {',
    '  range 10.2.9.1 10.2.9.200;',
    '  group {',
    ...hosts.map(host => `    ${host}`),
    '  }',
    '}',
  )
const host = (n: number, more = '') =>
  `host pc-${n} { hardware ethernet 02:00:00:00:02:${n}; fixed-address 10.1.20.${n}; ${more}}`

dhcpd('the host declarations are added, and their boot files are written', async () => {
  const text = conf(host(21), host(22, 'option host-name "lab 22"; '), `# ${host(23)}`)
  equal(await importUnchanged('dhcpd', text, { room: 2, dry_run: true }), { ...none, added: 2 })
  equal((await send('dhcpd', text, { room: 2 })).json, { ...none, added: 2 })
  const { name, mac, room, netmask } = await info('10.1.20.22')
  equal([name, mac, room, netmask], ['lab 22', '020000000222', 2, '255.255.0.0'])
  match(files()[pathsOf('020000000222').grub] ?? '', ':lab_22:eth0:none group=Two ')
  equal((await send('dhcpd', text, { room: 2 })).json, { ...none, exists: 2 })
})

dhcpd('each invalid host is a conflict, and no host is stored', async () => {
  const text = conf(
    host(24),
    'host bad-1 { hardware ethernet 02:00:00:00:02; fixed-address 10.1.20.25; }',
    'host bad-2 { fixed-address 10.1.20.26; }',
    host(27),
    'host other { hardware ethernet 02:00:00:00:02:28; fixed-address 10.1.20.21; }',
  )
  for (const dry_run of [true, false]) {
    equal(await importUnchanged('dhcpd', text, { room: 2, dry_run }), {
      ...none,
      conflicts: [
        { line: 8, reason: 'mac: expected 12 hex digits, got "02:00:00:00:02"' },
        { line: 9, reason: 'mac: hardware ethernet is missing' },
        { line: 11, reason: 'ip: 10.1.20.21 is taken by pc-21' },
      ],
    })
  }
})

dhcpd.after(() => testHost.stop())
dhcpd.run()
