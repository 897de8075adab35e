// Warns of a computer that has got the name of another one: on a command line it means none of them.
import { readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'

export async function warnOfEqualNames({ connect, printError }: CliContext, name: string): Promise<void> {
  const same = [...(await readComputers(connect())).values()].filter(computer => computer.name === name)
  if (same.length < 2) return
  const addresses = same.map(({ ip, room }) => `${ip} (${room})`).join(', ')
  printError(`fleet: warning: several computers have the name ${name}, which means none of them now: ${addresses}`)
}
