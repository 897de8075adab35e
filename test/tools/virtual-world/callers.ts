// Calls of the API in the simulated network. A call may be answered, refused, or nobody knows.
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { token, type VirtualHost, type World } from './world.ts'

/** `status` 0: the connection was lost, or there was no response in time. */
export interface Answer {
  status: number
  /** Of the job that a command has made; 0 when there is none. */
  job: number
  /** Of what was added; 0 when nothing was. */
  id: number
  text: string
}

/** Milliseconds. */
const patience = 30_000

export function callHost(
  world: World,
  host: VirtualHost,
  route: string,
  payload?: unknown,
  caller = token,
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const headers = { Authorization: caller, 'Content-Length': String(body.length) }
  return new Promise(resolve => {
    const socket = world.network.connect({ port: host.ports.rest })
    const fail = () => {
      socket.destroy()
      resolve({ status: 0, job: 0, id: 0, text: '' })
    }
    const cancel = world.time.after(patience, fail)
    // `as`: it has what Node's client uses of a socket.
    const sent = request({ method, path, headers, createConnection: () => socket as unknown as Socket })
    sent.on('error', fail)
    sent.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', part => (text += part))
      response.on('error', fail)
      response.on('end', () => {
        cancel()
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, job: Number(headers['x-job-id'] ?? 0), id: Number(headers['x-id'] ?? 0), text })
      })
    })
    sent.end(body)
  })
}
