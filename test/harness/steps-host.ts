// A test host with two rooms and two centers, and functions that add procedures and tasks.
import { equal } from 'uvu/assert'
import { jobIdOf } from './job-results.ts'
import type { CallResponse } from './rest-call.ts'
import { startTestHost, type TestHost } from './test-host.ts'

export interface StepsHost {
  testHost: TestHost
  /** Calls a route and resolves to the status. */
  status(route: string, payload: object): Promise<number>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  procedures(): Promise<any[]>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  tasks(): Promise<any[]>
  /** Adds a procedure to center 1 and resolves to its id. */
  addProcedure(name: string, steps: object[]): Promise<number>
  /** Adds a task to center 1 and resolves to its id. `target`: keys `scope` or `clients`. */
  addTask(name: string, steps: object[], target?: object): Promise<number>
  /** Runs a task and resolves to the job's id. */
  runTask(id: number): Promise<number>
}

/** A step that runs a script. */
export const shellStep = (text: string) => ({ command: 'shell-run', params: { run: text, echo: false } })

/** Computers `<subnet>.1` and `.2` are in room 1, `.3` and `.4` in room 2; `.4` is in maintenance. */
export async function startStepsHost(subnet: string): Promise<StepsHost> {
  const testHost = await startTestHost()
  await testHost.addComputer(`${subnet}.1`)
  await testHost.addComputer(`${subnet}.2`)
  await testHost.call('POST /room/add', { name: 'Second', netmask: '255.255.255.0', center: 1 })
  await testHost.addComputer(`${subnet}.3`, { room: 2 })
  await testHost.addComputer(`${subnet}.4`, { room: 2, maintenance: true })
  await testHost.call('POST /center/add', { name: 'Other center' })

  const procedures = async () => (await testHost.call('GET /procedures')).json.procedures
  const tasks = async () => (await testHost.call('GET /tasks')).json.tasks
  const expectEmpty200 = ({ status, text }: CallResponse) => equal([status, text], [200, ''], testHost.log.at(-1))
  return {
    testHost,
    status: async (route, payload) => (await testHost.call(route, payload)).status,
    procedures,
    tasks,
    async addProcedure(name, steps) {
      expectEmpty200(await testHost.call('POST /procedure/add', { center: '1', name, steps }))
      return (await procedures()).at(-1).id
    },
    async addTask(name, steps, target = {}) {
      expectEmpty200(await testHost.call('POST /task/add', { center: '1', name, steps, ...target }))
      return (await tasks()).at(-1).id
    },
    runTask: async id => jobIdOf(await testHost.call('POST /task/run', { task: String(id) })),
  }
}
