// Ends the reservation of a computer for its broker.
import type { Command } from 'fleet-host'
import { answer } from './_routes.ts'
import type pack from './pack.ts'

export default {
  summary: 'End a reservation of a broker',
  group: 'Remote labs',
  route: 'DELETE /opengnsys/rest',
  access: 'none',
  http: { rest: true, anyBody: true },
  answer({ request, services, settings, collections }) {
    const { rest, rights } = request
    const key = request.header('Authorization')
    return answer({ services, settings, collections, rights, body: {} }, { method: 'DELETE', rest, key })
  },
} satisfies Command<undefined, undefined, undefined, typeof pack>
