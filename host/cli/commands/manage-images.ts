// `fleet image`: makes an image of a computer by words, lists and deletes images.
import type { ApiClient } from '../api/client.ts'
import { findRecord } from '../api/find-record.ts'
import { findPartition } from '../api/installed-systems.ts'
import { readJob, waitForJob } from '../api/job-reader.ts'
import { readRecords, readScopes, resolveAddress } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { sendCommand } from './act-on-computers.ts'
import { confirm, deletion, describeUse } from './confirm.ts'
import { reportJob, watchJob } from './job-results.ts'
import { listImages } from './lists.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

const options = {
  '--from <ip or name>': 'the computer; default: the only one',
  '--partition <number or system>':
    'its number, or a part of the name of its system; default: the only one with a system',
  '--disk <number>': 'the disk, where several have such a partition',
  '--description <text>': 'of a new image; default: the name of the system',
  '--repository <name or id>': 'what gets the file; default: that of the image, else of the computer',
  '--no-wait': 'return when it is sent; fleet job shows what becomes of it',
  '--json': 'print the job with its parts as JSON',
  ...yesOption,
} as const

type Flags = FlagsOf<typeof options>

const create = subcommand({
  command: 'create <image>',
  argument: 'its name; of an image that is there: a newer version of it is made',
  description: 'make an image of a partition of a computer, and follow it to the end',
  options,
  async run(context, flags, name) {
    const api = context.connect()
    const { payload, plan, computer } = await planImage(api, name, flags)
    const { body } = await api.call('POST /image/create?dry_run=1', payload)
    const { clients } = body as { clients: { refused?: string }[] } // What every preview has, whatever the route.
    const refused = clients.find(each => each.refused !== undefined)?.refused
    if (refused !== undefined) throw new CliError(`image create: ${computer}: ${refused}`)
    if (!flags.json) context.print(onOneLine(plan))
    const describe = async () => `Make image ${name}${await describeUse(api, payload.clients, undefined)}`
    await confirm(context, flags.yes, { where: 'image create', needsConsent: false, describe })
    await follow(context, await sendCommand(context, 'POST /image/create', payload, {}), { flags, name, computer })
  },
})

/** What it will do, and a payload with all that nobody has typed. */
async function planImage(api: ApiClient, name: string, flags: Flags) {
  const { computers } = await readScopes(api)
  const client = await findSource(api, flags.from, computers)
  const { disk, partition, code, name: system } = await findPartition(api, client, flags)
  const existing = (await api.call('GET /images')).body.images.find(image => image.name === name)
  const repositories = await readRecords(api, 'repository')
  const repository = findRecord(
    '--repository',
    flags.repository ?? String(existing?.repo_id ?? (await api.call(`GET /client/info?client=${client}`)).body.repo_id),
    repositories,
  )
  const computer = computers.find(({ ip }) => ip === client)?.name ?? client
  const place = `disk ${disk}, partition ${partition} of ${computer}`
  const version = existing ? `version ${existing.version + 1} of image` : 'the new image'
  return {
    computer,
    plan: `${system || 'no known system'} on ${place} becomes ${version} ${name} in repository ${repository.name}`,
    payload: {
      clients: [client],
      disk: String(disk),
      partition: String(partition),
      code: String(code),
      name,
      id: String(existing?.id ?? 0),
      repository_id: repository.id,
      // The API adds a record for an image with one.
      description: flags.description ?? (existing ? undefined : system || name),
    },
  }
}

async function findSource(api: ApiClient, from: string | undefined, computers: { ip: string }[]): Promise<string> {
  const [only, ...others] = from === undefined ? computers : []
  if (only && others.length === 0) return only.ip
  if (from === undefined) throw usageError(`image create: expected --from, as there are ${computers.length} computers`)
  return resolveAddress(api, from)
}

interface Made {
  flags: Flags
  name: string
  computer: string
}

async function follow(context: CliContext, id: number, { flags, name, computer }: Made): Promise<void> {
  if (flags.wait === false) return reportJob(context, id, { wait: false, json: flags.json })
  if (flags.json) await waitForJob(context, id)
  else if (!(await watchJob(context, id))) return context.printError(`job ${id} continues`)
  const job = await readJob(context.connect(), id)
  const { state, reason } = job.parts[0] ?? { state: 'failure' }
  if (flags.json) context.printJson(job)
  if (state !== 'success') throw new CliError(`image create: ${computer}: ${onOneLine(reason ?? state)} (job ${id})`)
  const doubt = reason ? paint('yellow', `; ${onOneLine(reason)}`) : ''
  if (!flags.json) context.print(`image ${name} is made of ${computer}${doubt}`)
}

export const image = subcommand({
  command: 'image',
  description: 'make, list and delete images',
  children: [create, listImages('list'), deletion('image', { key: 'image' })],
})
