// The rows of `GET /assets`, as JSON and as CSV.
import type { FoundComputer, FromSchema, Services } from 'fleet-host'
import { type AssetFacts, known, macOf, readFacts } from './_asset-facts.ts'
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
    const own = facts.get(computer.client)
    return own ? [assetOf(computer, own, serials, context.settings.users)] : []
  })
}

function assetOf(computer: FoundComputer, facts: AssetFacts, { repeated, junk }: Serials, hasUsers: boolean): Asset {
  const { client, name = '', room = '', center = '', seen, user, ram } = computer
  const { record, devices, disks, systems } = facts
  const isJunk = junk.has(client)
  const serial = record.serial_number
  const details = {
    serial: isJunk ? '' : serial,
    same_serial: repeated.get(client),
    junk_serial: isJunk ? serial : '',
    ...splitModel(devices('computer model')[0]),
    cpu: devices('processor')[0],
    memory: ram,
    seen,
    user: hasUsers ? user : undefined,
  }
  const macs = [macOf(record)].filter(mac => mac !== undefined)
  return { client, name, macs, disks, systems, room, center, ...known(details) }
}

const columns = Object.keys(asset.properties)

function cellOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return value === undefined || value === '' ? undefined : String(value)
  return cellOf(value.map(each => (each instanceof Object ? (each.size ?? each.name) : each)).join('; '))
}

/** In steps, so that the first lines leave before the last ones are made. */
export async function* csvOf(pages: AsyncIterable<readonly Asset[]>, { csvRecord }: Services): AsyncGenerator<string> {
  yield csvRecord(columns)
  for await (const page of pages) {
    const cellsOf = (row: Asset) => new Map<string, unknown>(Object.entries(row))
    yield page.map(row => csvRecord(columns.map(column => cellOf(cellsOf(row).get(column))))).join('')
  }
}
