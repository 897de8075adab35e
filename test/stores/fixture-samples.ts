// Sample records of the stored fixtures. The fixtures contain these values, so none of them may change.
import type { DiskReport, Image, Job, New, Part, Room, Schedule } from '../../stores/store.ts'
import * as samples from '../conformance/samples.ts'
import * as work from '../conformance/work-samples.ts'

export { computer, createdImage } from '../conformance/samples.ts'
export { part } from '../conformance/work-samples.ts'

export const time = 1_700_000_000_000

export const room = (center: number, name: string, values: Partial<New<Room>> = {}): New<Room> => ({
  ...samples.room(center, name),
  dns: '',
  ...values,
})

export const image = (name: string, values: Partial<New<Image>> = {}) =>
  samples.image(name, { center_id: 1, ...values })

export const row = (partition: number, os = '', values: Partial<DiskReport['rows'][number]> = {}) =>
  samples.row(partition, os, { size: 1000 * (partition + 1), used_size: 10 * partition, ...values })

export const schedule = (values: Partial<New<Schedule>> = {}) =>
  work.schedule({ task: 1, by: 'admin', weeks: 63, days: 0x7fffffff, hours: 4, ...values })

export const job = (name: string, values: Partial<New<Job>> = {}) => {
  const payload = { run: 'echo "ñ"\n', echo: true }
  return work.job({ name, by: '', steps: [{ command: 'shell-run', payload }], ...values })
}

export const parts = (count: number, values: Partial<Part> = {}): Part[] =>
  Array.from({ length: count }, (_, at) => work.part(`10.0.1.${at}`, values))

export const success = (job: number, index: number, output = '') => ({
  ...work.success(job, index, output),
  sent: time + 1000,
  ended: time + 2000 + 7 * index,
})
