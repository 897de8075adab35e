// The schemas of packs, in answers and in requests about them.
import { described, flag, integer, like, list, object, text } from './objects.ts'
import { moduleFile } from './server.ts'

/** Of a pack, or of a file outside of packs. */
export const packName = {
  type: 'string',
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  expected: 'the name of a pack',
  examples: ['notify'],
} as const

export const packRole = { enum: ['read', 'operate', 'admin'], description: 'what it may do' } as const

export const pack = object({
  name: like(text, 'notify'),
  'summary?': described(text, 'absent when its files are gone, as contract, origin and schema'),
  'version?': like(text, '1.0.0'),
  'contract?': like(integer, 3),
  'origin?': described(text, 'built-in, or the folder of the site', 'built-in'),
  enabled: described(flag, 'its files are in service', true),
  role: { ...packRole, examples: ['operate'] },
  files: list(moduleFile),
  'settings_schema?': described({ type: 'object' } as const, 'JSON Schema of its settings'),
  settings: described({ type: 'object' } as const, 'those in force, without secrets', { sender: 'fleet@example.org' }),
  secrets: described(
    { type: 'object', additionalProperties: { type: 'boolean' } } as const,
    'whether each secret is set; the keys of nested ones are joined with dots',
    { password: true },
  ),
  collections: list(like(text, 'rules')),
  documents: described(integer, 'how many documents it keeps', 12),
  bytes: described(integer, 'of their keys and values', 4096),
  stored: described(flag, 'it keeps documents, settings, secrets or a role, which `POST /pack/purge` deletes', true),
  'problem?': described(text, 'what is wrong with its stored settings'),
})

/** A request about one pack. */
export const packPayload = object({ pack: packName })
