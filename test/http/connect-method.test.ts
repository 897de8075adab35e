// A CONNECT behind a request that has no response yet: Node's server no longer knows such a connection.
import { connect } from 'node:net'
import { suite } from 'uvu'
import { ok } from 'uvu/assert'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { startSite } from '../harness/site-folder.ts'
import { token } from '../harness/test-host.ts'

const test = suite('CONNECT')

const source = `
export default {
  summary: 'Never answer',
  route: 'GET /never',
  answer({ services }) {
    services.log.info('asked')
    return new Promise(() => {})
  },
}
`

test('the daemon stops although the request before a CONNECT has no response', async () => {
  const site = await startSite({ limits: { answer_seconds: 5 } })
  await site.save('never.ts', source)
  const socket = connect(site.lab.host.ports.rest, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise(resolve => socket.on('close', resolve))
  const head = `Host: x\r\nAuthorization: ${token}\r\n\r\n`
  socket.write(`GET /never HTTP/1.1\r\n${head}CONNECT x:1 HTTP/1.1\r\n${head}`)
  await site.lab.logged(/asked/)
  const time = startQuietTimer()
  await site.stop()
  await closed
  ok(time() < 4000)
})

test.run()
