// The rows of `GET /assets`, as JSON and as CSV.
import type { FoundComputer, FromSchema, Services } from 'fleet-host'
import { type AssetFacts, macOf, readFacts } from './_asset-facts.ts'
import type { Context } from './_asset-schemas.ts'
import { splitModel } from './_makers.ts'
import type { Serials } from './_serials.ts'

const text = (description: string, example: string) => ({ type: 'string', description, examples: [example] }) as const
const texts = (description: string, ...example: string[]) =>
  ({ type: 'array', items: { type: 'string' }, description, examples: [example] }) as const
const size = { type: 'integer', description: 'MiB', examples: [476_940] } as const

export const asset = {
  type: 'object',
  required: ['client', 'name', 'macs', 'disks', 'systems', 'room', 'center'],
  properties: {
    client: text('its address', '10.1.1.20'),
    name: text('its host name', 'pc-20'),
    serial: text('absent: it is not known, or none', 'CZC8473H2K'),
    same_serial: texts('addresses of other computers with this serial number: a conflict', '10.1.1.21'),
    junk_serial: text('what firmware has in place of a serial number', 'To be filled by O.E.M.'),
    manufacturer: text('absent: it is not known', 'Dell Inc.'),
    model: text('absent: it is not known', 'OptiPlex 7010'),
    macs: texts('its hardware addresses', '00:1b:21:0a:0b:0c'),
    cpu: text('its processor', 'Intel Core i5-12400'),
    memory: { ...size, examples: [16_384] },
    disks: {
      type: 'array',
      items: { type: 'object', properties: { size, name: text('its model', 'Samsung SSD 980 500 GB') } },
    },
    systems: texts('its operating systems', 'Windows 11 Pro'),
    room: text('the name of its room', 'Lab 1'),
    center: text('the name of its center', 'Campus'),
    seen: text('when it was last connected; absent: never', '2026-09-14T08:00:00.000Z'),
    user: text('who is logged in, if the setting `users` is on', 'anna'),
  },
} as const

export type Asset = FromSchema<typeof asset>

/** What is read of `GET /search` for each row. */
export const foundColumns = 'client,name,room,center,seen,user,ram'

export async function assetsOf(
  computers: readonly FoundComputer[],
  serials: Serials,
  context: Context,
): Promise<Asset[]> {
  const ips = computers.map(({ client }) => client)
  const facts = new Map((await readFacts(ips, context.services)).map(each => [each.record.ip, each]))
  return computers.flatMap(computer => {
    const known = facts.get(computer.client)
    return known ? [assetOf(computer, known, serials, context.settings.users)] : []
  })
}

function assetOf(computer: FoundComputer, facts: AssetFacts, { repeated, junk }: Serials, hasUsers: boolean): Asset {
  const { client, name = '', room = '', center = '', seen, user, ram } = computer
  const serial = facts.record.serial_number
  const [cpu] = facts.devices('processor')
  const mac = macOf(facts.record)
  const others = repeated.get(client)
  return {
    client,
    name,
    ...(serial !== '' && (junk.has(client) ? { junk_serial: serial } : { serial })),
    ...(others && { same_serial: others }),
    ...splitModel(facts.devices('computer model')[0] ?? ''),
    macs: mac === undefined ? [] : [mac],
    ...(cpu !== undefined && { cpu }),
    ...(ram !== undefined && { memory: ram }),
    disks: facts.disks,
    systems: facts.systems,
    room,
    center,
    ...(seen !== undefined && { seen }),
    ...(hasUsers && user !== undefined && { user }),
  }
}

const columns: Record<string, (row: Asset) => string | number | undefined> = {
  client: row => row.client,
  name: row => row.name,
  serial: row => row.serial,
  same_serial: row => row.same_serial?.join('; '),
  manufacturer: row => row.manufacturer,
  model: row => row.model,
  macs: row => row.macs.join('; '),
  cpu: row => row.cpu,
  memory: row => row.memory,
  disks: row => row.disks.map(({ size, name }) => size ?? name ?? '').join('; '),
  systems: row => row.systems.join('; '),
  room: row => row.room,
  center: row => row.center,
  seen: row => row.seen,
  user: row => row.user,
}

/** In steps, so that the first lines leave before the last ones are made. */
export async function* csvOf(pages: AsyncIterable<readonly Asset[]>, { csvRecord }: Services): AsyncGenerator<string> {
  yield csvRecord(Object.keys(columns))
  for await (const page of pages) {
    const lines = page.map(row =>
      csvRecord(Object.values(columns).map(value => (value(row) === '' ? undefined : value(row)?.toString()))),
    )
    yield lines.join('')
  }
}
