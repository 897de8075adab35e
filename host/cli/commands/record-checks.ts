// Checks what a record gets: the API takes any text as a gateway, and names and hardware addresses of other computers.
import { isIPv4 } from 'node:net'
import { readComputers } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'

/** Boot files would have it. */
export function refuseGateway({ gateway }: { gateway?: unknown }): void {
  if (typeof gateway === 'string' && gateway !== '' && !isIPv4(gateway))
    throw usageError(`--gateway: expected an address such as 10.1.1.254, got ${gateway}`)
}

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
  const query = new URLSearchParams({ where: `mac:${mac}`, columns: 'client,name' })
  const { computers } = (await connect().call(`GET /search?${query}`)).body
  if (computers.length < 2) return
  const names = computers.map(({ client, name }) => `${name} (${client})`).join(', ')
  printError(`fleet: warning: several computers have the hardware address ${mac}, and so share boot files: ${names}`)
}
