// A test host for the queue: computers that are off, commands with ?queue=1, and agents that a test controls.
import { followJobs, type JobResults, jobIdOf } from './job-results.ts'
import type { Agent, Request } from './simulated-agent.ts'
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts'

export interface QueueHost {
  testHost: TestHost
  jobs: JobResults
  /** Adds a computer record without an agent and resolves to its address. */
  addComputer(): Promise<string>
  /** Calls shell/run with `?queue=1` and resolves to the job's id. */
  queueShell(addr: string, run: string, query?: string): Promise<number>
}

export const shellPayload = (addr: string, run: string) => ({ clients: [addr], run, echo: true })

/** `subnet`: the first three numbers of the addresses. */
export async function startQueueHost(subnet: string, options: TestHostOptions = {}): Promise<QueueHost> {
  const testHost = await startTestHost(options)
  let computers = 0
  return {
    testHost,
    jobs: followJobs(testHost),
    async addComputer() {
      computers += 1
      const addr = `${subnet}.${computers}`
      await testHost.addComputer(addr)
      return addr
    },
    queueShell: async (addr, run, query = '') =>
      jobIdOf(await testHost.call(`POST /shell/run?queue=1${query}`, shellPayload(addr, run))),
  }
}

/** Waits for the next request, which must have this path, and replies to it. */
export async function replyToNext(agent: Agent, path: string, status = 200, body?: object): Promise<Request> {
  const request = await agent.next(path)
  agent.answer(status, body)
  return request
}
