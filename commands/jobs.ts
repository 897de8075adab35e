// Lists jobs, the newest first, or reads one job with its parts.
import type { Command, Rights } from 'fleet-host'
import { insideClients } from './_inside.ts'
import { jobArguments } from './_job-arguments.ts'
import { jobEntry, partEntry, progressByPart } from './_job-entries.ts'
import { query } from './_job-query.ts'
import { jobResults } from './_job-results.ts'

// How many parts one response has, so that it stays within the response limit.
const pageSize = 500

/** The address of another caller may be that of a computer outside the limits. */
function visibleEntry(job: Parameters<typeof jobEntry>[0], { isLimited, name }: Rights) {
  const entry = jobEntry(job)
  return isLimited && job.by !== name ? { ...entry, caller: undefined } : entry
}

export default {
  summary: 'List jobs, or read one with its parts: /jobs/<id>',
  group: 'Jobs and events',
  route: 'GET /jobs',
  heavy: true,
  returns: jobResults,
  scoped: true,
  rest: true,
  query,
  async answer({ services, request }) {
    const { state, command, client, limit = 100, after = -1 } = request.query
    const [id, ...more] = request.rest
    const { rights } = request
    const clients = rights.isLimited ? insideClients(await services.store.scopes(), rights) : undefined
    if (id === undefined) {
      const jobs = await services.store.jobs.list({ state, command, client, clients, limit: Number(limit) })
      const argumentsOf = jobArguments()
      const entries: object[] = []
      await services.slices.forEach(jobs, job => {
        entries.push({ ...visibleEntry(job, rights), arguments: argumentsOf(job) })
      })
      return { jobs: entries }
    }
    const job = /^\d+$/.test(id) && more.length === 0 ? await services.store.jobs.find(Number(id), clients) : undefined
    if (!job && rights.isLimited) return services.refuse('id: expected a job with computers of the token', 403)
    if (!job) return services.refuse(`id: there is no job ${request.rest.join('/')}`)
    const page = { after: Number(after), limit: pageSize + 1, client, clients, outputs: client !== undefined }
    const parts = await services.store.jobs.parts(job.id, page)
    const progressOf = progressByPart(services.images.progressOf(job.id))
    const waits = await services.jobs.waitsOf(job.id)
    const entries = parts.slice(0, pageSize).map(part => {
      const entry = { ...partEntry(job, part), progress: progressOf(part), waiting: waits.get(part.index) }
      if (client === undefined) return entry
      return { ...entry, output: part.output, output_dropped: part.output_dropped }
    })
    const next = parts.length > pageSize ? parts[pageSize - 1]?.index : undefined
    return { ...visibleEntry(job, rights), arguments: jobArguments()(job), parts: entries, next }
  },
} satisfies Command<undefined, undefined, typeof query>
