// `fleet run --follow`: prints what scripts print while they run, each line behind the name of its computer.
import { setTimeout as wait } from 'node:timers/promises'
import { hasRun } from '../../../stores/rules/part-states.ts'
import type { PartAnswer } from '../../contract/answers.ts'
import { type EventData, readEvents } from '../api/event-reader.ts'
import { readJob, waitForJob } from '../api/job-reader.ts'
import { shownStateOf } from '../api/job-sums.ts'
import { readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'

/** Milliseconds in which the last events come after the end of the job. */
const longestDelay = 2000

/** Sends the script while it follows the events; resolves to the id of the job when that has ended and all is printed. */
export async function followScript(
  context: CliContext,
  clients: readonly string[],
  send: () => Promise<number>,
): Promise<number> {
  const end = new AbortController()
  const printer = await createPrinter(context, clients)
  /** Those that have come before the id of the job. */
  const events: EventData[] = []
  let id: number | undefined
  let isFinished = false
  const printNew = async () => {
    for (let event = events[0]; event && id !== undefined; event = events[0]) {
      events.shift()
      if (event.job !== id) continue
      if (event.type === 'job-finished') isFinished = true
      else if (event.type === 'job-part') await printEnd(context, id, printer, event.clients[0] ?? '')
      else printer.add(event)
    }
  }
  const follow = async (onConnect: () => void) => {
    const query = new URLSearchParams({ type: 'job-output,job-part,job-finished' })
    const onDisconnect = (reason: string) => context.printError(`fleet: ${reason}; connecting again`)
    for await (const event of readEvents(context.connect(), query, { signal: end.signal, onDisconnect, onConnect })) {
      events.push(event)
      await printNew()
      if (isFinished) return
    }
  }
  let following = Promise.resolve()
  try {
    await new Promise<void>((resolve, reject) => {
      following = follow(resolve)
      following.catch(reject)
    })
    id = await send()
    await printNew()
    await waitForJob(context, id)
    if (!isFinished) await Promise.race([following, wait(longestDelay)])
    await printRest(context, id, printer)
    return id
  } finally {
    end.abort()
  }
}

/** Those whose end was not among the events. */
async function printRest(context: CliContext, id: number, printer: Printer): Promise<void> {
  const { parts } = await readJob(context.connect(), id)
  for (const { client } of parts.filter(hasRun)) await printEnd(context, id, printer, client)
}

/** Once for each client: all of a script that has ended before a piece came, or of an agent that sends none. */
async function printEnd(context: CliContext, id: number, printer: Printer, client: string): Promise<void> {
  if (printer.hasEnded(client)) return
  const { parts } = await readJob(context.connect(), id, client)
  const part = parts.find(hasRun)
  if (part) printer.end(part)
}

type Printer = Awaited<ReturnType<typeof createPrinter>>

async function createPrinter({ connect, print, printUntrusted, progress }: CliContext, clients: readonly string[]) {
  const computers = await readComputers(connect())
  const nameOf = (client: string) => computers.get(client)?.name ?? client
  const width = Math.max(...clients.map(client => nameOf(client).length))
  /** The line of each client that has no end yet. */
  const lines = new Map<string, string>()
  const printLine = (client: string, line: string) => {
    progress('')
    printUntrusted(clients.length === 1 ? `${line}\n` : `${nameOf(client).padEnd(width)}  ${line}\n`)
  }
  const ended = new Set<string>()
  const printer = {
    hasEnded: (client: string) => ended.has(client),
    print(client: string, text: string): void {
      const complete = `${lines.get(client) ?? ''}${text}`.split('\n')
      lines.set(client, complete.pop() ?? '')
      for (const line of complete) printLine(client, line)
    },
    end(part: PartAnswer): void {
      const { client, output = '', reason } = part
      if (ended.has(client)) return
      ended.add(client)
      if (!lines.has(client)) printer.print(client, output)
      const last = lines.get(client)
      if (last) printLine(client, last)
      if (clients.length === 1) return
      const state = shownStateOf(part)
      progress('')
      print(paint(stateColours[state], onOneLine([`── ${nameOf(client)}`, state, reason].filter(Boolean).join(': '))))
    },
    add({ clients: [client = ''], text, omitted }: EventData): void {
      if (omitted !== undefined) print(paint('gray', `${nameOf(client)}: ${omitted} characters left out`))
      if (typeof text === 'string') printer.print(client, text)
    },
  }
  return printer
}
