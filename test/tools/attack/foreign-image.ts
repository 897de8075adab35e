// A caller who is limited to one room makes an image under the name, and under the id, of one of the administrator.
import type { Attack } from './attack.ts'

const image = { disk: '1', partition: '1', code: '131', repository: '127.0.0.1' }

export default {
  name: 'foreign-image',
  summary: 'image/create by an operator of one room for an image of the administrator, by name and by id',
  seconds: 3,
  cheap: true,
  async run({ call, absent }) {
    const [addr = ''] = absent
    const { json: operator } = await call('POST /token/add', { name: 'maker', role: 'operate', rooms: [2] })
    const headers = { Authorization: operator.token }
    const gold = { ...image, clients: [addr], name: 'gold', id: '0', description: 'Of the administrator' }
    await call('POST /image/create', gold)
    const stored = async () => JSON.stringify((await call('GET /images?without_file=1')).json.images)
    const before = await stored()
    const payloads = [
      { ...image, clients: [addr], name: 'gold', id: '1' },
      { ...image, clients: [addr], name: 'evil', id: '1' },
      { ...image, clients: [addr], name: 'gold.v1', id: '0', description: 'x' },
    ]
    const statuses: number[] = []
    for (const payload of payloads) {
      statuses.push((await call('POST /image/create', payload, headers)).status)
      statuses.push((await call('POST /image/create?queue=1', payload, headers)).status)
    }
    const { json: jobs } = await call('GET /jobs', undefined, headers)
    const sent = jobs.jobs.filter(({ by }: { by: string }) => by === 'token maker').length
    return {
      figures: `statuses ${statuses.join(', ')}`,
      problems: [
        ...statuses.flatMap(status => (status === 403 ? [] : [`expected status 403, got ${status}`])),
        ...(sent === 0 ? [] : [`${sent} creations of the operator were accepted`]),
        ...((await stored()) === before ? [] : ['the images have changed']),
      ],
    }
  },
} satisfies Attack
