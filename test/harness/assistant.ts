// Starts `fleet mcp` as an assistant's program does, and talks to it with the client of the protocol's own library.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { fleetProgram } from '../tools/runner/bundled-file.ts'
import { token } from './rest-call.ts'

interface AssistantOptions {
  /** The port of the daemon's API. */
  port: number
  token?: string
  args?: string[]
}

export type Assistant = Awaited<ReturnType<typeof startAssistant>>

export async function startAssistant({ port, token: own = token, args = [] }: AssistantOptions) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fleetProgram(), 'mcp', ...args],
    env: { HOME: '/nonexistent', FLEET_URL: `http://127.0.0.1:${port}`, FLEET_API_TOKEN: own },
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', text => {
    log += text
  })
  const client = new Client({ name: 'test', version: '1' })
  const errors: string[] = []
  client.onerror = error => errors.push(error.message)
  await client.connect(transport)
  return {
    client,
    /** What is on standard output and is no message. */
    errors,
    log: () => log,
    tools: async () => (await client.listTools()).tools,
    names: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    /** What one tool answers. */
    async ask(name: string, values: Record<string, unknown> = {}) {
      const answer = CallToolResultSchema.parse(await client.callTool({ name, arguments: values }))
      const text = answer.content.map(part => (part.type === 'text' ? part.text : part.type)).join('\n')
      return { text, isError: answer.isError === true }
    },
    /** Resolves when the list of tools has changed. */
    listChanged: () =>
      new Promise<void>(resolve => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())),
    stop: () => client.close(),
  }
}

export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    error => String(error),
  )
