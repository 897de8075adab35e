// The REST API of the lab's daemon, as the steps of the lab use it.
import { setTimeout as wait } from 'node:timers/promises'
import { address } from './lab-network.ts'

/** Seconds that a step may take on a busy machine without hardware virtualization. */
const patience = 1200

export type Api = ReturnType<typeof createApi>

/** Rejects for a refusal. */
export const createApi =
  (token: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: each step expects a shape of its own
  async (route: string, payload?: object): Promise<any> => {
    const [method = '', path = ''] = route.split(' ')
    const headers = { Authorization: token }
    const response = await fetch(`http://${address}:8888${path}`, {
      method,
      headers,
      ...(payload && { body: JSON.stringify(payload) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route}: ${response.status} ${response.headers.get('X-Reason')}`)
    return text === '' ? { job: response.headers.get('X-Job-Id') } : JSON.parse(text)
  }

/** The computer and the daemon have no event in common with this program: it asks every second. */
export async function until<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (let second = 0; second < patience; second += 1) {
    const result = await read().catch(ignoreClosed)
    if (result) return result
    await wait(1000)
  }
  throw new Error(`waited ${patience} s`)
}

/** A connection that was kept may just have been closed. */
function ignoreClosed(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error
}

interface Part {
  output?: string
  state: string
  reason?: string
  ended?: number
  progress?: { percent: number }
}

type JobOf = { job: string }

/** Resolves to `success`, or the reason why a part of a job has failed. */
export async function endOf(api: Api, { job }: JobOf): Promise<string> {
  const parts = await until(async () => {
    const record: { parts: Part[] } = await api(`GET /jobs/${job}`)
    return record.parts.every(part => part.ended) ? record.parts : undefined
  })
  const failures = parts.filter(({ state, reason }) => state !== 'success' || reason !== undefined)
  return failures.map(({ state, reason }) => reason ?? state).join('; ') || 'success'
}

/** Resolves when the only part of a job has copied so much of an image. */
export const whenCopied = (api: Api, { job }: JobOf, percent: number) =>
  until(async () => {
    const [part]: Part[] = (await api(`GET /jobs/${job}`)).parts
    if (part?.ended) throw new Error(`expected a copy that runs, got ${part.reason ?? part.state}`)
    return (part?.progress?.percent ?? 0) >= percent
  })

/** Rejects with the reason of the failure. */
export async function succeed(api: Api, route: string, payload: object): Promise<void> {
  const reason = await endOf(api, await api(route, payload))
  if (reason !== 'success') throw new Error(reason)
}

type Payload = { clients: string[] } & Record<string, unknown>

/** Resolves to what each client has printed. Rejects with the reason of the failure. */
export async function outputsOf(api: Api, route: string, payload: Payload): Promise<string[]> {
  const job: JobOf = await api(route, payload)
  const reason = await endOf(api, job)
  if (reason !== 'success') throw new Error(reason)
  const records = await Promise.all(payload.clients.map(client => api(`GET /jobs/${job.job}?client=${client}`)))
  return records.flatMap(({ parts }: { parts: Part[] }) => parts.map(({ output = '' }) => output))
}

/** Rejects unless it fails with such a reason. */
export async function fail(end: Promise<string>, expected: RegExp): Promise<void> {
  const reason = await end
  if (reason === 'success' || !expected.test(reason)) throw new Error(`expected ${expected}, got ${reason}`)
  console.log(`         ${reason}`)
}

/** What a script prints. */
export async function outputOf(api: Api, client: string, run: string): Promise<string> {
  await succeed(api, 'POST /shell/run', { clients: [client], run, echo: true })
  return (await api('POST /shell/output', { clients: [client] })).clients[0].output
}

const clientOf = async (api: Api, client: string) =>
  (await api('GET /clients')).clients.find((each: { addr: string }) => each.addr === client)

/** Resolves when the computer is in the live system, or its own Linux runs. */
export const untilLive = (api: Api, client: string) => until(async () => (await clientOf(api, client))?.state === 'OPG')
export const untilGone = (api: Api, client: string) => until(async () => (await clientOf(api, client))?.state !== 'OPG')
export const untilLinux = (api: Api, client: string) =>
  until(async () => (await clientOf(api, client))?.status === 'linux')
