// Lists jobs, the newest first, or tells one job with its parts.
import type { Command, Job, Part, PartState } from 'fleet-host'

// Parts of a job that one answer takes, so that it stays within the response limit.
const page = 500
const states: PartState[] = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled']

const time = (milliseconds: number) => (milliseconds === 0 ? undefined : new Date(milliseconds).toISOString())
const jobOf = ({ id, created, origin, name, steps, ...rest }: Job) => ({
  ...{ id, created: time(created), origin, name, commands: steps.map(({ command }) => command) },
  ...rest,
})

export default {
  summary: 'List jobs, or read one with its parts: /jobs/<id>',
  route: 'GET /jobs',
  rest: true,
  query: {
    state: { description: 'Only jobs with a part in this state', example: 'failure' },
    command: { description: 'Only jobs with this command' },
    client: { description: 'Only jobs, or parts with their output, of this address', example: '10.1.1.20' },
    limit: { description: 'How many jobs, 100 by default', example: '10' },
    after: { description: 'Of one job: parts after this number, as `next` says' },
  },
  async answer(_, { store, refuse }, { rest: [id, ...more], query }) {
    const number = (name: string, fallback: number) => Number(query.get(name) ?? fallback)
    for (const name of ['limit', 'after']) {
      if (!/^\d{0,9}$/.test(query.get(name) ?? '')) return refuse(`?${name}: expected digits, got ${query.get(name)}`)
    }
    const client = query.get('client') ?? undefined
    if (id === undefined) {
      const state = states.find(one => one === query.get('state'))
      if (query.has('state') && !state)
        return refuse(`?state: expected one of ${states.join(', ')}, got ${query.get('state')}`)
      const filter = { state, client, command: query.get('command') ?? undefined, limit: number('limit', 100) }
      return { jobs: (await store.jobs.list(filter)).map(jobOf) }
    }
    const job = /^\d+$/.test(id) && more.length === 0 ? await store.jobs.find(Number(id)) : undefined
    if (!job) return refuse(`there is no job ${id}`)
    const parts = await store.jobs.parts(job.id, { after: number('after', -1), limit: page + 1, client })
    const partOf = ({ step, queued, sent, ended, output, reason, state, client: addr }: Part) => ({
      ...{ client: addr, step, command: job.steps[step]?.command, state, reason: reason || undefined },
      ...{ queued: time(queued), sent: time(sent), ended: time(ended) },
      ...(client === undefined ? {} : { output }),
    })
    const next = parts.length > page ? parts[page - 1]?.index : undefined
    return { ...jobOf(job), parts: parts.slice(0, page).map(partOf), next }
  },
} satisfies Command
