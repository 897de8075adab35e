// Which connections of agents are kept when there are too many.
import { once } from 'node:events'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { Admission } from '../../host/agents/admission.ts'
import { createEvents } from '../../host/system/events.ts'
import { createLog } from '../../host/system/log.ts'
import { startAgentHost } from '../harness/agent-host.ts'

const test = suite('admission')

test('computers without a record are connected up to the limit, those with one always', async () => {
  const { testHost, clients } = await startAgentHost('127.0.23', {
    options: { agents: { ip: '0.0.0.0', port: 0, unknown: 2 } },
  })
  try {
    const [first] = await Promise.all(['127.0.23.1', '127.0.23.2'].map(addr => testHost.agent(addr)))
    const refused = await testHost.agent('127.0.23.3', { auto: false })
    await refused.closed
    await testHost.logged(
      /agents: connection from 127\.0\.23\.3 closed: it has no computer record, and 2 such connections are open/,
    )
    // A connection that replaces an older one is kept.
    await testHost.agent('127.0.23.2')
    // A record counts at once: for a new connection, and for one that is open.
    await testHost.addComputer('127.0.23.3')
    await testHost.agent('127.0.23.3')
    await testHost.addComputer('127.0.23.2')
    await testHost.agent('127.0.23.4')
    const gone = testHost.event('client-gone', { addr: '127.0.23.1' })
    await first?.close()
    await gone
    await testHost.agent('127.0.23.5')
    equal(
      (await clients()).map(({ addr }) => addr),
      ['127.0.23.5', '127.0.23.4', '127.0.23.3', '127.0.23.2'],
    )
    // Connected computers whose record is deleted stay, and count again.
    await testHost.call('POST /client/delete', { clients: ['127.0.23.2'] })
    const late = await testHost.agent('127.0.23.6', { auto: false })
    await late.closed
    is((await clients()).length, 4)
  } finally {
    await testHost.stop()
  }
})

test('GET /clients leaves out computers without a record when the list would pass the limit of a response', async () => {
  const { testHost, clients } = await startAgentHost('127.0.24', { options: { limits: { response: 1000 } } })
  try {
    const addrsWithRecord = ['127.0.24.11', '127.0.24.12', '127.0.24.13']
    for (let last = 1; last <= 10; last += 1) await testHost.agent(`127.0.24.${last}`)
    for (const addr of addrsWithRecord) {
      await testHost.addComputer(addr)
      await testHost.agent(addr)
    }
    const addrs = (await clients()).map(({ addr }) => addr)
    equal(addrs.slice(0, 3).reverse(), addrsWithRecord)
    ok(addrs.length > 5, `${addrs.length} clients`)
    is(addrs.at(-1), '127.0.24.1')
  } finally {
    await testHost.stop()
  }
})

test('a connection is closed at once when only the reserved file descriptors are left', async () => {
  const lines: string[] = []
  const log = createLog(text => lines.push(text.slice(25).trim()))
  const events = createEvents(log)
  // Counted once: each connection adds one.
  const descriptors = { limit: () => 1024, open: () => 511 }
  const admission = new Admission({ log, events, options: { unknown: 1000 }, descriptors })
  is(admission.admit('10.0.0.1', new Socket()), true)
  events.emit({ type: 'client-connected', addr: '10.0.0.1' })
  const socket = new Socket()
  is(admission.admit('10.0.0.2', socket), false)
  await once(socket, 'close')
  is(admission.admit('10.0.0.1', new Socket()), true)
  equal(lines, [
    'warn  agents: connection from 10.0.0.2 closed: 512 of 1024 file descriptors are open, the others are reserved',
  ])
})

test('a computer with a new address is known by that address', () => {
  const log = createLog(() => {})
  const events = createEvents(log)
  const admission = new Admission({ log, events, options: { unknown: 1000 } })
  admission.addComputers([{ ip: '10.0.0.1' }])
  events.emit({ type: 'computer-changed', addrs: ['10.0.0.1', '10.0.0.7'], ip: '10.0.0.9' })
  equal(
    ['10.0.0.1', '10.0.0.7', '10.0.0.9'].map(addr => admission.hasRecord(addr)),
    [false, false, true],
  )
})

test.run()
