// Checks that a command follows its contract, and compiles its schemas.
import type { Command } from '../contract/command.ts'
import type { Check, CurrentCommand } from '../contract/loaded-command.ts'
import type { Access } from '../contract/services.ts'
import type { CheckedCommand, CheckedFile } from './checked.ts'
import { compileContract } from './compile-contract.ts'
import { contractSchema } from './contract-schema.ts'
import { withCurrentKeys } from './current-keys.ts'
import { hasDefaults, isObject, withDefaults } from './packs/setting-values.ts'
import { createSchemas } from './schemas.ts'

type Declared = Command<object, object, object>

const checkContract = compileContract<Declared>(contractSchema, 'command')

/** Throws an error with one line when the export breaks the contract. */
export function validateCommand(exported: unknown): CheckedFile & { module: CheckedCommand } {
  const declared = checkContract(exported)
  const { command, notice } = withCurrentKeys(declared)
  const contradiction = findContradiction(command) ?? findUnknownPayloadKey(declared)
  if (contradiction !== undefined) throw new Error(contradiction)
  const module = compileSchemas(command)
  return notice === undefined ? { module } : { module, notice }
}

function compileSchemas(command: CurrentCommand): CheckedCommand {
  const { compile } = createSchemas()
  const compileIfDeclared = (schema: object | undefined, rootName: string) => schema && compile(schema, rootName)
  const compileFilled = (schema: object | undefined, rootName: string) =>
    schema && withFilling(schema, compile(schema, rootName))
  const checkPayload = compileFilled(command.payload, 'payload')
  const mismatch = command.example === undefined ? undefined : checkPayload?.(command.example)
  if (mismatch !== undefined) throw new Error(`example: ${mismatch}`)
  compileIfDeclared(command.returns, 'returns')
  const [method, path = ''] = command.route.split(' ')
  return {
    kind: 'command',
    command,
    method: method === 'GET' || method === 'DELETE' ? method : 'POST',
    path,
    access: command.access ?? defaultAccess(command),
    clientKeys: clientKeysOf(command.payload),
    targetKeys: targetKeysOf(command),
    findsClients: hasKey(command.payload, 'clients') && !['where', 'group'].some(key => hasKey(command.payload, key)),
    checkPayload,
    checkQuery: compileFilled(command.query, 'query'),
    checkReply: compileIfDeclared(command.forward?.reply, 'reply'),
  }
}

/** The check, which gives absent keys their defaults before. */
const withFilling = (schema: object, check: Check): Check =>
  hasDefaults(schema)
    ? value => check(isObject(value) ? Object.assign(value, withDefaults(schema, value)) : value)
    : check

/** Deny by default: a new command that only answers a POST is for administrators. */
function defaultAccess({ route, forward, act }: CurrentCommand): Access {
  if (route.startsWith('GET ')) return 'read'
  return forward || act ? 'operate' : 'admin'
}

/** Required ones only: a command that may go without, as `task-add`, can concern computers that its payload does not name. */
const clientKeysOf = (payload: object | undefined): string[] =>
  ['clients', 'client'].filter(key => requiresKey(payload, key))

function targetKeysOf({ payload, audit }: CurrentCommand): string[] {
  const keys = ['clients', 'client'].filter(key => hasKey(payload, key))
  return audit?.computer === undefined ? keys : [...keys, audit.computer]
}

/** What the contract's schema cannot express: keys that need each other. */
function findContradiction(command: CurrentCommand): string | undefined {
  const { payload, body, accept, preflight, preview, answer, act, forward } = command
  if (!answer && !act && !forward) return 'command: expected answer, act or forward, got none of them'
  if ((act || forward) && !requiresKey(payload, 'clients')) {
    return "payload: expected the required key clients: { $ref: 'clients' }, got none"
  }
  if (accept && !payload) return 'accept: expected a payload schema, got none'
  if (preview && !preflight) return 'preview: expected preflight, got none'
  if (body && body !== 'none' && !payload) return `body: expected a payload schema for ${body}, got none`
  if (body === 'none' && payload) return 'body: expected no payload schema for none, got one'
  if (forward?.onReply && !forward.reply) return 'forward.onReply: expected a schema forward.reply, got none'
  if (forward?.checkReply && !forward.reply) return 'forward.checkReply: expected a schema forward.reply, got none'
  return undefined
}

/** By the name that the file has for it. */
function findUnknownPayloadKey({ payload, audit = {}, computerKey, previewKey }: Declared): string | undefined {
  const keys = { 'audit.computer': audit.computer, 'audit.preview': audit.preview, computerKey, previewKey }
  const unknown = Object.entries(keys).find(([, key]) => key !== undefined && !hasKey(payload, key))
  return unknown && `${unknown[0]}: expected a key of the payload, got ${unknown[1]}`
}

function hasKey(payload: object | undefined, key: string): boolean {
  return !!payload && 'properties' in payload && payload.properties instanceof Object && key in payload.properties
}

function requiresKey(payload: object | undefined, key: string): boolean {
  if (!payload || !hasKey(payload, key)) return false
  return 'required' in payload && Array.isArray(payload.required) && payload.required.includes(key)
}
