// The option rest.proxies: which address counts as the caller's.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

/** The address in the audit log and in the line of a refused request, sent with this header. */
async function callerOf(proxies: string[], forwarded: string | undefined): Promise<string[]> {
  const lab = await startTestHost({ options: { rest: { port: 0, proxies } } })
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  await lab.call('POST /center/add', { name: 'Center' }, headers)
  await lab.call('POST /center/add', { name: 1 }, headers)
  const [, line] = /POST \/center\/add from (\S+): 400/.exec(await lab.logged(/from \S+: 400/)) ?? []
  const { json } = await lab.call('GET /audit?since=2000-01-01T00:00:00.000Z')
  await lab.stop()
  return [line ?? '', ...json.audit.map(({ address }: { address: string }) => address)]
}

const test = suite('the address of a caller behind a proxy')

for (const [proxies, forwarded, expected] of [
  [[], '10.9.9.9', '127.0.0.1'],
  [['10.0.0.0/8'], '10.9.9.9', '127.0.0.1'],
  [['127.0.0.1'], undefined, '127.0.0.1'],
  [['127.0.0.1'], '192.0.2.7', '192.0.2.7'],
  [['127.0.0.1'], '10.1.1.1, 192.0.2.7', '192.0.2.7'],
  [['127.0.0.0/8', '10.0.0.0/8'], '203.0.113.5, 192.0.2.7,10.1.1.1', '192.0.2.7'],
  [['127.0.0.0/8', '10.0.0.0/8'], '10.2.2.2, 10.1.1.1', '10.2.2.2'],
  [['127.0.0.1'], '::ffff:192.0.2.7', '192.0.2.7'],
  [['127.0.0.1'], '2001:db8::7', '2001:db8::7'],
  [['127.0.0.1'], 'fe80::1%eth0', 'fe80::1%eth0'],
  [['127.0.0.1'], 'unknown', '127.0.0.1'],
  [['127.0.0.1'], '192.0.2.7, ', '127.0.0.1'],
  [['127.0.0.0/8'], '192.0.2.7 10.1.1.1, 127.0.0.2', '127.0.0.1'],
] as const) {
  test(`with the proxies ${proxies.join(' and ') || 'none'}, "${forwarded ?? ''}" is ${expected}`, async () => {
    equal(await callerOf([...proxies], forwarded), [expected, expected, expected])
  })
}

test('on an IPv6 socket, an IPv4 address is one', async () => {
  const lab = await startTestHost({ options: { rest: { ip: '::', port: 0, proxies: ['127.0.0.1'] } } })
  is((await lab.call('POST /center/add', { name: 1 }, { 'X-Forwarded-For': '192.0.2.7' })).status, 400)
  await lab.logged(/from 192\.0\.2\.7: 400/)
  is((await lab.call('POST /center/add', { name: 1 })).status, 400)
  await lab.logged(/from 127\.0\.0\.1: 400/)
  await lab.stop()
})

test.run()
