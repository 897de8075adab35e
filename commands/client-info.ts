// Reads the record of a computer.
import type { Command } from 'fleet-host'
import { address, flag, integer, result, text } from './_result-schemas.ts'

const payload = {
  type: 'object',
  required: ['client'],
  properties: { client: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'ipv4' } } },
} as const

const returns = result({
  id: integer,
  name: text,
  ip: address,
  mac: text,
  room: integer,
  center: integer,
  netmask: text,
  boot: text,
  remote: flag,
  serial_number: text,
  hardware_id: integer,
  repo_id: integer,
  netiface: text,
  netdriver: text,
  livedir: text,
  maintenance: flag,
})

export default {
  summary: 'Read a computer record',
  example: { client: ['10.1.1.20'] },
  route: 'GET /client/info',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return (await services.store.computers.find(ip)) ?? services.refuse(`client: there is no computer ${ip}`)
  },
} satisfies Command<typeof payload>
