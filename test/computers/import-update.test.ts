// client/import with update: changes existing computers, which are found by hardware address or else by address.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { lines, pathsOf } from '../harness/lab-boot.ts'
export const runs = { postgres: true }

const testHost = await startLab({ boot: true })
const { send, exported, importUnchanged, files, info, ok } = testHost
const jobs = followJobs(testHost)

const mac = (n: number) => `0200000000${String(n).padStart(2, '0')}`
const head = 'name,ip,mac'
const row = (n: number, name = `pc-${n}`, hardware = n) => `${name},10.1.1.${n},${mac(hardware)}`
const update = async (...rows: string[]) => (await send('csv', lines(...rows), { update: true })).json
const preview = (...rows: string[]) => importUnchanged('csv', lines(...rows), { update: true, dry_run: true })
const changesOf = (entry: { changes: { key: string; from: string; to: string }[] }) =>
  entry.changes.map(({ key, from, to }) => `${key}: ${from} → ${to}`)

const test = suite('client/import with update')
test.after(() => testHost.stop())

test.before(async () => {
  await ok('POST /center/add', { name: 'Center' })
  for (const name of ['One', 'Two']) await ok('POST /room/add', { name, netmask: '255.255.255.0', center: 1 })
})

test.before.each(async () => {
  const clients = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => `10.1.1.${n}`)
  await ok('POST /client/delete', { clients })
  equal((await send('csv', lines(head, row(1), row(2), row(3)))).json, { added: 3, exists: 0, conflicts: [] })
})

test('a dry run lists for each line what is added, what changes and what stays, and stores and writes nothing', async () => {
  const report = await preview(
    `${head},room,boot,maintenance`,
    `${row(1, 'renamed')},Two,10,yes`,
    `${row(2)},One,,`,
    `${row(4)},Two,,`,
  )
  equal(report, {
    added: 1,
    exists: 1,
    updated: 1,
    conflicts: [],
    rows: [
      {
        line: 2,
        name: 'renamed',
        ip: '10.1.1.1',
        action: 'update',
        changes: [
          { key: 'name', from: 'pc-1', to: 'renamed' },
          { key: 'room', from: 'Center/One', to: 'Center/Two' },
          { key: 'boot', from: 'pxe', to: '10' },
          { key: 'maintenance', from: 'false', to: 'true' },
        ],
      },
      { line: 3, name: 'pc-2', ip: '10.1.1.2', action: 'none' },
      { line: 4, name: 'pc-4', ip: '10.1.1.4', action: 'add', room: 'Center/Two' },
    ],
  })
})

test('the import has the same report, stores the changes, and keeps what the text does not have', async () => {
  await ok('POST /client/update', { ip: '10.1.1.1', livedir: 'mine', serial_number: 'S1' })
  const before = await info('10.1.1.1')
  const rows = [`${head},room,serial_number,livedir`, `${row(1, 'renamed')},Two,,`, `${row(4)},Two,,`]
  const [dryRun, report] = [await preview(...rows), await update(...rows)]
  equal(report, dryRun)
  equal(await info('10.1.1.1'), { ...before, name: 'renamed', room: 2 })
  is((await info('10.1.1.4')).name, 'pc-4')
  match(files()[pathsOf(mac(1)).grub] ?? '', /:renamed:eth0:none group=Two /)
  equal((await update(...rows)).updated, 0)
})

test('an apostrophe alone empties a text, and an empty cell keeps it', async () => {
  await ok('POST /client/update', { ip: '10.1.1.1', livedir: 'mine', serial_number: 'S1' })
  const { rows } = await update(`${head},serial_number,livedir`, `${row(1)},',`)
  equal(changesOf(rows[0]), ['serial_number: S1 → '])
  const { serial_number, livedir } = await info('10.1.1.1')
  equal([serial_number, livedir], ['', 'mine'])
})

test('a place is set by row and column, kept by empty cells, and removed by apostrophes alone', async () => {
  const places = async (...rows: string[]) => {
    const report = await update(`${head},row,column`, ...rows)
    return [report.rows.map(changesOf), (await info('10.1.1.1')).place]
  }
  equal(await places(`${row(1)},3,14`), [[['row:  → 3', 'column:  → 14']], { row: 3, column: 14 }])
  equal((await update(`${head},row,column`, `${row(1)},,`)).exists, 1)
  equal(await places(`${row(1)},4,`), [[['row: 3 → 4']], { row: 4, column: 14 }])
  equal(await places(`${row(1)},','`), [[['row: 4 → ', 'column: 14 → ']], undefined])
})

test('a row without a column, and numbers that no seat has, are conflicts by line', async () => {
  const cells = [row(1), row(2), row(4), row(5)]
  const rows = ['1,', ',2', '0,1', '1,100'].map((place, at) => `${cells[at]},${place}`)
  const { conflicts } = await importUnchanged('csv', lines(`${head},row,column`, ...rows), { update: true })
  const both = 'place: expected both row and column, got one of them'
  equal(conflicts, [
    { line: 2, reason: both },
    { line: 3, reason: both },
    { line: 4, reason: 'row: expected a whole number from 1 to 99, got "0"' },
    { line: 5, reason: 'column: expected a whole number from 1 to 99, got "100"' },
  ])
})

test('a computer is found by its hardware address first: it gets the address of the text', async () => {
  const { id } = await info('10.1.1.1')
  const { rows } = await update(head, row(7, 'pc-1', 1))
  equal(changesOf(rows[0]), ['ip: 10.1.1.1 → 10.1.1.7'])
  is((await info('10.1.1.7')).id, id)
  is((await testHost.call('GET /client/info', { client: ['10.1.1.1'] })).status, 400)
  match(files()[pathsOf(mac(1)).grub] ?? '', / ip=10\.1\.1\.7:/)
})

