// Options out of a payload's schema, as `fleet send` has them, and what an API document tells of a command.
import { Command } from 'commander'
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { addFields, fieldsOf, payloadOf } from '../../host/cli/api/payload-options.ts'
import { documentedTakes } from '../../host/cli/document.ts'

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
  },
}
const fields = fieldsOf(schema, ['room'])

function payload(words: string[], json?: string): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  addFields(command, fields)
  command.parse(words, { from: 'user' })
  return payloadOf(fields, command.opts(), json)
}

const options = suite('options out of a schema')

options('each key that means nothing else has one, of the type that the schema says', () => {
  equal(
    fields.map(({ option }) => option.flags),
    [
      '--run <text>',
      '--echo',
      '--dry-run',
      '--disk <number>',
      '--task <value>',
      '--suspended <text>',
      '--words <text...>',
      '--params <json>',
    ],
  )
})

options('values have the types of the payload', () => {
  const words = '--run id --echo --disk 2 --task 7 --suspended 1 --words a b --dry-run --params {"x":1}'.split(' ')
  const rest = { run: 'id', echo: true, disk: 2, task: '7', suspended: 1, words: ['a', 'b'], params: { x: 1 } }
  equal(payload(words), { ...rest, dry_run: true })
})

options('a flag that must be there and is not raised is a no, any other key is left out', () => {
  equal(payload(['--run', 'id']), { run: 'id', echo: false })
  equal(payload(['--no-dry-run']), { echo: false, dry_run: false })
})

options('--json comes first, what it says of a flag stands', () => {
  equal(payload(['--run', 'two'], '{"run": "one", "echo": true, "more": []}'), { run: 'two', echo: true, more: [] })
})

options('what is no number, no JSON or none of the choices is told', () => {
  throws(() => payload(['--disk', 'one']), /--disk: is no number, got one/)
  throws(() => payload(['--params', '{x}']), /--params: is no JSON, got \{x\}: /)
  throws(() => payload(['--suspended', '2']), /Allowed choices are 0, 1/)
  throws(() => payload([], '[1]'), /--json: is no object/)
})

options.run()

const documents = suite('an API document')
const document = {
  paths: {
    '/shell/run': {
      post: { summary: 'Run', requestBody: { content: { 'application/json': { schema, example: { run: 'id' } } } } },
    },
    '/clients': { get: { summary: 'List' } },
  },
  components: { schemas: { clients: { type: 'array', items: { type: 'string' } }, id: { type: 'string' } } },
}

documents('tells what a command takes and why a payload does not fit', () => {
  const takes = documentedTakes(document, 'POST /shell/run')
  equal([takes?.summary, takes?.payload, takes?.example], ['Run', schema, { run: 'id' }])
  const good = { clients: ['10.0.0.1'], run: 'id', echo: true, disk: 1 }
  is(takes?.check(good), undefined)
  is(takes?.check({ ...good, clients: [1] }), 'clients[0]: expected a string, got 1')
  is(takes?.check({ ...good, task: 1 }), 'task: expected a string, got 1')
})

documents('knows commands without a payload, and nothing of others', () => {
  const takes = documentedTakes(document, 'GET /clients')
  equal([takes?.summary, takes?.payload, takes?.check({})], ['List', undefined, undefined])
  is(documentedTakes(document, 'POST /clients'), undefined)
})

documents.run()
