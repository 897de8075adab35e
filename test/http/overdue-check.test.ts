// Node looks for overdue requests only while connections are open; slow-sender.test.ts has what it does then.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { idleInterval, OverdueCheck } from '../../host/http/transport/overdue-check.ts'

const test = suite('search for overdue requests')

test('it begins with the first connection, and ends some time after the last one', async () => {
  const server = createServer({ connectionsCheckingInterval: idleInterval })
  const intervals: unknown[] = []
  const check = new OverdueCheck(server, 10)
  check.update(1)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.on('listening', () => intervals.push(Reflect.get(server, 'connectionsCheckingInterval')))
  for (const open of [1, 2, 1, 0, 1]) check.update(open)
  equal(intervals, [1000])
  // Open again when the idle time has passed.
  await new Promise(resolve => setTimeout(resolve, 100))
  equal(intervals, [1000])
  check.update(0)
  await once(server, 'listening')
  equal(intervals, [1000, idleInterval])
  check.update(1)
  equal(intervals, [1000, idleInterval, 1000])
  server.close()
  await once(server, 'close')
})

test.run()
