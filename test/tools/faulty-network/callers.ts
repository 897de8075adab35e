// Callers of the hosts' APIs, who write down what they asked for, and what became of it as far as they know.
import { request } from 'node:http'
import { token } from '../../harness/rest-call.ts'
import type { Chance } from '../virtual-world/chance.ts'
import { agentAddresses, callerAddress, hostAddresses } from './network.ts'
import type { RegisterCall } from './register-model.ts'
import { type Register, readRegister } from './registers.ts'

export interface Answer {
  /** 0: there was none in time, or the connection has ended. */
  status: number
  text: string
  job: number
}

export interface Script {
  run: string
  clients: string[]
  /** Undefined when nobody knows whether it was accepted. */
  job: number | undefined
  isRefused: boolean
}

export interface History {
  registers: Map<Register, RegisterCall[]>
  scripts: Script[]
  counts: { answered: number; unknown: number; refused: number }
}

export const restPort = 8888

/** Milliseconds. */
const patience = 4000
const longestPause = 200

export function ask(host: number, route: string, payload?: unknown): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const headers = { Authorization: token, 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise(resolve => {
    const fail = () => resolve({ status: 0, text: '', job: 0 })
    const address = { host: hostAddresses[host], port: restPort, localAddress: callerAddress }
    const signal = AbortSignal.timeout(patience)
    const outgoing = request({ agent: false, ...address, method, path, headers, signal })
    outgoing.on('error', fail)
    outgoing.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', part => (text += part))
      response.on('error', fail)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text, job: Number(response.headers['x-job-id'] ?? 0) })
      })
    })
    outgoing.end(body)
  })
}

export async function connectedOn(host: number): Promise<string[]> {
  const { status, text } = await ask(host, 'GET /clients')
  return status === 200 ? JSON.parse(text).clients.map(({ addr }: { addr: string }) => addr) : []
}

/** Calls one host after the other until `isOver`. */
export async function startCaller(
  name: string,
  chance: Chance,
  history: History,
  registers: readonly Register[],
  isOver: () => boolean,
): Promise<void> {
  for (let number = 1; !isOver(); number += 1) {
    const host = chance.between(0, hostAddresses.length - 1)
    const kind = chance.next()
    const register = chance.pick(registers)
    if (kind < 0.35) await write(host, register, `${name}-${number}`, history)
    else if (kind < 0.75) await read(host, register, history)
    else await runScript(host, `${name}-${number}`, chance, history)
    await new Promise(resolve => setTimeout(resolve, chance.between(0, longestPause)))
  }
}

/** A refusal has changed nothing; after an error of the host nobody knows. */
function count({ status }: Answer, { counts }: History): 'answered' | 'unknown' | 'refused' {
  const result = status === 200 ? 'answered' : status >= 400 && status < 500 ? 'refused' : 'unknown'
  counts[result] += 1
  return result
}

async function write(host: number, register: Register, value: string, history: History): Promise<void> {
  const began = performance.now()
  // While it is under way others may read it.
  const call: RegisterCall = { type: 'write', value, began, ended: Number.POSITIVE_INFINITY }
  const calls = history.registers.get(register) ?? []
  calls.push(call)
  const result = count(await ask(host, register.write, register.payloadOf(value)), history)
  if (result === 'answered') call.ended = performance.now()
  if (result === 'refused') calls.splice(calls.indexOf(call), 1)
}

export async function read(host: number, register: Register, history: History): Promise<void> {
  const began = performance.now()
  const answer = await ask(host, register.read, register.query)
  if (count(answer, history) !== 'answered') return
  const value = readRegister(register, answer.text)
  history.registers.get(register)?.push({ type: 'read', value, began, ended: performance.now() })
}

async function runScript(host: number, run: string, chance: Chance, history: History): Promise<void> {
  const some = agentAddresses.filter(() => chance.isTrue(0.4))
  const clients = some.length > 0 ? some : [chance.pick(agentAddresses)]
  const script: Script = { run, clients, job: undefined, isRefused: false }
  history.scripts.push(script)
  const query = chance.isTrue(0.5) ? '?queue=1&expires=20' : ''
  const answer = await ask(host, `POST /shell/run${query}`, { clients, run, echo: true })
  const result = count(answer, history)
  if (result === 'answered') script.job = answer.job
  if (result === 'refused') script.isRefused = true
}
