// Sample procedures, tasks, schedules and jobs for the rules.
import type { IndexedPart, Job, New, Part, PartCounts, Schedule, Step, Store, Task } from '../../stores/store.ts'

export const noParts: PartCounts = {
  queued: 0,
  sent: 0,
  success: 0,
  failure: 0,
  skipped: 0,
  expired: 0,
  cancelled: 0,
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

export const withIndexes = (parts: Part[]): IndexedPart[] => parts.map((part, index) => ({ index, ...part }))

export const script: Step = { command: 'shell-run', params: { run: 'echo "ñ"', echo: true, deep: { list: [1] } } }

/** Also a sample task: a task without its additional keys is a procedure. */
export const procedure = (center: number, name: string, ...steps: Step[]): New<Task> => ({
  center,
  name,
  description: `${name} of ${center}`,
  steps,
})

export const schedule = (values: Partial<New<Schedule>> = {}): New<Schedule> => ({
  type: 'task',
  task: 7,
  name: 'nightly',
  suspended: 0,
  since: 1_700_000_000_000,
  by: 'user:3',
  years: 0xffffffff,
  months: 4095,
  weeks: 0,
  week_days: 127,
  days: 0,
  hours: 2,
  am_pm: 1,
  minutes: 30,
  ...values,
})

export const job = (values: Partial<New<Job>> = {}): New<Job> => ({
  created: 1_700_000_000_000,
  origin: 'request',
  name: 'shell-run',
  by: 'token lab',
  steps: [{ command: 'shell-run', payload: { run: 'date', echo: true } }],
  ...values,
})

export const part = (client: string, values: Partial<Part> = {}): Part => ({
  client,
  step: 0,
  state: 'queued',
  reason: '',
  queued: 1_700_000_000_000,
  sent: 0,
  ended: 0,
  expires: 900,
  output: '',
  ...values,
})

export const address = (at: number) => `10.2.${Math.floor(at / 250)}.${at % 250}`

/** One part for each of `count` clients. */
export const parts = (count: number, values: Partial<Part> = {}): Part[] =>
  Array.from({ length: count }, (_, at) => part(address(at), values))

export const success = (job: number, index: number, output = '') => ({
  job,
  index,
  state: 'success' as const,
  sent: 1_700_000_001_000 + index,
  ended: 1_700_000_002_000 - 7 * index,
  output,
})

export async function addProcedure(store: Store, center: number, name: string, ...steps: Step[]): Promise<number> {
  const id = await store.procedures.add(procedure(center, name, ...steps))
  if (typeof id !== 'number') throw new Error(id)
  return id
}

export async function addTask(store: Store, center: number, name: string, ...steps: Step[]): Promise<number> {
  const id = await store.tasks.add(procedure(center, name, ...steps))
  if (typeof id !== 'number') throw new Error(id)
  return id
}

/** Adds rows to every collection of procedures, schedules and jobs, in an existing center. */
export async function fillWork(store: Store, name: string, center: number): Promise<void> {
  const step = { procedure: await addProcedure(store, center, name, script) }
  const task = await store.tasks.add({
    ...procedure(center, name, step, step),
    scope: { type: 'center', id: center },
    clients: ['10.0.0.1'],
    options: { wake: true, until: '06:30', batch: 2 },
  })
  await store.schedules.add(schedule({ task: Number(task) }))
  await store.schedules.addScheduledCommand(
    { clients: [name], command: 'poweroff', params: {} },
    schedule({ type: 'command' }),
  )
  await store.jobs.add(job({ name }), parts(3))
  await store.jobs.add(
    job({ name, conditions: { when_idle: true, until: 1_800_000_000_000, batch: 3, after_success: 1 } }),
    parts(2),
  )
  const unfinished = await store.jobs.add(job({ name, origin: 'schedule', schedule: 5 }), parts(200))
  await store.jobs.update(upTo(150).map(index => success(unfinished, index, `${name} ☃ ${index % 2}`)))
}

/** All that the store returns about procedures, schedules and jobs. */
export async function allWork(store: Store): Promise<unknown> {
  const jobs = await store.jobs.list({ limit: 1000 })
  const schedules = await store.schedules.list()
  return {
    schedules,
    procedures: await store.procedures.list(),
    tasks: await store.tasks.list(),
    scheduledCommands: await Promise.all(schedules.map(({ task }) => store.schedules.findScheduledCommand(task))),
    jobs: await Promise.all(jobs.map(async job => ({ ...job, parts: await store.jobs.parts(job.id, { limit: 1e6 }) }))),
    unfinished: await store.jobs.unfinished(),
  }
}
