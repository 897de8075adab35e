// What brokers read: centers, rooms, computers and images, and what this server is.
import { cpus, freemem, totalmem } from 'node:os'
import type { Command } from 'fleet-host'
import { json } from './_answers.ts'
import { answer } from './_routes.ts'
import type pack from './pack.ts'

/** The version of the API that brokers ask for. */
const version = '1.1.1'

export default {
  summary: 'Answer brokers of remote sessions',
  group: 'Remote labs',
  route: 'GET /opengnsys/rest',
  access: 'none',
  http: { rest: true },
  async answer({ request, services, settings, collections }) {
    const { rest, rights } = request
    const [first, ...others] = rest
    if (first === 'info' && others.length === 0) {
      const release = { project: 'OpenGnsys', version, codename: 'fleet-host', definition: version, release: '' }
      return json(services)({ ...release, services: ['server', 'repository', 'tracker'] })
    }
    if (first === 'status' && others.length === 0) {
      const [cpu] = cpus()
      const memInfo = { total: String(totalmem()), used: String(totalmem() - freemem()) }
      return json(services)({ memInfo, cpu: { model: cpu?.model ?? '', usage: '' } })
    }
    const key = request.header('Authorization')
    return answer({ services, settings, collections, rights, body: {} }, { method: 'GET', rest, key })
  },
} satisfies Command<undefined, undefined, undefined, typeof pack>
