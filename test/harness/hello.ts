// The introduction that an agent sends after it has connected.
import { message } from '../../host/test-kit/agent-http.ts'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'

/** Sends `{"event": "hello", …}` as a 103. */
export function sayHello(agent: Agent, values: object): void {
  agent.send(message(103, { event: 'hello', ...values }))
}
