// The options that `fleet send` derives from a payload's schema.
import { Command } from 'commander'
import { suite } from 'uvu'
import { equal, throws } from 'uvu/assert'
import { addFields, fieldsOf, payloadOf } from '../../host/cli/api/payload-options.ts'

const schema = {
  type: 'object',
  required: ['clients', 'run', 'echo', 'disk'],
  properties: {
    clients: { $ref: '#/components/schemas/clients' },
    run: { type: 'string' },
    echo: { type: 'boolean' },
    dry_run: { type: 'boolean' },
    disk: { type: 'integer' },
    task: { $ref: '#/components/schemas/id' },
    suspended: { enum: [0, 1] },
    words: { type: 'array', items: { type: 'string' } },
    params: { type: 'object' },
    room: { type: 'integer' },
    netmask: { $ref: '#/components/schemas/netmask' },
  },
}
const fields = fieldsOf(schema, ['room', 'clients'], 'POST /schedule/create')

function payload(args: string[], json?: string): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  addFields(command, fields)
  command.parse(args, { from: 'user' })
  return payloadOf(fields, command.opts(), json)
}

const test = suite('payload options')

test('each key of the payload that is not reserved has an option of its type', () => {
  equal(
    fields.map(({ option }) => option.flags),
    [
      '--run <text>',
      '--echo',
      '--dry-run',
      '--disk <number>',
      '--task <name or id>',
      '--suspended <text>',
      '--words <text...>',
      '--params <json>',
      '--netmask <netmask or /24>',
    ],
  )
})

test('a key with the id of a record takes a name, and id is what the route begins with', () => {
  const keys = {
    id: { $ref: 'id' },
    room: { type: 'integer' },
    repository: { type: 'string' },
    center_id: {},
    group: {},
  }
  const kindsOf = (route: string) => fieldsOf({ properties: keys }, [], route).map(({ record }) => record)
  equal(kindsOf('POST /task/delete'), ['task', 'room', undefined, 'center', undefined])
  equal(kindsOf('POST /job/cancel'), [undefined, 'room', undefined, 'center', undefined])
})

test('values have the types of the payload', () => {
  const args = '--run id --echo --disk 2 --task 7 --suspended 1 --words a b --dry-run --params {"x":1}'.split(' ')
  const rest = { run: 'id', echo: true, disk: 2, task: '7', suspended: 1, words: ['a', 'b'], params: { x: 1 } }
  equal(payload(args), { ...rest, dry_run: true })
})

test('a required flag that is absent is false, any other absent key is left out', () => {
  equal(payload(['--run', 'id']), { run: 'id', echo: false })
  equal(payload(['--no-dry-run']), { echo: false, dry_run: false })
})

test('a netmask may be a number of bits', () => {
  const masks = { '/24': '255.255.255.0', '9': '255.128.0.0', '/32': '255.255.255.255', '0': '0.0.0.0', '/33': '/33' }
  for (const [typed, netmask] of Object.entries(masks)) equal(payload(['--netmask', typed]), { netmask, echo: false })
})

test('an empty text is an empty list', () => {
  equal(payload(['--words', '']), { words: [], echo: false })
})

test('options override the keys of --json, absent flags do not', () => {
  equal(payload(['--run', 'two'], '{"run": "one", "echo": true, "more": []}'), { run: 'two', echo: true, more: [] })
})

test('a value that is not a number, not JSON or not one of the choices is a usage error', () => {
  throws(() => payload(['--disk', 'one']), /--disk: expected a number, got one/)
  throws(() => payload(['--params', '{x}']), /--params: expected JSON, got \{x\}: /)
  throws(() => payload(['--suspended', '2']), /Allowed choices are 0, 1/)
  throws(() => payload([], '[1]'), /--json: expected an object such as .*, got \[1\]/)
})

test.run()
