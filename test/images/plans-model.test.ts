// Random sequences of restores that are planned, cancelled and taken back: all their records are those of a small model.
import fc from 'fast-check'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { type Call, checkModel } from '../harness/random-runs.ts'

export const runs = { seconds: 8, postgres: true }

const lab = await startLab({ repository: true, options: { store: { adapter: 'lowdb', path: './data' } } })
const good = await lab.computer()
await lab.create(good, { description: 'A system' }, { content: 'one' })

interface PlannedRestore {
  schedule: number
  at: string
  partition: string
}

interface Model {
  plans: PlannedRestore[]
  /** With the ids that take the cancellation back. */
  cancelled: (PlannedRestore & { undo: string })[]
}

/** For another partition it is another restore. */
const isPlanned = ({ plans }: Model, { at, partition }: Pick<PlannedRestore, 'at' | 'partition'>) =>
  plans.some(plan => plan.at === at && plan.partition === partition)

const day = `${new Date().getFullYear() + 1}-06-01`

const planning = fc.record({ at: fc.constantFrom('21:00', '22:00'), partition: fc.constantFrom('1', '2') }).map(
  ({ at, partition }): Call<Model> => ({
    name: `plan ${at} ${partition}`,
    async run(model) {
      const payload = { image: 'linux', rooms: [1], disk: '1', partition, on: day, at, overwrite: true }
      const { status, json, headers } = await lab.call('POST /image/plan', payload)
      const reason = String(headers['x-reason'])
      is(status, isPlanned(model, { at, partition }) ? 400 : 200, reason)
      if (status === 200) model.plans.push({ schedule: json.schedule, at, partition })
    },
  }),
)

const cancelling = fc.nat(2).map(
  (index): Call<Model> => ({
    name: `unplan ${index}`,
    async run(model) {
      const plan = model.plans[index]
      if (!plan) return
      const unplan = () => lab.call('POST /image/unplan', { id: `${plan.schedule}` })
      const { status, headers } = await unplan()
      is(status, 200, String(headers['x-reason']))
      is((await unplan()).status, 400)
      model.plans = model.plans.filter(other => other !== plan)
      model.cancelled.push({ ...plan, undo: String(headers['x-undo-id']) })
    },
  }),
)

const takingBack = fc.nat(2).map(
  (index): Call<Model> => ({
    name: `undo ${index}`,
    async run(model) {
      const plan = model.cancelled[index]
      if (!plan) return
      const { undo, ...taken } = plan
      const isPlannedAgain = isPlanned(model, plan)
      const { status, headers } = await lab.call('POST /undo', { id: undo })
      is(status, isPlannedAgain ? 400 : 200, String(headers['x-reason']))
      if (isPlannedAgain) return
      model.cancelled = model.cancelled.filter(other => other !== plan)
      model.plans.push(taken)
    },
  }),
)

async function compare({ plans }: Model): Promise<void> {
  const listed: PlannedRestore[] = (await lab.call('GET /image/plans')).json.plans
  const keysOf = (list: PlannedRestore[]) => list.map(({ schedule, partition }) => `${schedule} ${partition}`).sort()
  equal(keysOf(listed), keysOf(plans), `expected ${keysOf(plans)}, got ${keysOf(listed)}`)
  const records = await Promise.all(
    ['tasks', 'procedures', 'schedules'].map(async kind => (await lab.call(`GET /${kind}`)).json[kind].length),
  )
  equal(
    records,
    records.map(() => plans.length),
    `${plans.length} plans, records: ${records}`,
  )
}

const test = suite('planned restores and their model')
test.after(() => lab.stop())

test('restores that are planned, cancelled and taken back have the records of the model', () =>
  checkModel<Model>(
    {
      calls: fc.oneof(planning, cancelling, takingBack),
      create: () => ({ plans: [], cancelled: [] }),
      compare,
      async end({ plans }) {
        for (const { schedule } of plans) await lab.call('POST /image/unplan', { id: `${schedule}` })
      },
    },
    8,
  ))

test.run()
