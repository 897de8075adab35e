// Changes the name or the comment of a center.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['center'],
  properties: {
    center: { type: ['integer', 'string'], pattern: '^[0-9]+$', description: 'its id' },
    name: { type: 'string', minLength: 1, description: 'unique' },
    comment: { type: 'string', description: 'for people' },
  },
} as const

export default {
  summary: 'Change a center',
  group: 'Centers, rooms and computers',
  example: { center: 1, name: 'Faculty of Science' },
  route: 'POST /center/update',
  payload,
  async answer({ payload: { center, ...change }, services }) {
    const { name, comment } = change
    const values = { ...(name !== undefined && { name }), ...(comment !== undefined && { comment }) }
    const outcome = await services.store.centers.update({ id: Number(center), ...values })
    if (outcome === 'unknown') return services.refuse(`center: there is no center ${center}`)
    if (outcome === 'name taken') return services.refuse(`name: center ${name} exists`)
  },
} satisfies Command<typeof payload>
