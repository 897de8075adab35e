// `fleet import`: the preview of an update, the question before it is stored, and warnings.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const { fleet, fleetOnTerminal, bash, write, remove } = openShellOf(testHost)
const nameOf = async (ip: string) => (await testHost.call('GET /client/info', { client: [ip] })).json.name
const list = (...rows: string[]) => write('list.csv', ['name,ip,mac', ...rows].join('\n'))

const test = suite('fleet import')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('warnings of an import are on standard error', async () => {
  const file = list('pc-1,10.8.1.1,020000000001', 'pc-1,10.8.1.2,020000000002', 'pc-3,10.8.1.3,020000000003')
  await testHost.addComputer('10.8.1.9', { name: 'pc-9', mac: '02000000aa29' })
  const warning = 'fleet: warning: line 3: name: 10.8.1.2 has the name pc-1 of 10.8.1.1 (room Room)\n'
  const dryRun = await fleet('import', file, '--room', 'Room', '--dry-run')
  equal(dryRun, { code: 0, out: '3 computers would be added, 0 there already\n', error: warning })
  const { out, error } = await fleet('import', file, '--room', 'Room', '--json')
  equal([JSON.parse(out).added, error], [3, warning])
})

test('warnings are there beside conflicts, so that one look finds all', async () => {
  const file = list('pc-9,10.8.2.1,02000000aa21', 'pc-22,10.8.2.300,02000000aa22')
  const { code, out, error } = await fleet('import', file, '--room', 'Room')
  is(code, 1)
  match(error, /warning: line 2: name: 10\.8\.2\.1 has the name pc-9 of 10\.8\.1\.9 \(room Room\)/)
  match(out, /3 +ip: /)
})

test('a file that cannot be read is named once', async () => {
  const { code, error } = await fleet('import', '/nowhere/list.csv')
  equal([code, error], [2, 'fleet: /nowhere/list.csv: cannot be read: ENOENT: no such file or directory\n'])
})

const changing = () =>
  list(
    'left,10.8.1.1,020000000001',
    'pc-4,10.8.1.4,020000000004',
    'pc-3,10.8.1.3,020000000003',
    'pc-2,10.8.1.7,020000000002',
  )

const table = `LINE  COMPUTER  CHANGE  FROM      TO
   2  left      name    pc-1      left
   3  pc-4      new               10.8.1.4 in Center/Room
   5  pc-2      name    pc-1      pc-2
   5  pc-2      ip      10.8.1.2  10.8.1.7
`
const counts = '1 computer would be added, 2 changed, 1 unchanged (line 4)'

test('the preview of an update lists the changes by line', async () => {
  const { code, out, error } = await fleet('import', changing(), '--update', '--room', 'Room', '--dry-run')
  equal([code, out, error], [0, `${table}${counts}\n`, ''])
})

test('on a terminal an update is shown, and only yes stores it', async () => {
  const args = ['import', changing(), '--update', '--room', 'Room']
  equal(await fleetOnTerminal('n', ...args), {
    code: 1,
    out: table,
    error: `${counts}\nContinue? [y/N] fleet: import: not sent\n`,
  })
  is(await nameOf('10.8.1.1'), 'pc-1')
  const { code, out, error } = await fleetOnTerminal('y', ...args)
  equal([code, out], [0, `${table}1 computer added, 2 changed, 1 unchanged; take it back with: fleet undo 2\n`])
  is(error, `${counts}\nContinue? [y/N] `)
  is(await nameOf('10.8.1.1'), 'left')
})

test('an update that changes nothing asks nothing', async () => {
  const file = changing()
  const { code, out, error } = await fleetOnTerminal('n', 'import', file, '--update')
  equal([code, out, error], [0, '0 computers would be added, 0 changed, 4 unchanged (lines 2-5)\n', ''])
})

test('without a terminal an update needs --yes, and then shows what it has changed', async () => {
  const file = list('right,10.8.1.1,020000000001')
  const { code, out, error } = await fleet('import', file, '--update')
  is(code, 2)
  match(out, /^LINE .*\n {3}2 {2}right .*\n$/)
  is(
    error,
    'fleet: import: expected --yes, as there is no terminal to ask on: 0 computers would be added, 1 changed, 0 unchanged\n',
  )
  is(await nameOf('10.8.1.1'), 'left')
  const stored = await fleet('import', file, '--update', '--yes')
  equal([stored.code, stored.error], [0, ''])
  match(
    stored.out,
    /\n {3}2 {2}right {5}name {4}left {2}right\n0 computers added, 1 changed, 0 unchanged; take it back with: fleet undo 3\n$/,
  )
  is(await nameOf('10.8.1.1'), 'right')
})

