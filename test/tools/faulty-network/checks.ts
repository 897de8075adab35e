// What must be true of a history when all lines work again.
import { pollUntil } from '../../harness/poll.ts'
import type { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { ask, connectedOn, type History, read, type Script } from './callers.ts'
import { agentAddresses, hostNames } from './network.ts'
import { findContradiction, type RegisterCall } from './register-model.ts'
import { initial } from './registers.ts'

type Agents = Pick<ReturnType<typeof startRoamingAgents>, 'received' | 'move'>

interface Part {
  client: string
  state: string
  reason?: string
}

/** Milliseconds. */
const patience = 90_000
/** How many calls before and after one are shown. */
const shownCalls = 8

/** Returns a line for each promise that is broken. */
export async function findViolations(history: History, agents: Agents): Promise<string[]> {
  const found = await findUnmended(agents)
  for (const host of hostNames.keys()) {
    for (const register of history.registers.keys()) await read(host, register, history)
  }
  for (const [{ name }, calls] of history.registers) {
    const call = findContradiction(calls, initial)
    if (call) found.push(`${name}: no order of the calls explains ${JSON.stringify(call)}`, ...near(calls, call))
  }
  for (const script of history.scripts) found.push(...(await checkScript(script, agents)))
  return found
}

/** All hosts are members, ready, and list all agents, which connect anew; all accepted jobs end. */
async function findUnmended({ move }: Agents): Promise<string[]> {
  for (const addr of agentAddresses) move(addr)
  const found: string[] = []
  for (const [host, name] of hostNames.entries()) {
    const isMended = async () => {
      const [hosts, ready, listed] = [
        await ask(host, 'GET /hosts'),
        await ask(host, 'GET /readyz'),
        await connectedOn(host),
      ]
      const members = hosts.status === 200 ? JSON.parse(hosts.text).hosts.length : 0
      return members === hostNames.length && ready.status === 200 && listed.length === agentAddresses.length
    }
    await pollUntil(isMended, patience).catch(() => found.push(`host ${name} is not as before`))
  }
  return found
}

async function partsOn(host: number, job: number): Promise<Part[] | undefined> {
  const { status, text } = await ask(host, `GET /jobs/${job}?limit=1000`)
  return status === 200 ? JSON.parse(text).parts : undefined
}

const isOpen = ({ state }: Part) => state === 'queued' || state === 'sent'

async function checkScript({ run, clients, job, isRefused }: Script, { received }: Agents): Promise<string[]> {
  const timesOf = (client: string) => received.get(`${client} ${run}`) ?? 0
  const twice = clients.filter(client => timesOf(client) > (isRefused ? 0 : 1))
  const found = twice.map(client => `${run} was sent to ${client} ${timesOf(client)} times, refused: ${isRefused}`)
  if (job === undefined) return found
  let parts: Part[] | undefined
  const hasEnded = async () => {
    parts = await partsOn(0, job)
    return parts?.every(part => !isOpen(part)) ?? false
  }
  await pollUntil(hasEnded, patience).catch(() => found.push(`${run} has not ended: ${JSON.stringify(parts)}`))
  const states = JSON.stringify(parts)
  for (const host of [1, 2]) {
    const other = JSON.stringify(await partsOn(host, job))
    if (other !== states) found.push(`${run}: ${hostNames[0]} lists ${states}, ${hostNames[host]} ${other}`)
  }
  if (
    parts
      ?.map(({ client }) => client)
      .sort()
      .join() !== clients.toSorted().join()
  )
    found.push(`${run} was accepted as job ${job} for ${clients}, which has ${states}`)
  for (const { client, state, reason } of parts ?? []) {
    const times = timesOf(client)
    const isWrong = state === 'success' ? times !== 1 : state !== 'failure' && times > 0
    if (isWrong) found.push(`${run} is ${state} ${reason ?? ''} on ${client}, which was sent it ${times} times`)
  }
  return found
}

function near(calls: readonly RegisterCall[], call: RegisterCall): string[] {
  const sorted = calls.toSorted((a, b) => a.began - b.began)
  const at = sorted.indexOf(call)
  return sorted.slice(Math.max(0, at - shownCalls), at + shownCalls).map(each => `  ${JSON.stringify(each)}`)
}
