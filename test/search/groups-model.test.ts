// Random sequences of changes of groups and of tags: the members of each group are those of a small model.
import fc from 'fast-check'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { type Call, checkModel } from '../harness/random-runs.ts'

export const runs = { seconds: 8, postgres: true }

const lab = await startLab({
  subnet: '127.0.33',
  rooms: true,
  options: { store: { adapter: 'lowdb', path: './data' } },
})
const addresses = [1, 2, 3, 4].map(number => `127.0.33.${number}`)

type Target = { clients: string[] } | { where: string }

interface Model {
  tags: Map<string, string[]>
  /** By id. */
  groups: Map<number, { name: string; target: Target }>
}

const tag = fc.constantFrom('x', 'y')
const target: fc.Arbitrary<Target> = fc.oneof(
  tag.map(tag => ({ where: `tag:${tag}` })),
  tag.map(tag => ({ where: `not tag:${tag} room:Room` })),
  fc.uniqueArray(fc.constantFrom(...addresses), { minLength: 1 }).map(clients => ({ clients })),
)
const name = fc.constantFrom('a', 'A', 'b')
const which = fc.nat(2)

/** The first two are in the room `Room`. */
function membersOf({ tags }: Model, target: Target): string[] {
  if ('clients' in target) return addresses.filter(addr => target.clients.includes(addr))
  const [tag = ''] = /(?<=tag:)\w/.exec(target.where) ?? []
  const isTagged = (addr: string) => tags.get(addr)?.includes(tag) ?? false
  if (!target.where.startsWith('not')) return addresses.filter(isTagged)
  return addresses.slice(0, 2).filter(addr => !isTagged(addr))
}

const isTaken = ({ groups }: Model, name: string, except?: number) =>
  [...groups].some(([id, group]) => id !== except && group.name.toLowerCase() === name.toLowerCase())

const adding = fc.tuple(name, target).map(
  ([name, target]): Call<Model> => ({
    name: `add ${name} ${JSON.stringify(target)}`,
    async run(model) {
      const { status, headers } = await lab.call('POST /group/add', { name, ...target })
      is(status, isTaken(model, name) ? 400 : 200, String(headers['x-reason']))
      if (status === 200) model.groups.set(Number(headers['x-id']), { name, target })
    },
  }),
)

const updating = fc.tuple(which, name, target).map(
  ([at, name, target]): Call<Model> => ({
    name: `update ${at} ${name} ${JSON.stringify(target)}`,
    async run(model) {
      const [id] = [...model.groups.keys()].slice(at)
      if (id === undefined) return
      const status = await lab.status('POST /group/update', { group: id, name, ...target })
      is(status, isTaken(model, name, id) ? 400 : 200)
      if (status === 200) model.groups.set(id, { name, target })
    },
  }),
)

const deleting = which.map(
  (at): Call<Model> => ({
    name: `delete ${at}`,
    async run({ groups }) {
      const [id] = [...groups.keys()].slice(at)
      if (id === undefined) return
      is(await lab.status('POST /group/delete', { group: id }), 200)
      groups.delete(id)
      is(await lab.status('POST /group/delete', { group: id }), 400)
    },
  }),
)

const tagging = fc.tuple(fc.constantFrom(...addresses), fc.uniqueArray(tag)).map(
  ([ip, tags]): Call<Model> => ({
    name: `tag ${ip} ${tags}`,
    async run(model) {
      is(await lab.status('POST /client/update', { ip, tags }), 200)
      model.tags.set(ip, tags)
    },
  }),
)

interface Listed {
  id: number
  name: string
  computers: number
}

async function compare(model: Model): Promise<void> {
  const { groups }: { groups: Listed[] } = (await lab.call('GET /groups')).json
  const expected = [...model.groups].map(([id, { name, target }]) => [id, name, membersOf(model, target).length])
  const got = groups.map(({ id, name, computers }) => [id, name, computers])
  const byId = ([a]: unknown[], [b]: unknown[]) => Number(a) - Number(b)
  equal(got.sort(byId), expected.sort(byId), `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`)
  for (const [id, { target }] of model.groups) {
    const { json } = await lab.call(`GET /search?where=group:${id}`)
    equal(
      json.computers.map(({ client }: { client: string }) => client),
      membersOf(model, target),
      `members of ${JSON.stringify(target)}: ${JSON.stringify(json.computers)}`,
    )
  }
}

const test = suite('groups and their model')
test.after(() => lab.stop())

test('groups that are added, changed and deleted have the members of the model', () =>
  checkModel<Model>(
    {
      calls: fc.oneof(adding, updating, deleting, tagging),
      async create() {
        for (const ip of addresses) await lab.status('POST /client/update', { ip, tags: [] })
        return { tags: new Map(), groups: new Map() }
      },
      compare,
      async end({ groups }) {
        for (const group of groups.keys()) await lab.status('POST /group/delete', { group })
      },
    },
    10,
  ))

test.run()