test('conflicts of an update are listed after the changes, nothing is asked or stored, and the exit code is 1', async () => {
  const file = list('up,10.8.1.1,020000000001', 'down,10.8.1.3,020000000002')
  const { code, out, error } = await fleetOnTerminal('y', 'import', file, '--update')
  equal([code, error], [1, ''])
  match(
    out,
    /\n {3}2 {2}up .*right {2}up\nLINE {2}CONFLICT\n {3}3 {2}ip: 10.8.1.3 is taken by pc-3\n1 conflict: nothing is stored\n$/,
  )
  is(await nameOf('10.8.1.1'), 'right')
})

test('on a terminal an import is taken back only after a question, and what that deletes can be had again', async () => {
  const file = list('extra,10.8.1.90,020000000090')
  match((await fleet('import', file, '--room', 'Room')).out, /take it back with: fleet undo 4\n$/)
  const { code, error } = await fleetOnTerminal('n', 'undo', '4')
  const question = 'Take back the import of 1 new computer (extra): what it added is deleted\nContinue? [y/N] '
  equal([code, error, await nameOf('10.8.1.90')], [1, `${question}fleet: undo: not sent\n`, 'extra'])
  const done = 'Import of 1 new computer (extra) is taken back; take it back with: fleet undo 5\n'
  is((await fleetOnTerminal('y', 'undo', '4')).out, done)
  equal(await fleetOnTerminal('n', 'undo', '5'), { code: 0, out: 'Computer extra is back\n', error: '' })
  is(await nameOf('10.8.1.90'), 'extra')
})

test('with --json standard output is one JSON document, also on a terminal that is asked', async () => {
  const file = list('json,10.8.1.1,020000000001')
  const preview = JSON.parse((await fleet('import', file, '--update', '--dry-run', '--json')).out)
  equal([preview.updated, preview.rows[0].changes], [1, [{ key: 'name', from: 'right', to: 'json' }]])
  const { out } = await fleetOnTerminal('y', 'import', file, '--update', '--json')
  equal(JSON.parse(out), { ...preview, undo: 6 })
  is(await nameOf('10.8.1.1'), 'json')
})

test('an export of the server can be imported as it is', async () => {
  const { out } = await bash(
    'fleet export > all.csv && fleet import all.csv && fleet import - --format csv --update < all.csv',
  )
  match(out, /^0 computers added, 6 there already\n0 computers would be added, 0 changed, 6 unchanged \(lines 2-7\)\n$/)
})

test('a preview that is too long for a response names the number of other lines', async () => {
  const rows = Array.from(
    { length: 3000 },
    (_, n) => `computer-${n},10.9.${n >> 8}.${n & 255},5${n.toString(16).padStart(11, '0')}`,
  )
  const { code, out } = await fleet('import', list(...rows), '--update', '--room', 'Room', '--dry-run')
  is(code, 0)
  match(out, /\n… and \d+ more lines\n3000 computers would be added, 0 changed, 0 unchanged\n$/)
})

test('an old list of a computer whose address was corrected makes no second one, and a terminal shows what to write', async () => {
  await testHost.addComputer('10.8.1.8', { name: 'moved', mac: '02000000aa28' })
  is((await fleet('computer', 'edit', 'moved', '--ip', '10.8.1.18')).code, 0)
  const { code, out } = await fleetOnTerminal('y', 'import', list('moved,10.8.1.8,02000000aa28'), '--room', 'Room')
  is(code, 1)
  match(
    out,
    /2 +mac: 02000000aa28 is that of moved .*10\.8\.1\.18, .*10\.8\.1\.8: correct .* --ip 10\.8\.1\.8\n1 conflict:/,
  )
})

test('an address and other values change in one command, which is taken back as one', async () => {
  await testHost.addComputer('10.8.8.9', { name: 'desk-1', mac: '02000000bb29' })
  const valuesOf = async (client: string) => {
    const { ip, mac, name } = (await testHost.call('GET /client/info', { client: [client] })).json
    return [ip, mac, name]
  }
  const edit = ['desk-1', '--ip', '10.8.8.19', '--mac', '02000000bb30']
  const { code, out, error } = await fleet('computer', 'edit', ...edit)
  equal([code, error], [0, ''])
  match(out, /^Computer desk-1 changed: ip 10\.8\.8\.19, mac 02000000bb30; take it back with: fleet undo \d+\n$/)
  equal(await valuesOf('10.8.8.19'), ['10.8.8.19', '02000000bb30', 'desk-1'])
  is((await fleet('undo', /\d+$/m.exec(out)?.[0] ?? '')).code, 0)
  equal(await valuesOf('10.8.8.9'), ['10.8.8.9', '02000000bb29', 'desk-1'])
})

test.run()
