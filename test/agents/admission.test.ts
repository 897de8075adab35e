// Which connections of agents are kept: those that the option agents.allow names, and no more than its limits.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const test = suite('admission')

test('computers without a record are connected up to the limit, those with one always', async () => {
  const testHost = await startLab({ subnet: '127.0.23', options: { agents: { ip: '0.0.0.0', port: 0, unknown: 2 } } })
  const { clients } = testHost
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
    const adopted = await testHost.call('POST /client/adopt', { clients: ['127.0.23.6'], room: 1 })
    is(
      adopted.headers['x-reason'],
      '127.0.23.6: its connections are refused: it has no computer record, and 2 such connections are open (agents.unknown); see fleet doctor 127.0.23.6',
    )
    is((await clients()).length, 4)
  } finally {
    await testHost.stop()
  }
})

test('GET /clients leaves out computers without a record when the list would pass the limit of a response', async () => {
  const testHost = await startLab({ subnet: '127.0.24', options: { limits: { response: 1000 } } })
  const { clients } = testHost
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

test('with agents.allow "known" an agent gets in when its computer has a record, also one that was added just now', async () => {
  const testHost = await startLab({
    subnet: '127.0.25',
    options: { agents: { ip: '0.0.0.0', port: 0, allow: 'known' } },
  })
  const { clients } = testHost
  try {
    const addr = '127.0.25.1'
    const refused = testHost.event('client-refused', { addr })
    const unknown = await testHost.agent(addr, { auto: false })
    await unknown.closed
    is((await refused).reason, 'it has no computer record (agents.allow)')
    equal(await clients(), [])
    await testHost.addComputer(addr)
    await testHost.agent(addr)
    is((await clients()).length, 1)
    await testHost.call('POST /client/delete', { clients: [addr] })
    const late = await testHost.agent(addr, { auto: false })
    await late.closed
    // The connection that is open stays.
    is((await clients()).length, 1)
    is(testHost.log.filter(line => line.includes('closed: it has no computer record')).length, 1)
  } finally {
    await testHost.stop()
  }
})

test('an address that connects too often within a minute keeps its last connection', async () => {
  const testHost = await startLab({
    subnet: '127.0.26',
    options: { agents: { ip: '0.0.0.0', port: 0, connections_per_minute: 2 } },
  })
  const { clients } = testHost
  try {
    const addr = '127.0.26.1'
    const older = await testHost.agent(addr)
    const last = await testHost.agent(addr)
    await older.closed
    const refused = testHost.event('client-refused', { addr })
    const newest = await testHost.agent(addr, { auto: false })
    await newest.closed
    is((await refused).reason, 'it has connected 2 times within a minute (agents.connections_per_minute)')
    await testHost.agent('127.0.26.2')
    is((await clients()).length, 2)
    await testHost.call('POST /shell/run', { clients: [addr], run: 'true', echo: true })
    await last.next('/shell/run')
  } finally {
    await testHost.stop()
  }
})

test.run()
