// Runs for computers that are off: 6,600,000 parts would wait for them.
import { call as callRest } from '../../harness/rest-call.ts'
import type { Attack, Target } from './attack.ts'

const runs = 66
const steps = Array.from({ length: 100 }, () => ({ command: 'shell-run', params: { run: 'true', echo: true } }))
const clients = Array.from({ length: 1_000 }, (_, index) => `127.68.${index >> 8}.${index & 255}`)

export default {
  name: 'waiting-parts',
  summary:
    'a token of the role operate runs 100 steps for 1,000 computers that are off, 66 times, with a heap of 512 MB',
  seconds: 60,
  daemon: { nodeArguments: ['--max-old-space-size=512'] },
  async run(target) {
    await addComputers(target)
    const { json } = await target.call('POST /token/add', { name: 'operator', role: 'operate' })
    await target.call('POST /procedure/add', { center: '1', name: 'steps', steps })
    const counts = new Map<number, number>()
    for (let run = 0; run < runs && !target.isOver(); run += 1) {
      const { status } = await callRest(
        target.ports.rest,
        'POST /procedure/run',
        { clients, procedure: '1' },
        { Authorization: json.token },
      )
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    const figures = [...counts].map(([status, count]) => `${count} times ${status}`).join(', ')
    return { figures, problems: counts.has(429) ? [] : ['all runs were accepted'] }
  },
} satisfies Attack

async function addComputers({ call }: Target): Promise<void> {
  const rows = clients.map(
    (ip, index) => `w${index},${ip},${(0x02_68_00_00_00_00 + index).toString(16).padStart(12, '0')},none\n`,
  )
  const { json } = await call('POST /client/import', {
    format: 'csv',
    room: 1,
    text: `name,ip,mac,boot\n${rows.join('')}`,
  })
  if (json?.added !== rows.length)
    throw new Error(`import: expected ${rows.length} computers, got ${JSON.stringify(json).slice(0, 300)}`)
}
