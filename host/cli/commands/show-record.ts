// `fleet room show` and `fleet computer show`: one record, with all that was entered.
import { findId, resolveAddresses } from '../api/records.ts'
import { formatTable } from '../terminal/text-table.ts'
import { type Add, read } from './subcommand.ts'

export function formatRecord(record: object, width: number | undefined): string {
  const rows = Object.entries(record).map(([field, value]) => {
    const text = Array.isArray(value) ? value.join(' ') : value instanceof Object ? JSON.stringify(value) : `${value}`
    return { field, value: text }
  })
  return formatTable(rows, ['field', 'value'], width)
}

export const showRoom: Add = read({
  command: 'show <name or id>',
  description: 'show the record of a room',
  async read({ connect }, _, text) {
    const room = await findId(connect(), 'room', 'room', text)
    return (await connect().call(`GET /room/info?room=${room}`)).body
  },
  format: (record, { width }) => formatRecord(record, width),
})

export const showComputer: Add = read({
  command: 'show <computer>',
  description: 'show the record of a computer; fleet doctor says what is wrong with it',
  async read({ connect }, _, text) {
    const [address = ''] = await resolveAddresses(connect(), { client: [text] })
    return (await connect().call(`GET /client/info?client=${address}`)).body
  },
  format: (record, { width }) => formatRecord(record, width),
})
