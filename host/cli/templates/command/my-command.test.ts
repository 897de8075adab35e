// Run it with `fleet test`.
import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { startLab } from 'fleet-host/test'

test('the kernel version is the output of the client', async () => {
  const lab = await startLab({ folder: import.meta.dirname, clients: 1 })
  lab.clients[0]?.replyTo('POST /shell/run', { out: 'Linux 6.1' })
  equal((await lab.post('/my/command', { clients: lab.addresses })).status, 200)
  const { json } = await lab.post('/shell/output', { clients: lab.addresses })
  equal(json.clients[0].output, 'Linux 6.1')
})
