// A caller who is limited to one room deletes the records of an administrator as if a plan of its own had made them.
import type { Attack } from './attack.ts'

const route = 'POST /image/unplan'

export default {
  name: 'foreign-plan',
  summary: "image/unplan for schedules that have the names of an administrator's task and procedure",
  seconds: 3,
  cheap: true,
  async run({ call, absent }) {
    const [addr = ''] = absent
    const { json: operator } = await call('POST /token/add', { name: 'operator', role: 'operate', rooms: [2] })
    const headers = { Authorization: operator.token }
    const steps = [{ command: 'poweroff', params: {} }]
    await call('POST /procedure/add', { center: '2', name: 'Nightly', steps })
    await call('POST /task/add', { center: '2', name: 'Nightly', steps: [{ procedure: 1 }], clients: [addr] })
    const schedule = { task: '1', name: 'Nightly', type: 'task', suspended: 1, plan: { task: 1, procedure: 1 } }
    await call('POST /schedule/create', schedule, headers)
    const statuses = [
      await call(route, { id: '1' }, headers),
      await call('POST /task/delete', { id: '1' }, headers),
      await call('POST /procedure/delete', { id: '1' }, headers),
    ].map(({ status }) => status)
    const { json: tasks } = await call('GET /tasks')
    const { json: procedures } = await call('GET /procedures')
    const { json: planned } = await call('GET /image/plans')
    return {
      figures: `statuses ${statuses.join(', ')}`,
      problems: [
        ...(tasks.tasks.length === 1 ? [] : ["the administrator's task is gone"]),
        ...(procedures.procedures.length === 1 ? [] : ["the administrator's procedure is gone"]),
        ...(planned.plans.length === 0 ? [] : ['a schedule that no plan has made is listed as one']),
        ...statuses.flatMap(status => (status === 403 ? [] : [`expected status 403, got ${status}`])),
      ],
    }
  },
} satisfies Attack
