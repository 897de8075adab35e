// Refusals of one address: a few lines in a second for each kind, then one that counts.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { bytesOf, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('log of many refusals')
test.after(() => lab.stop())

const requests = 500
const counted = /: (\d+) more lines of this kind in one second, the last: /

/** How many refusals the lines stand for. */
const sum = (lines: string[]) => lines.reduce((total, line) => total + Number(counted.exec(line)?.[1] ?? 1), 0)

for (const [name, route, headers, status] of [
  ['missing tokens', 'GET /clients', { Authorization: undefined }, 401],
  ['other methods', 'PUT /clients', {}, 405],
  ['requests of foreign pages', 'POST /clients', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['unknown paths', 'GET /nowhere', {}, 404],
] as const) {
  test(`${name}: ${requests} refusals are few lines, which count them all`, async () => {
    const one = (more: object) => bytesOf(route, { headers: { ...headers, ...more } })
    const text = await lab.raw(one({ Connection: undefined }).repeat(requests - 1) + one({}))
    equal(statusesIn(text), Array(requests).fill(status))
    const isRefusal = (line: string) => line.includes(` from 127.0.0.1: ${status}, `)
    // The lines of the last second are counted when it ends.
    for (let waits = 0; sum(lab.log.filter(isRefusal)) < requests && waits < 40; waits += 1) {
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    const lines = lab.log.filter(isRefusal)
    is(sum(lines), requests)
    ok(lines.length < 100, `${lines.length} lines`)
  })
}

test.run()
