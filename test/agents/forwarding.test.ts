// Forwarding: what the daemon writes to agents for a caller's request.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.18' })
const { sendToNewAgent } = testHost

const test = suite('forwarding')

test('a command is forwarded as the caller sent it without clients, unknown keys included', async () => {
  const { request } = await sendToNewAgent('POST /shell/run', { run: 'echo ñ\nls', echo: false, extra: { ño: [1] } })
  equal([request.method, request.path], ['POST', '/shell/run'])
  equal(request.body, { run: 'echo ñ\nls', echo: false, extra: { ño: [1] } })
})

test('probe, power off, reboot and stop carry no body', async () => {
  for (const [route, path] of [
    ['POST /clients', '/probe'],
    ['POST /poweroff', '/poweroff'],
    ['POST /reboot', '/reboot'],
    ['POST /stop', '/stop'],
  ] as const) {
    const { request } = await sendToNewAgent(route, { extra: 1 })
    equal([request.method, request.path, request.body], ['POST', path, undefined])
  }
})

test('a forwarded object that is left empty is sent as no body', async () => {
  const { request } = await sendToNewAgent('POST /hardware', {})
  equal([request.method, request.path, request.body], ['GET', '/hardware', undefined])
})

test('a body over the request limit less 700 bytes, escaping included, is 400 and nothing is sent', async () => {
  const agent = await testHost.agent('127.0.18.200')
  const maxLength = 131_072 - 700 - '{"run":"","echo":true}'.length
  const shell = (run: string) => testHost.call('POST /shell/run', { clients: ['127.0.18.200'], run, echo: true })
  // ñ is two bytes in the caller's request and six in the agent's.
  is((await shell(`${'x'.repeat(maxLength - 6)}ññ`)).status, 400)
  is((await shell('x'.repeat(maxLength + 1))).status, 400)
  is((await shell(`${'x'.repeat(maxLength - 6)}ñ`)).status, 200)
  equal((await agent.next('/shell/run')).body, { run: `${'x'.repeat(maxLength - 6)}ñ`, echo: true })
})

test.after(() => testHost.stop())
test.run()
