// A test host with computers inside and outside the limits of tokens, and calls with these tokens.
import { is } from 'uvu/assert'
import type { CallResponse } from './rest-call.ts'
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts'

/** Room 1 of center 1 is inside; room 2 of the same center and center 2 are outside. */
export const inside = ['127.0.31.1', '127.0.31.2']
export const outside = ['127.0.32.1', '127.0.33.1']

/** In no response to a limited caller: names and addresses of what lies outside. */
export const hidden = /127\.0\.3[23]\.|outsider/i

export interface ScopeLab {
  lab: TestHost
  /** Adds a token that is limited to room 1, or as `more` limits it. */
  addToken(name: string, role: string, more?: object): Promise<LimitedCaller>
  /** Calls a route as admin, expects 200, and resolves to the id of what was added. */
  add(route: string, payload: object): Promise<number>
}

export interface LimitedCaller {
  id: number
  token: string
  call(route: string, payload?: unknown): Promise<CallResponse>
  status(route: string, payload?: unknown): Promise<number>
}

export async function startScopeLab(options?: TestHostOptions): Promise<ScopeLab> {
  const lab = await startTestHost(options)
  async function add(route: string, payload: object): Promise<number> {
    const { status, headers } = await lab.call(route, payload)
    is(status, 200, `${route}: ${lab.log.at(-1)}`)
    return Number(headers['x-id'])
  }
  for (const ip of inside) await lab.addComputer(ip)
  await add('POST /room/add', { name: 'Outsider room', netmask: '255.255.255.0', center: 1 })
  await add('POST /center/add', { name: 'Outsider center' })
  await add('POST /room/add', { name: 'Outsider lab', netmask: '255.255.255.0', center: 2 })
  for (const [index, ip] of outside.entries()) await lab.addComputer(ip, { name: `outsider-${index}`, room: 2 + index })
  return {
    lab,
    add,
    async addToken(name, role, more = { rooms: [1] }) {
      const { status, json } = await lab.call('POST /token/add', { name, role, ...more })
      is(status, 200, lab.log.at(-1))
      const call = (route: string, payload?: unknown) => lab.call(route, payload, { Authorization: json.token })
      return { id: json.id, token: json.token, call, status: async (...request) => (await call(...request)).status }
    },
  }
}

export const shell = (run: string) => ({ command: 'shell-run', params: { run, echo: false } })
