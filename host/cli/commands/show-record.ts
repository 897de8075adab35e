// `fleet room show` and `fleet computer show`: one record, with all that was entered; and those of lists.
import type { AnswerOf } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId, readComputers, readRecords, resolveAddress } from '../api/records.ts'
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
  async format(record, { context, width }) {
    const center = (await readRecords(context.connect(), 'center')).find(({ id }) => id === record.center)?.name
    return formatRecord({ ...record, center: center ?? record.center }, width)
  },
})

export const showComputer: Add = read({
  command: 'show <computer>',
  description: 'show the record of a computer; fleet doctor says what is wrong with it',
  async read({ connect }, _, text) {
    const address = await resolveAddress(connect(), text)
    return (await connect().call(`GET /client/info?client=${address}`)).body
  },
  async format({ id, name, ip, mac, room, center, repo_id, ...record }, { context, width }) {
    const api = context.connect()
    const repository = (await readRecords(api, 'repository').catch(() => [])).find(({ id }) => id === repo_id)?.name
    const place = (await readComputers(api)).get(ip)
    const words = {
      ...{ id, name, ip },
      mac: mac.match(/../g)?.join(':') ?? mac,
      room: place?.room ?? room,
      center: place?.center ?? center,
      repository: repository ?? repo_id,
    }
    return formatRecord({ ...words, ...record }, width)
  },
})

/** Requests for records at once. */
const batch = 8

/** Each row with its record before its own keys, as far as the caller may read it. */
async function withRecords<Row extends object>(rows: readonly Row[], read: (row: Row) => Promise<{ body: object }>) {
  const merged: Row[] = []
  const merge = async (row: Row): Promise<Row> => {
    const record = await read(row).catch(() => undefined)
    return { ...record?.body, ...row }
  }
  for (let at = 0; at < rows.length; at += batch) {
    merged.push(...(await Promise.all(rows.slice(at, at + batch).map(merge))))
  }
  return merged
}

/** `center`: the name of its center. */
export type RoomRow = Partial<Omit<AnswerOf<'GET /room/info'>, 'center'>> & {
  id: number
  name: string
  center?: string
  computers: number
}

export const withRoomRecords = ({ call }: ApiClient, rooms: RoomRow[]) =>
  withRecords(rooms, ({ id }) => call(`GET /room/info?room=${id}`))

export const withComputerRecords = ({ call }: ApiClient, computers: { addr: string }[]) =>
  withRecords(computers, ({ addr }) => call(`GET /client/info?client=${addr}`))
