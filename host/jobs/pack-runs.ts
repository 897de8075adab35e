// Starts commands that packs ask for, with the rights of the pack, and records them in the log and the audit log.
import type { Audit } from '../access/audit.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { CommandRun, Rights, SearchService } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { clientFields, describeClients, shownClients } from '../log/shown-text.ts'
import type { RunForPack } from './command-services.ts'
import type { RunCommand } from './execute.ts'

interface PackRunsDeps {
  run: RunCommand
  findCommand(name: string): LoadedCommand | undefined
  search: Pick<SearchService, 'targets'>
  log: Log
  audit: Pick<Audit, 'add'>
}

export function createPackRuns({ run, findCommand, search, log, audit }: PackRunsDeps): RunForPack {
  return async (work, rights) => {
    if (!rights) return refuse('run: expected a pack that is in service, got none', 403)
    const found = await clientsOf(work, rights, search)
    const job = isRefusal(found) ? found : await run({ ...work, ...found }, rights)
    const route = findCommand(work.command)?.command.route ?? `command ${work.command}`
    const outcome = isRefusal(job) ? { status: job.status } : { status: 200, job }
    const { name: who } = rights
    const clients = isRefusal(found) ? [] : found.clients
    audit.add(
      { who, address: '', route, clients: clients.slice(0, shownClients), count: clients.length, ...outcome },
      true,
    )
    const result = isRefusal(job) ? `refused with ${job.status}: ${job.refused}` : `job ${job}`
    const text = `${route} by ${who}: ${result}; ${describeClients(clients)}`
    const fields = { event: isRefusal(job) ? 'refusal' : 'write', by: who, command: work.command, ...outcome }
    if (isRefusal(job)) log.warn('packs', text, fields)
    else log.info('packs', text, { ...fields, ...clientFields(clients) })
    return job
  }
}

/** Those that it lists or that its query finds. */
async function clientsOf({ clients, where }: CommandRun, rights: Rights, search: PackRunsDeps['search']) {
  if ((clients === undefined) === (where === undefined)) return refuse('run: expected one of clients and where')
  if (where === undefined) return { clients: clients ?? [] }
  const found = await search.targets({ where }, rights)
  return !isRefusal(found) && found.clients.length === 0 ? refuse('where: no computer matches') : found
}
