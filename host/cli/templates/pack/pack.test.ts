// Run it with `fleet test`.
import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { startLab } from 'fleet-host/test'
import type pack from './pack.ts'

test('jobs are counted by the day, and shown', async () => {
  const lab = await startLab<typeof pack>({
    folder: import.meta.dirname,
    clients: 1,
    settings: { names: ['shell-run'] },
  })
  for (let number = 0; number < 3; number += 1)
    await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
  await lab.post('/refresh', { clients: lab.addresses })
  const [day] = await lab.collections.days.list()
  equal(day?.value.jobs, 3)
  equal((await lab.get('/view/days')).json.rows[0].jobs, 3)
})
