// `fleet run --follow`: prints what scripts print while they run, each line behind the name of its computer.
import { setTimeout as wait } from 'node:timers/promises'
import { hasRun } from '../../../stores/rules/part-states.ts'
import { type EventData, readEvents } from '../api/event-reader.ts'
import { readJob, waitForJob } from '../api/job-reader.ts'
import { readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'

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
  const printNew = () => {
    for (const event of id === undefined ? [] : events.splice(0)) {
      if (event.job !== id) continue
      if (event.type === 'job-finished') isFinished = true
      else printer.add(event)
    }
  }
  const follow = async (onConnect: () => void) => {
    const query = new URLSearchParams({ type: 'job-output,job-part,job-finished' })
    const onDisconnect = (reason: string) => context.printError(`fleet: ${reason}; connecting again`)
    for await (const event of readEvents(context.connect(), query, { signal: end.signal, onDisconnect, onConnect })) {
      events.push(event)
      printNew()
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
    printNew()
    await waitForJob(context, id)
    if (!isFinished) await Promise.race([following, wait(longestDelay)])
    await printRest(context, id, printer)
    return id
  } finally {
    end.abort()
  }
}

/** Of scripts that have ended before a piece came, and of agents that send none. */
async function printRest(context: CliContext, id: number, printer: Printer): Promise<void> {
  const api = context.connect()
  const { parts } = await readJob(api, id)
  for (const { client } of parts.filter(part => hasRun(part) && !printer.has(part.client))) {
    const [part] = (await readJob(api, id, client)).parts
    if (part?.output) printer.print(client, part.output)
    printer.end(client)
  }
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
  const printer = {
    /** Whether something of it was printed. */
    has: (client: string) => lines.has(client),
    print(client: string, text: string): void {
      const complete = `${lines.get(client) ?? ''}${text}`.split('\n')
      lines.set(client, complete.pop() ?? '')
      for (const line of complete) printLine(client, line)
    },
    end(client: string): void {
      const last = lines.get(client)
      if (!last) return
      printLine(client, last)
      lines.set(client, '')
    },
    add({ type, clients: [client = ''], text, omitted }: EventData): void {
      if (type === 'job-part') return printer.end(client)
      if (omitted !== undefined) print(paint('gray', `${nameOf(client)}: ${omitted} characters left out`))
      if (typeof text === 'string') printer.print(client, text)
    },
  }
  return printer
}
