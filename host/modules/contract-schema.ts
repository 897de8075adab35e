// The command contract of host/contract/command.ts as a JSON Schema; `callable` is a keyword of its own.
import type { AuditKeys, Command, Forward, HttpKeys } from '../contract/command.ts'
import { collectionsSchema, settingsSchema } from './pack-schema.ts'

/** With all keys, and no others. */
interface SchemaOf<Contract> {
  type: 'object'
  required: (keyof Contract)[]
  additionalProperties: false
  properties: Record<keyof Contract, object>
}

const text = { type: 'string', minLength: 1 }
const callable = { callable: true, description: 'a function' }
const onlyTrue = { type: 'boolean', enum: [true] }
const onlyFalse = { type: 'boolean', enum: [false] }
const schema = { type: 'object' }
const route = {
  type: 'string',
  pattern: "^(GET|POST|DELETE) (/[\\w.~!$&'()*+,;=:@%-]+)+$",
  description: "GET, POST or DELETE and a path without a trailing slash, as in 'POST /shell/run'",
}

/** Agents have routes of these methods only. */
const agentRoute = {
  type: 'string',
  pattern: route.pattern.replace('|DELETE', ''),
  description: "GET or POST and a path without a trailing slash, as in 'POST /shell/run'",
}

const forward: SchemaOf<Forward> = {
  type: 'object',
  required: ['to'],
  additionalProperties: false,
  properties: {
    to: agentRoute,
    body: { anyOf: [{ enum: ['none'] }, callable] },
    // The longest time of one timer of Node.
    deadline: { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: 2_147_483 }, callable] },
    extension: callable,
    whileBusy: onlyTrue,
    showsBusy: onlyFalse,
    expectsReply: onlyFalse,
    endsOnClose: onlyTrue,
    endsOn202: onlyTrue,
    statusReasons: {
      type: 'object',
      propertyNames: { pattern: '^[45]\\d\\d$' },
      additionalProperties: { type: 'string' },
    },
    unsupported: { type: 'array', items: { type: 'integer', minimum: 400, maximum: 599 } },
    onConnect: onlyTrue,
    createsImage: onlyTrue,
    beforeQueue: onlyTrue,
    stopsJobs: onlyTrue,
    reply: schema,
    checkReply: callable,
    onReply: callable,
  },
}

const http: SchemaOf<HttpKeys> = {
  type: 'object',
  required: [],
  additionalProperties: false,
  properties: {
    prefix: onlyTrue,
    queryToken: onlyTrue,
    browserLogin: onlyTrue,
    startPage: onlyTrue,
    anyBody: onlyTrue,
    rest: onlyTrue,
    openWith: { enum: ['open_metrics'] },
  },
}

const audit: SchemaOf<AuditKeys> = {
  type: 'object',
  required: [],
  additionalProperties: false,
  properties: { computer: text, preview: text, writes: onlyTrue },
}

export const contractSchema: SchemaOf<Command> = {
  type: 'object',
  required: ['summary', 'route'],
  additionalProperties: false,
  properties: {
    contract: { enum: [2, 3] },
    settings: settingsSchema,
    collections: collectionsSchema,
    summary: text,
    group: text,
    example: {},
    route,
    aliases: { type: 'array', items: text },
    returns: schema,
    mediaType: text,
    destructive: onlyTrue,
    needsConsent: onlyTrue,
    confirm: { enum: ['ask', 'consent'] },
    assistants: { enum: [false] },
    imaging: { enum: ['read', 'write', true] },
    http,
    audit,
    sameRun: callable,
    endsFailures: onlyTrue,
    heavy: onlyTrue,
    access: { enum: ['none', 'read', 'operate', 'admin'] },
    scoped: onlyTrue,
    openOption: { enum: ['open_metrics'] },
    queryToken: onlyTrue,
    browserLogin: onlyTrue,
    startPage: onlyTrue,
    rest: onlyTrue,
    payload: schema,
    computerKey: text,
    previewKey: text,
    body: { enum: ['required', 'optional', 'none'] },
    query: { type: 'object', required: ['properties'], properties: { type: { enum: ['object'] }, properties: schema } },
    checkRights: callable,
    accept: callable,
    preflight: callable,
    missing: callable,
    preview: callable,
    answer: callable,
    act: callable,
    forward,
  },
}
