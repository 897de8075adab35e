// Scripts print much: 30,000 parts of jobs with an output of 4 kB each.
import { randomBytes } from 'node:crypto'
import { message } from '../simulator/agent-http.ts'
import type { Attack, Target } from './attack.ts'

const runs = 200
const outputLength = 4_000
const readTimeout = 5_000 // ms

/** Each output is another one, as equal ones might be stored once. */
const reply = () => message(200, { out: randomBytes(outputLength / 2).toString('hex') })

export default {
  name: 'job-outputs',
  summary: '30,000 parts of jobs with outputs of 4 kB, with a heap of 128 MB',
  seconds: 20,
  daemon: { nodeArguments: ['--max-old-space-size=128'] },
  bounds: { memory: 400_000_000, data: 300_000_000 },
  async run(target) {
    const replied = await connectAgents(target)
    let parts = 0
    let job = ''
    for (let run = 0; run < runs && !target.isOver(); run += 1) {
      const received = replied()
      const { status, headers } = await target.call('POST /shell/run', {
        clients: target.absent,
        run: 'cat',
        echo: true,
      })
      if (status !== 200) return { figures: `${parts} parts`, problems: [`shell/run: ${status}`] }
      await received
      job = String(headers['x-job-id'])
      parts += target.absent.length
    }
    const output = await outputOf(target, job)
    const problems = output === outputLength ? [] : [`output of the last job: ${output} characters`]
    return { figures: `${parts} parts`, problems }
  },
} satisfies Attack

/** Resolves to a function that resolves when each agent has got one more script, or after a timeout. */
async function connectAgents({ absent, agent }: Target): Promise<() => Promise<void>> {
  let missing = 0
  let onAll = () => {}
  await Promise.all(
    absent.map(async addr => {
      const socket = await agent(addr)
      let greeted = () => {}
      const refreshed = new Promise<void>(resolve => {
        greeted = resolve
      })
      socket.on('data', chunk => {
        const isScript = chunk.includes('/shell/run')
        socket.write(isScript ? reply() : message(200))
        if (!isScript) return greeted()
        missing -= 1
        if (missing === 0) onAll()
      })
      await refreshed
    }),
  )
  return () => {
    missing = absent.length
    return new Promise(resolve => {
      const timer = setTimeout(resolve, readTimeout)
      onAll = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** The number of characters of the first client's output; its part may just be ending. */
async function outputOf({ call, absent }: Target, job: string): Promise<number> {
  for (const until = performance.now() + readTimeout; performance.now() < until; ) {
    const { json } = await call(`GET /jobs/${job}?client=${absent[0]}`)
    const { state, output = '' } = json?.parts?.[0] ?? {}
    if (state === 'success') return output.length
  }
  return 0
}
