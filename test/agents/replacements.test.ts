// Connections that replace the older one of their address: the events, and the lines of the log.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { Admission } from '../../host/agents/connection/admission.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'
import { agentLimits } from '../harness/host-agents.ts'
import { startLab } from '../harness/lab.ts'

const test = suite('replaced connections')

test('a connection that replaces an older one emits client-replaced and then client-connected', async () => {
  const testHost = await startLab({ subnet: '127.0.27' })
  try {
    const addr = '127.0.27.1'
    const types: string[] = []
    testHost.host.events.on(({ type }) => types.push(type), ['client-connected', 'client-replaced', 'client-gone'])
    const older = await testHost.agent(addr)
    await testHost.agent(addr)
    await older.closed
    await testHost.logged(/agent 127\.0\.27\.1: connected again, older connection closed/)
    equal(types, ['client-connected', 'client-replaced', 'client-connected'])
  } finally {
    await testHost.stop()
  }
})

test('an address whose connections replace each other again and again is logged once a minute', () => {
  let now = 0
  const lines: string[] = []
  const log = createLog(text => lines.push(text.slice(25).trim()))
  const events = createEvents(log)
  new Admission({ log, events, options: agentLimits, now: () => now })
  const replace = (addr: string, times: number) => {
    for (let time = 0; time < times; time += 1) events.emit({ type: 'client-replaced', addr })
  }
  replace('10.0.0.1', 50)
  replace('10.0.0.2', 2)
  const first = 'connected again, older connection closed'
  const flapping = 'flapping: 3 connections replaced within a minute; do two programs or computers use this address?'
  const expected = [
    `info  agent 10.0.0.1: ${first}`,
    `warn  agent 10.0.0.1: ${flapping}`,
    `info  agent 10.0.0.2: ${first}`,
  ]
  equal(lines, expected)
  now = 60_000
  replace('10.0.0.1', 50)
  equal(lines.slice(3), expected.slice(0, 2))
})

test.run()
