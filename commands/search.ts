// Finds computers by what is known of them.
import type { CommandOf } from 'fleet-host'
import { address, described, like, list, object, text } from './_schemas/objects.ts'

const query = object({
  'where?': described(text, 'which computers: see the table of fields in the documentation', 'room:"Lab 1" os:windows'),
  'limit?': { type: 'string', pattern: '^[1-9][0-9]{0,4}$', description: 'at most so many; default: 100' },
  'after?': { type: 'string', pattern: '^[0-9]{1,15}$', description: '`next` of the page before' },
})

const found = object({
  client: address,
  name: like(text, 'pc-20'),
  room: described(text, 'the name of its room', 'Lab 1'),
  center: described(text, 'the name of its center', 'Campus'),
})

const returns = object({
  total: described({ type: 'integer' }, 'how many computers there are on all pages', 1),
  computers: list(found, 'in the order in which they were added'),
  'next?': described(text, 'for `after`, when more follow', '20'),
})

export default {
  summary: 'Find computers',
  group: 'Centers, rooms and computers',
  route: 'GET /search',
  returns,
  scoped: true,
  query,
  async answer({ services, request }) {
    const { where = '', limit = '100', after = '0' } = request.query
    const all = await services.search.find(where, request.rights)
    if (services.isRefusal(all)) return all
    const from = all.findIndex(({ id }) => id > Number(after))
    const page = from < 0 ? [] : all.slice(from, from + Number(limit))
    const records = await services.store.computers.findMany(page.map(({ ip }) => ip))
    const byIp = new Map(records.map(record => [record.ip, record]))
    const rooms = new Map<number, { name: string; center: string }>()
    for (const { name: center, scope } of await services.store.scopes())
      for (const { id, name } of scope) rooms.set(id, { name, center })
    const computers = page.flatMap(({ ip }) => {
      const record = byIp.get(ip)
      const room = rooms.get(record?.room ?? 0)
      return record && room ? { client: ip, name: record.name, room: room.name, center: room.center } : []
    })
    const last = page.at(-1)
    return { total: all.length, computers, ...(last && last !== all.at(-1) && { next: String(last.id) }) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
