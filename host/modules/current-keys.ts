// Puts the keys that a command has from contract 2 into the groups of contract 3, so that the host knows one form.
import type { AuditKeys, Command, HttpKeys } from '../contract/command.ts'
import type { CurrentCommand } from '../contract/loaded-command.ts'

type Declared = Command<object, object, object>

/** 24 months after contract 3 came. */
const end = 'a release after November 2028'

/** What to write for each old key. */
const instead = {
  destructive: `confirm: 'ask'`,
  needsConsent: `confirm: 'consent'`,
  imaging: `imaging: 'read'`,
  createsImage: `imaging: 'write'`,
  openOption: `http: { openWith: 'open_metrics' }`,
  queryToken: 'http: { queryToken: true }',
  browserLogin: 'http: { browserLogin: true }',
  startPage: 'http: { startPage: true }',
  rest: 'http: { rest: true }',
  computerKey: 'audit: { computer: … }',
  previewKey: 'audit: { preview: … }',
}

type OldKey = keyof typeof instead

/** `notice`: what to write instead, for the log; undefined for a command that has only keys of contract 3. */
export function withCurrentKeys(declared: Declared): { command: CurrentCommand; notice?: string } {
  const old = oldKeysIn(declared)
  const [first] = old
  // `as`: without old keys it is one.
  if (first === undefined) return { command: declared as CurrentCommand }
  const words = old.map(key => `${instead[key]} for ${key}`)
  return { command: regroup(declared), notice: `${first}: write ${words.join(', ')}: old keys work until ${end}` }
}

const oldKeysIn = ({ imaging, forward, ...keys }: Declared): OldKey[] =>
  // `as`: TypeScript takes the keys of an object for any text.
  (Object.keys(instead) as OldKey[]).filter(key => {
    if (key === 'imaging') return imaging === true
    return key === 'createsImage' ? forward?.createsImage : keys[key] !== undefined
  })

/** A key of contract 3 stands before the old one. */
function regroup(declared: Declared): CurrentCommand {
  const { destructive, needsConsent, openOption, queryToken, browserLogin, startPage, rest, ...others } = declared
  const { computerKey, previewKey, imaging, forward, ...kept } = others
  const { createsImage, ...sent } = forward ?? {}
  const command: CurrentCommand = { ...kept }
  const http: HttpKeys = {
    ...definedOf({ queryToken, browserLogin, startPage, rest, openWith: openOption }),
    ...kept.http,
  }
  const audit: AuditKeys = { ...definedOf({ computer: computerKey, preview: previewKey }), ...kept.audit }
  if (destructive || needsConsent) command.confirm ??= needsConsent ? 'consent' : 'ask'
  if (imaging !== undefined) command.imaging = imaging === true ? 'read' : imaging
  if (createsImage) command.imaging = 'write'
  if (Object.keys(http).length > 0) command.http = http
  if (Object.keys(audit).length > 0) command.audit = audit
  if (forward) command.forward = { ...sent, to: forward.to }
  return command
}

/** A group has only the keys that the file has. */
const definedOf = <Keys extends object>(keys: Keys): Keys =>
  // `as`: it leaves out keys that may be absent.
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined)) as Keys
