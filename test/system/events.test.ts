// The event bus inside the daemon.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'

const test = suite('event bus')

test('a listener gets the types that it names until it unsubscribes; one that throws affects no other', () => {
  const lines: string[] = []
  const events = createEvents(createLog(line => lines.push(line)))
  const received: string[] = []
  const unsubscribe = events.on(({ type }) => received.push(`some ${type}`), ['client-gone', 'wake-sent'])
  events.on(() => {
    throw new Error('thrown by a listener')
  }, ['client-gone'])
  events.on(({ type }) => received.push(`all ${type}`))
  const addr = '10.0.0.1'
  events.emit({ type: 'client-gone', addr })
  events.emit({ type: 'client-ready', addr })
  equal(received.splice(0), ['some client-gone', 'all client-gone', 'all client-ready'])
  is(lines.filter(line => /a listener of client-gone failed/.test(line)).length, 1)
  unsubscribe()
  events.emit({ type: 'wake-sent', addr })
  equal(received, ['all wake-sent'])
})

test.run()
