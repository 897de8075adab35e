// Run it with `fleet test`.
import { match } from 'node:assert/strict'
import { test } from 'node:test'
import { startLab } from 'fleet-host/test'

test('a failed job is in the log', async () => {
  const lab = await startLab({ folder: import.meta.dirname, clients: 1 })
  lab.clients[0]?.replyTo('POST /shell/run', {}, 500)
  await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
  match(lab.log.join('\n'), /my-command\.ts: shell-run: 1 failed/)
})
