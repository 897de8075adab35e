// Jobs with parts for several hosts, and what has become of them, for tests.
import type { Assigned, Change, NewClusterJob, UnfinishedParts } from '../../stores/store.ts'
import { job, parts } from '../conformance/work-samples.ts'
import type { ClusterHost, ClusterStores } from './cluster-stores.ts'

/** A job with one part for each host; `+` behind its name: to be sent at once. */
export const workFor = (
  hosts: readonly (string | undefined)[],
  values: Partial<NewClusterJob> = {},
): NewClusterJob => ({
  job: job(),
  parts: parts(hosts.length),
  direct: new Set(hosts.flatMap((host, at) => (host?.endsWith('+') ? at : []))),
  hosts: hosts.map(host => host?.replace('+', '')),
  ...values,
})

export async function addWork({ work, key }: ClusterHost, added: NewClusterJob): Promise<number> {
  return (await work.add(key, added))?.id ?? 0
}

export const taken = ({ parts }: Assigned) =>
  parts.map(({ job, index, claimed, state, sent }) => `${job}/${index} ${state}${claimed ? ` claimed ${sent}` : ''}`)

export const waiting = (jobs: UnfinishedParts[]) =>
  jobs.flatMap(({ job, parts }) => parts.map(({ index, state }) => `${job.id}/${index} ${state}`))

export const end = (job: number, index: number, values: Partial<Change> = {}): Change => ({
  job,
  index,
  from: 'sent',
  state: 'success',
  ended: 1_700_000_000_500,
  ...values,
})

export const claim = (job: number, index: number): Change => ({ job, index, from: 'queued', state: 'sent', sent: 5 })

export async function states({ store }: ClusterStores, id: number): Promise<string[]> {
  const all = await store.jobs.parts(id, { limit: 1e6 })
  return all.map(({ state, reason }) => (reason === '' ? state : `${state}: ${reason}`))
}

export const membership = async ({ members }: ClusterHost, name: string) => {
  const host = (await members.list()).find(host => host.name === name)
  if (!host) throw new Error(`${name} is no member`)
  return host
}
