// What an agent may report: how much of it, how long and with which characters; and from which address.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { toPrintable } from '../../host/log/shown-text.ts'
import { startLab } from '../harness/lab.ts'
import { layout, root, swap } from '../harness/lab-images.ts'

const testHost = await startLab()
const { computer, command, read, partitionsOf } = testHost

const limits = suite('limits of replies')

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ ...root, partition: String(n + 1) }))
const lines = (count: number, line: string) => Array.from({ length: count }, (_, n) => `${line}${n}`).join('\n')
const huge = '9'.repeat(15)
const place = { disk: '1', partition: '1' }
const create = { ...place, name: 'debian', repository: '10.1.1.1', id: '0', code: '131' }
const created = {
  ...place,
  id: '0',
  software: 'Debian 12\nvim',
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  datasize: 1,
}

const refused: [name: string, route: string, payload: object, reply: object, reason: string][] = [
  [
    '193 partitions',
    'POST /refresh',
    {},
    { partition_setup: rows(193) },
    'partition_setup: expected at most 192 elements, got 193',
  ],
  ['65 disks', 'POST /refresh', {}, { disk_setup: rows(65) }, 'disk_setup: expected at most 64 elements, got 65'],
  [
    'partition 10000',
    'POST /refresh',
    {},
    { partition_setup: [{ ...root, partition: '10000' }] },
    'partition_setup[0].partition: expected the number of a disk or partition, 0 to 9999, got "10000"',
  ],
  [
    'a speed of 1e300',
    'POST /refresh',
    {},
    { ...layout, link: 1e300 },
    'link: expected a number <= 2147483647, got 1e+300',
  ],
  [
    '501 lines of hardware',
    'POST /hardware',
    {},
    { hardware: lines(501, 'cpu=') },
    'hardware: expected at most 500 lines, got',
  ],
  [
    '501 lines of hardware, most of them empty',
    'POST /hardware',
    {},
    { hardware: `cpu=1${'\n'.repeat(500)}` },
    'hardware: expected at most 500 lines, got',
  ],
  [
    '10,001 lines of software',
    'POST /software',
    place,
    { software: lines(10_001, ''), partition: '1' },
    'software: expected at most 10000 lines, got',
  ],
  [
    'software of partition 999999999999999',
    'POST /software',
    place,
    { software: 'x\ny', partition: huge },
    'partition: expected the number',
  ],
  [
    'an image of partition 999999999999999',
    'POST /image/create',
    create,
    { ...created, partition: huge },
    'partition: expected the number',
  ],
  [
    'a compressor of 65 characters',
    'POST /image/create',
    create,
    { ...created, compressor: 'x'.repeat(65) },
    'compressor: expected at most 64 printable ASCII',
  ],
  [
    'a clonator with a line end',
    'POST /image/create',
    create,
    { ...created, clonator: 'x\n' },
    'clonator: expected at most 64 printable ASCII',
  ],
  [
    'an image of 1e300 bytes',
    'POST /image/create',
    create,
    { ...created, datasize: 1e300 },
    'datasize: expected a number <= 9007199254740991',
  ],
]

for (const [name, route, payload, reply, reason] of refused) {
  limits(`${name}: the reply is a failure, and nothing is stored`, async () => {
    const { addr, agent } = await computer()
    const before = await partitionsOf(addr)
    const ended = testHost.event('command-ended', { addr })
    is((await testHost.call(route, { clients: [addr], ...payload })).status, 200)
    await agent.next()
    agent.answer(200, reply)
    match(String((await ended).reason), `reply not understood: ${reason}`)
    equal([await partitionsOf(addr), await read('GET /hardware', addr)], [before, { hardware: [] }])
  })
}

limits('a caller cannot send a disk or partition over 9999 with software', async () => {
  const { addr } = await computer()
  is((await testHost.call('POST /software', { clients: [addr], disk: huge, partition: '1' })).status, 400)
})

limits('256 rows, 500 lines of hardware and 10,000 of software are stored', async () => {
  const disks = Array.from({ length: 64 }, (_, n) => ({ ...root, disk: String(n + 1), partition: '0' }))
  const { addr, agent } = await computer({ disk_setup: disks, partition_setup: rows(192) })
  is((await partitionsOf(addr)).length, 256)
  await command(addr, agent, 'POST /hardware', {}, { hardware: lines(500, 'cpu=') })
  is((await read('GET /hardware', addr)).hardware.length, 500)
  await command(addr, agent, 'POST /software', place, { software: lines(10_000, ''), partition: '1' })
  is((await read('GET /software', addr, { disk: 1, partition: 1 })).software.length, 9999)
})

limits('longer names, serial numbers and lines are cut, and what cannot be printed is removed', async () => {
  const long = `\u202E\u0007${'x'.repeat(300)}`
  const { addr, agent } = await computer({ ...layout, partition_setup: [{ ...root, os: long }], serial_number: long })
  is((await read('GET /client/info', addr)).serial_number, 'x'.repeat(62))
  is((await read('GET /session', addr)).sessions[0].name, 'x'.repeat(62))
  await command(addr, agent, 'POST /hardware', {}, { hardware: `cpu=${long}\n${long}=a\tb` })
  equal((await read('GET /hardware', addr)).hardware, [
    { type: 'processor', description: 'x'.repeat(254) },
    { type: 'x'.repeat(62), description: 'a b' },
  ])
  await command(addr, agent, 'POST /software', place, { software: `os\n${long}\na\u2028b\n\u200b`, partition: '1' })
  equal((await read('GET /software', addr, { disk: 1, partition: 1 })).software, ['x'.repeat(254), 'a b'])
})

limits('filesystem names that begin with the same 64 characters have the same id', async () => {
  const name = 'n'.repeat(64)
  const { addr } = await computer({
    partition_setup: [
      { ...root, filesystem: `${name}1` },
      { ...swap, filesystem: `${name}2` },
    ],
  })
  const [first, second] = await partitionsOf(addr)
  is(first.filesystem, second.filesystem)
})

limits('an address without a computer record leaves no filesystem names behind', async () => {
  const named = (name: string) => ({ partition_setup: [{ ...root, filesystem: name }] })
  const before = await computer(named('FIRST'))
  const addr = '127.0.5.201'
  const unknown = await testHost.agent(addr, { refresh: { status: 200, body: named('STRANGE') } })
  await testHost.logged(/127\.0\.5\.201: refresh: reply not stored, no computer record/)
  unknown.destroy()
  const after = await computer(named('SECOND'))
  const [one, two] = [await partitionsOf(before.addr), await partitionsOf(after.addr)]
  is(two[0].filesystem, one[0].filesystem + 1)
})

limits.after(() => testHost.stop())
limits.run()

const printable = suite('printable texts')

const texts: [text: string, expected: string][] = [
  [' Señal 日本 👍 ', 'Señal 日本 👍'],
  ['a\u0000b\u001bc\u009bd\u007fe', 'abcde'],
  ['a\tb\nc\u0085d\u2028e\u2029f', 'a b c d e f'],
  ['\u202eabc\u2066d\u200b\ufeff', 'abcd'],
  ['12345678901\ud83d\udc4d', '12345678901'],
  ['1234567890123', '123456789012'],
  ['\u0007 ', ''],
]

for (const [text, expected] of texts) {
  printable(`${JSON.stringify(text)} becomes ${JSON.stringify(expected)}`, () => is(toPrintable(text, 12), expected))
}

printable.run()
