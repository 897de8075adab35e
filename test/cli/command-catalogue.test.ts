// Finding a command of the daemon with its payload, in the API document and in command files.
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { ApiClient } from '../../host/cli/api/client.ts'
import { detailsInDocument, findCommand } from '../../host/cli/api/command-catalogue.ts'
import { CliError } from '../../host/cli/cli-error.ts'
import { failure } from '../harness/store-folders.ts'

const schema = {
  type: 'object',
  required: ['clients', 'run'],
  properties: {
    clients: { $ref: '#/components/schemas/clients' },
    run: { type: 'string' },
    task: { $ref: '#/components/schemas/id' },
  },
}
const document = {
  paths: {
    '/shell/run': {
      post: {
        summary: 'Run',
        'x-aliases': ['run'],
        'x-destructive': true,
        'x-needs-consent': true,
        requestBody: { content: { 'application/json': { schema, example: { run: 'id' } } } },
      },
    },
    '/clients': { get: { summary: 'List' } },
    '/events': { get: { responses: { 200: { content: { 'text/event-stream': {} } } } } },
  },
  components: { schemas: { clients: { type: 'array', items: { type: 'string' } }, id: { type: 'string' } } },
}

const commandsFolder = resolve(import.meta.dirname, '../../commands')
const modules = [
  { command: 'clients', route: 'GET /clients' },
  { command: 'shell-run', route: 'POST /shell/run', forward: 'POST /shell/run' },
  { command: 'room-delete', route: 'POST /room/delete' },
  { command: 'broken' },
].map(entry => ({ file: join(commandsFolder, `${entry.command}.ts`), origin: 'built-in', versions: 1, ...entry }))

/** A client whose daemon has these modules, and this document or status. */
function clientOf(openapi: object | number): ApiClient {
  const bodies: Record<string, object | number> = { 'GET /modules': { modules }, 'GET /openapi.json': openapi }
  return {
    async call<Body>(route: string) {
      const body = bodies[route]
      if (typeof body === 'number') throw new CliError('refused', { status: body })
      // As with a real response, the type is what the caller expects.
      return { body: body as Body, job: undefined, added: undefined, undo: undefined, cookie: undefined }
    },
    async *stream() {},
    joinEdits() {},
    close() {},
  }
}

const documents = suite('API document')

documents('a documented command has its payload, and an invalid payload its reason', () => {
  const details = detailsInDocument(document, 'POST /shell/run')
  equal([details?.summary, details?.payload?.required, details?.example], ['Run', schema.required, { run: 'id' }])
  const task = { type: 'string', $ref: '#/components/schemas/id' }
  equal([details?.payload?.properties?.run, details?.payload?.properties?.task], [schema.properties.run, task])
  const valid = { clients: ['10.0.0.1'], run: 'id' }
  is(details?.check(valid), undefined)
  is(details?.check({ ...valid, clients: [1] }), 'clients[0]: expected a string, got 1')
  is(details?.check({ ...valid, task: 1 }), 'task: expected a string, got 1')
})

documents('a command without a payload accepts any, and an unknown route has no details', () => {
  const details = detailsInDocument(document, 'GET /clients')
  equal([details?.summary, details?.payload, details?.check({})], ['List', undefined, undefined])
  is(detailsInDocument(document, 'POST /clients'), undefined)
})

documents('a command that destroys, or responds with a stream, is described as such', () => {
  const flags = (route: string) => {
    const { isDestructive, needsConsent, streams } = detailsInDocument(document, route) ?? {}
    return [isDestructive, needsConsent, streams]
  }
  equal(flags('POST /shell/run'), [true, true, false])
  equal(flags('GET /clients'), [false, false, false])
  equal(flags('GET /events'), [false, false, true])
})

documents.run()

const names = suite('names of commands')

names('a command is found by its name, with - _ or / between its words', async () => {
  for (const name of ['shell-run', 'shell_run', 'shell/run']) {
    const { route, forward } = await findCommand(clientOf(document), name)
    equal([route, forward], ['POST /shell/run', 'POST /shell/run'])
  }
})

names('a command is found by an alias of the API document', async () => {
  const { name, summary } = await findCommand(clientOf(document), 'run')
  equal([name, summary], ['shell-run', 'Run'])
})

names('without an API document aliases and payload come from the command file', async () => {
  for (const status of [404, 400]) {
    const { name, payload, check } = await findCommand(clientOf(status), 'run')
    is(name, 'shell-run')
    equal(Object.keys(payload?.properties ?? {}).slice(0, 2), ['clients', 'run'])
    match(check({ clients: ['127.0.0.1'], run: 1, echo: true }) ?? '', /^run: expected a string, got 1/)
  }
})

names('without an API document a command file has whether it destroys or streams', async () => {
  const deletion = await findCommand(clientOf(404), 'room-delete')
  equal([deletion.isDestructive, deletion.needsConsent, deletion.streams], [true, true, false])
})

names('an unknown name is a usage error, and any other failure of the API document is reported', async () => {
  is(await failure(findCommand(clientOf(document), 'shell-rum')), 'send: expected shell-run, got shell-rum')
  is(await failure(findCommand(clientOf(500), 'run')), 'refused')
})

names.run()
