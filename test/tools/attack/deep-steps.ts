// A procedure whose parameters are nested 4,106 deep.
import type { Attack } from './attack.ts'

const depths = [101, 1_000, 4_106, 30_000]

export default {
  name: 'deep-steps',
  summary: 'procedures whose parameters are nested up to 30,000 deep',
  seconds: 2,
  cheap: true,
  async run({ call }) {
    const problems: string[] = []
    const statuses: number[] = []
    for (const depth of depths) {
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      const step = `{"command":"shell-run","params":{"run":"true","echo":true,"nested":${nested}}}`
      const { status } = await call('POST /procedure/add', `{"center":"1","name":"deep ${depth}","steps":[${step}]}`)
      statuses.push(status)
      if (status !== 400) problems.push(`depth ${depth}: expected 400, got ${status}`)
    }
    const { status, text } = await call('GET /procedures')
    if (status !== 200 || text.includes('deep'))
      problems.push(`a refused procedure is kept (GET /procedures: ${status})`)
    return { figures: `depths ${depths.join(', ')}: ${statuses.join(', ')}`, problems }
  },
} satisfies Attack
