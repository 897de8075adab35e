// A daemon whose audit log cannot be written.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, match } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const test = suite('an audit log that cannot be written')

test('a disk that fails is a reason of /readyz, and no write is refused', async () => {
  const lab = await startTestHost()
  const file = join(lab.folder, 'data', `audit-${new Date().toISOString().slice(0, 7)}.jsonl`)
  mkdirSync(file, { recursive: true })
  is((await lab.call('POST /center/add', { name: 'A' })).status, 200)
  await lab.logged(/audit: records cannot be written/)
  const { status, json } = await lab.call('GET /readyz')
  is(status, 503)
  match(json.reasons.join(), /audit log: EISDIR/)
  is((await lab.call('POST /center/add', { name: 'B' })).status, 200)
  await lab.stop()
})

test.run()