test('a computer that no row has by hardware address is found by its address: it gets the hardware address', async () => {
  const { id } = await info('10.1.1.2')
  const { rows } = await update(head, row(2, 'pc-2', 42))
  equal(changesOf(rows[0]), [`mac: ${mac(2)} → ${mac(42)}`])
  is((await info('10.1.1.2')).id, id)
  const paths = Object.keys(files())
  equal([paths.includes(pathsOf(mac(42)).grub), paths.includes(pathsOf(mac(2)).grub)], [true, false])
})

test('another notation of the same hardware address is no change', async () => {
  await update(head, 'pc-5,10.1.1.5,0A-0b-0c-0D-0e-0f')
  equal((await update(head, 'pc-5,10.1.1.5,0a0B0C0d0e0F')).exists, 1)
})

test('computers exchange their addresses, and a new one gets an address that becomes free', async () => {
  const ids = [(await info('10.1.1.1')).id, (await info('10.1.1.2')).id, (await info('10.1.1.3')).id]
  const report = await update(head, row(1, 'pc-2', 2), row(2, 'pc-1', 1), row(3, 'new', 43), row(6, 'pc-3', 3))
  equal([report.added, report.updated], [1, 3])
  const after = await Promise.all(['10.1.1.2', '10.1.1.1', '10.1.1.6'].map(async ip => (await info(ip)).id))
  equal(after, ids)
  const { name, mac: hardware } = await info('10.1.1.3')
  equal([name, hardware], ['new', mac(43)])
})

test('an address that a computer keeps, and a hardware address of several computers, are conflicts by line', async () => {
  await ok('POST /client/add', { name: 'twin', ip: '10.1.1.8', mac: mac(3), room: 1 })
  const rows = [head, row(2, 'pc-1', 1), row(9, 'which', 3), row(4, 'renamed', 4)]
  for (const dry_run of [true, false]) {
    const report = await importUnchanged('csv', lines(`${rows[0]},room`, ...rows.slice(1).map(each => `${each},1`)), {
      update: true,
      dry_run,
    })
    equal(report.conflicts, [
      { line: 2, reason: 'ip: 10.1.1.2 is taken by pc-2' },
      { line: 3, reason: 'mac: expected that of one computer, got that of 10.1.1.3, 10.1.1.8' },
    ])
    equal([report.added, report.updated, report.rows.length], [0, 0, 1])
  }
  equal(changesOf((await update(head, row(3, 'one of two', 3))).rows[0]), ['name: pc-3 → one of two'])
})

test('unknown columns, values and rooms stay conflicts by line', async () => {
  const { conflicts } = await importUnchanged(
    'csv',
    lines(`${head},room,maintenance`, `${row(1)},3,`, `${row(2)},,x`),
    {
      update: true,
    },
  )
  equal(conflicts, [
    { line: 2, reason: 'room: there is no room 3' },
    { line: 3, reason: 'maintenance: expected true or false, got "x"' },
  ])
  match(
    (await preview(`${head},romm`, `${row(1)},`)).conflicts[0].reason,
    'columns: expected room, got unknown key "romm"',
  )
})

test('without the room of the request computers keep theirs; with it, those whose row names none get it', async () => {
  const text = lines(head, row(1), row(2))
  const without = (await testHost.call('POST /client/import', { format: 'csv', text, update: true })).json
  equal([without.exists, without.updated], [2, 0])
  const { rows } = (await send('csv', text, { update: true, room: 2 })).json
  equal(rows.map(changesOf), [['room: Center/One → Center/Two'], ['room: Center/One → Center/Two']])
})

test('a computer that gets the name of another one is stored with a warning', async () => {
  const { warnings } = await update(head, row(1, 'pc-2'), row(3, 'pc-1'), row(4, 'pc-2'))
  equal(warnings, [
    { line: 2, reason: 'name: 10.1.1.1 has the name pc-2 of 10.1.1.2 (room One)' },
    { line: 4, reason: 'name: 10.1.1.4 has the name pc-2 of 10.1.1.2 (room One)' },
  ])
})

test('a mode without a template removes the boot files', async () => {
  await update(`${head},boot`, `${row(1)},none`)
  is(Object.keys(files()).includes(pathsOf(mac(1)).grub), false)
  await update(`${head},boot`, `${row(1)},pxe`)
  is(Object.keys(files()).includes(pathsOf(mac(1)).grub), true)
})

test('a dhcpd.conf changes names and addresses, too', async () => {
  const text = `host lab-1 { hardware ethernet 02:0:0:0:0:01; fixed-address 10.1.1.9; }`
  const { rows } = (await send('dhcpd', text, { update: true })).json
  equal(changesOf(rows[0]), ['name: pc-1 → lab-1', 'ip: 10.1.1.1 → 10.1.1.9'])
})

test('queued work of an address that becomes free is cancelled', async () => {
  const job = await testHost.call('POST /shell/run?queue=1', { clients: ['10.1.1.1'], run: 'id', echo: true })
  await update(head, row(7, 'pc-1', 1))
  const [part] = await jobs.finished(jobIdOf(job))
  equal([part?.state, part?.reason], ['cancelled', 'address changed'])
})

test('an export that is imported with update changes nothing', async () => {
  const text = await exported()
  equal((await update(text)).exists, 3)
  is(await exported(), text)
})

test.run()
