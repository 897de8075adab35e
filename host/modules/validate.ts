// Checks that what a file exports is a command module, and makes it ready to be performed.
import { Ajv } from 'ajv'
import type { Command } from '../command.ts'
import type { LoadedCommand } from '../jobs/prepare.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'
import { type Check, createSchemas } from './schemas.ts'

/** A command whose schemas are compiled. */
export interface CheckedCommand extends LoadedCommand {
  method: 'GET' | 'POST'
  path: string
}

const ajv = new Ajv({ strict: false, verbose: true, allErrors: true })
ajv.addKeyword({ keyword: 'callable', validate: (_: true, value: unknown) => typeof value === 'function' })

const text = { type: 'string', minLength: 1 }
const callable = { callable: true, description: 'must be a function' }
const yes = { type: 'boolean', enum: [true] }
const no = { type: 'boolean', enum: [false] }
const route = {
  type: 'string',
  pattern: "^(GET|POST) (/[\\w.~!$&'()*+,;=:@%-]+)+$",
  description: "GET or POST and a path without a trailing slash, as in 'POST /shell/run'",
}

const queryKey = {
  type: 'object',
  required: ['description'],
  additionalProperties: false,
  properties: { description: text, example: text, required: yes },
}

const contract = {
  type: 'object',
  required: ['summary', 'route'],
  additionalProperties: false,
  properties: {
    summary: text,
    example: {},
    route,
    aliases: { type: 'array', items: text },
    open: { enum: [true, 'open_metrics'] },
    queryToken: yes,
    rest: yes,
    query: { type: 'object', additionalProperties: queryKey },
    payload: { type: 'object' },
    body: { enum: ['required', 'optional', 'none'] },
    accept: callable,
    answer: callable,
    answers: text,
    act: callable,
    forward: {
      type: 'object',
      required: ['to'],
      additionalProperties: false,
      properties: {
        to: route,
        body: { anyOf: [{ enum: ['none'] }, callable] },
        // The longest time that one timer of Node can wait.
        deadline: { type: 'number', exclusiveMinimum: 0, maximum: 2_147_483 },
        whileBusy: yes,
        showsBusy: no,
        expectsReply: no,
        endsOnClose: yes,
        endsOn202: yes,
        onConnect: yes,
        beforeQueue: yes,
      },
    },
    reply: { type: 'object' },
    settle: callable,
  },
}

const fits = ajv.compile<Command<object, object>>(contract)

/** The module behind a default export. Throws a one-line reason when it breaks the contract. */
export function readCommand(name: string, exported: unknown): CheckedCommand {
  if (exported === undefined) throw new Error("expected 'export default { … }', got no default export")
  if (!fits(exported)) {
    // A misspelt key says more than the one that is missing for it.
    const unknown = fits.errors?.find(({ keyword }) => keyword === 'additionalProperties')
    throw new Error(formatAjvErrors(unknown ? [unknown] : fits.errors?.slice(0, 1), 'command'))
  }
  const problem = contradiction(exported)
  if (problem) throw new Error(problem)
  const { compile } = createSchemas()
  const compiled = (schema: object | undefined, whole: string): Check | undefined => schema && compile(schema, whole)
  const checkPayload = compiled(exported.payload, 'payload')
  const misfit = exported.example === undefined ? undefined : checkPayload?.(exported.example)
  if (misfit !== undefined) throw new Error(`example: ${misfit}`)
  const [method, path = ''] = exported.route.split(' ')
  return {
    name,
    command: exported,
    method: method === 'GET' ? 'GET' : 'POST',
    path,
    checkPayload,
    checkReply: compiled(exported.reply, 'answer'),
  }
}

function contradiction({ payload, body, accept, answer, act, forward, reply, settle }: Command<object, object>) {
  if (!answer && !act && !forward) return 'command: expected answer, act or forward, got none of them'
  if ((act || forward) && !hasClients(payload))
    return "payload: expected the required key clients: { $ref: 'clients' }, got none"
  if (accept && !payload) return 'accept: there is no payload to accept'
  if (body && body !== 'none' && !payload) return `body: ${body}, but there is no payload schema`
  if (body === 'none' && payload) return 'body: none, but there is a payload schema'
  if ((reply || settle) && !forward) return `${reply ? 'reply' : 'settle'}: nothing is forwarded that could be answered`
  if (settle && !reply) return 'settle: there is no reply schema for what it settles'
  return undefined
}

function hasClients(payload: object | undefined): boolean {
  if (!payload || !('properties' in payload) || !(payload.properties instanceof Object)) return false
  const required = 'required' in payload && Array.isArray(payload.required) && payload.required.includes('clients')
  return required && 'clients' in payload.properties
}
