// Warns of names and hardware addresses that other computers have, which the API takes; and what nobody has to type.
import type { ApiClient } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import type { ComputerRef } from '../api/computer-names.ts'
import type { NamedRecord } from '../api/find-record.ts'
import { listNames } from '../api/near-name.ts'
import type { Filled } from '../api/payload-options.ts'
import { readComputers, readRecords } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { plural } from '../terminal/text-table.ts'

/** On a command line a name of several computers means none of them. */
export async function warnOfEquals(context: CliContext, { name, mac }: { name?: unknown; mac?: unknown }) {
  if (typeof name === 'string') await warnOfEqualNames(context, name)
  if (typeof mac === 'string') await warnOfEqualMacs(context, mac)
}

async function warnOfEqualNames({ connect, printError }: CliContext, name: string): Promise<void> {
  const same = [...(await readComputers(connect())).values()].filter(computer => computer.name === name)
  if (same.length < 2) return
  const addresses = same.map(({ ip, room }) => `${ip} (${room})`).join(', ')
  printError(`fleet: warning: several computers have the name ${name}, which means none of them now: ${addresses}`)
}

async function warnOfEqualMacs({ connect, printError }: CliContext, mac: string): Promise<void> {
  const query = new URLSearchParams({ where: `mac:${mac}`, columns: 'client,name,room' })
  const { computers } = (await connect().call(`GET /search?${query}`)).body
  if (computers.length < 2) return
  const names = computers.map(({ client, name, room }) => `${name} (${client}, ${room})`).join(', ')
  printError(`fleet: warning: several computers have the hardware address ${mac}, and so share boot files: ${names}`)
}

/** In which a record is added that names none. */
export async function onlyCenter(api: ApiClient): Promise<NamedRecord> {
  const [only, ...others] = await readRecords(api, 'center')
  if (!only) throw usageError('--center: expected a center, got none: fleet center add <name> adds the first one')
  const names = listNames([only, ...others].map(({ name }) => name))
  if (others.length > 0) throw usageError(`--center: expected one of ${names}, got none`)
  return only
}

/** What the help says of keys that are added to a payload where nobody types them. */
export const filledBy = (isNew: boolean, { payload }: CommandInfo): Filled =>
  isNew
    ? { center: 'default: the only one' }
    : Object.fromEntries((payload?.required ?? []).map(key => [key, 'default: as it is']))

/** `2 computers (lab-c[01-02])`: those that are to be deleted, which have to exist. */
export function describeComputers(addresses: string[], computers: ComputerRef[]): string {
  const names = new Map(computers.map(({ ip, name }) => [ip, name]))
  const unknown = addresses.filter(address => !names.has(address))
  if (unknown.length > 0) throw usageError(`there is no computer ${unknown.join(', ')}`)
  const [first = '', ...others] = addresses.map(address => names.get(address) ?? '')
  return others.length === 0
    ? `computer ${first}`
    : `${plural(addresses.length, 'computer')} (${foldNames([first, ...others])})`
}
