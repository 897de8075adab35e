// Hardware addresses of computers that connect, compared with their records.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { Neighbours } from '../../host/agents/neighbours.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'neighbours-'))
const table = join(folder, 'arp')
const test = suite('neighbours')
test.after(() => rmSync(folder, { recursive: true }))

const header = 'IP address       HW type     Flags       HW address            Mask     Device\n'
/** A line as the kernel writes it. */
const line = (addr: string, mac: string, { type = '0x1', flags = '0x2', device = 'eth0' } = {}) =>
  `${addr.padEnd(17)}${type.padEnd(12)}${flags.padEnd(12)}${mac.padEnd(22)}*        ${device}\n`
const writeTable = (...lines: string[]) => writeFileSync(table, header + lines.join(''))

/** Neighbours without a host, for computers with these hardware addresses. */
function createNeighbours(records: Record<string, string>, milliseconds = 1) {
  const lines: string[] = []
  const log = createLog(text => lines.push(text.slice(25).trim()))
  const events = createEvents(log)
  const differences: FleetEvent[] = []
  events.on(event => differences.push(event), ['mac-differs'])
  const looked: string[] = []
  const findMany = async (ips: readonly string[]) => {
    looked.push(...ips)
    // Only these values are read.
    return ips.map(ip => ({ ip, mac: records[ip] })) as never
  }
  const hasRecord = (addr: string) => addr in records
  const neighbours = new Neighbours({ log, events, store: { computers: { findMany } }, hasRecord, table, milliseconds })
  const connect = (...addrs: string[]) => {
    for (const addr of addrs) events.emit({ type: 'client-connected', addr })
  }
  return { neighbours, lines, differences, looked, connect }
}

test('a computer whose hardware address is not that of its record causes an event and a warning', async () => {
  const addr = '127.0.28.1'
  writeTable(line('127.0.28.2', '02:00:7f:00:1c:02'), line(addr, '00:1b:21:0a:0b:0c'))
  const lab = await startTestHost({ neighbourTable: table })
  try {
    await lab.addComputer(addr)
    await lab.addComputer('127.0.28.2')
    const differs = lab.event('mac-differs')
    await lab.agent('127.0.28.2')
    await lab.agent(addr)
    const { mac, recorded_mac } = await differs
    equal([mac, recorded_mac], ['001b210a0b0c', '02007f001c01'])
    await lab.logged(
      /warn {2}agent 127\.0\.28\.1: hardware address: expected 02007f001c01 as in its record, got 001b21/,
    )
    is(lab.log.filter(text => text.includes('hardware address')).length, 1)
  } finally {
    await lab.stop()
  }
})

test('upper and lower case are the same, and any of several network interfaces may be that of the record', async () => {
  writeTable(
    line('10.0.0.1', '00:1b:21:0a:0b:0c'),
    line('10.0.0.2', '00:1b:21:00:00:99', { device: 'eth1' }),
    line('10.0.0.2', '00:1b:21:0a:0b:0d'),
    line('10.0.0.3', '00:1b:21:00:00:03'),
  )
  const records = { '10.0.0.1': '001B210A0B0C', '10.0.0.2': '001b210a0b0d', '10.0.0.3': '001b210a0b0e' }
  const { differences, connect } = createNeighbours(records)
  connect('10.0.0.1', '10.0.0.2', '10.0.0.3')
  await pollUntil(() => differences.length > 0)
  equal(differences, [{ type: 'mac-differs', addr: '10.0.0.3', mac: '001b21000003', recorded_mac: '001b210a0b0e' }])
})

test('computers that the table does not have, or not completely, and those without a record are not judged', async () => {
  writeTable(
    line('10.0.0.2', '00:00:00:00:00:00', { flags: '0x0' }),
    line('10.0.0.3', '00:00:00:00', { type: '0x20' }),
    line('10.0.0.4', '00:1b:21:00:00:04'),
    line('10.0.0.9', '00:1b:21:00:00:09', { flags: '0x6' }),
  )
  const records = Object.fromEntries([1, 2, 3, 9].map(last => [`10.0.0.${last}`, '001b210a0b0c']))
  const { differences, lines, looked, connect } = createNeighbours(records)
  connect('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.9')
  await pollUntil(() => differences.length > 0)
  equal(looked, ['10.0.0.9'])
  is(lines.length, 1)
})

test('a computer that connects again and again is reported once a minute', async () => {
  writeTable(line('10.0.0.1', '00:1b:21:00:00:01'), line('10.0.0.2', '00:1b:21:00:00:02'))
  const { differences, connect } = createNeighbours({ '10.0.0.1': '001b210a0b0c', '10.0.0.2': '001b210a0b0d' })
  connect('10.0.0.1')
  await pollUntil(() => differences.length === 1)
  connect('10.0.0.1', '10.0.0.2')
  await pollUntil(() => differences.length === 2)
  equal(
    differences.map(event => 'addr' in event && event.addr),
    ['10.0.0.1', '10.0.0.2'],
  )
})

test('a table that cannot be read is one warning until it can be read again', async () => {
  const records = { '10.0.0.1': '001b210a0b0c', '10.0.0.2': '001b210a0b0c', '10.0.0.3': '001b210a0b0c' }
  const { lines, differences, connect } = createNeighbours(records)
  rmSync(table)
  connect('10.0.0.1')
  await pollUntil(() => lines.length > 0)
  match(lines[0] ?? '', /^warn {2}agents: hardware addresses not compared with the records: ENOENT/)
  writeTable(line('10.0.0.2', '00:1b:21:00:00:02'))
  connect('10.0.0.2')
  await pollUntil(() => differences.length > 0)
  rmSync(table)
  connect('10.0.0.3')
  await pollUntil(() => lines.length > 2)
  is(lines.filter(text => text.includes('ENOENT')).length, 2)
})

test('the table is not read again within the interval', async () => {
  writeTable(line('10.0.0.1', '00:1b:21:00:00:01'))
  const { neighbours, differences, looked, connect } = createNeighbours({ '10.0.0.1': '001b210a0b0c' }, 30)
  connect('10.0.0.1')
  await pollUntil(() => differences.length > 0)
  const began = performance.now()
  for (let count = 0; count < 100; count += 1) connect('10.0.0.1')
  await pollUntil(() => looked.length > 1)
  is(performance.now() - began >= 29, true)
  equal(looked, ['10.0.0.1', '10.0.0.1'])
  connect('10.0.0.1')
  neighbours.close()
})

test.run()
