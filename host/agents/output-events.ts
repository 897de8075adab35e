// Reports what running scripts print as events: of all clients in turn, limited in number and length.
import type { Events } from '../system/events.ts'
import type { EarlyContext } from './pending-request.ts'

/** Milliseconds in which pieces are gathered, and events in such a time: 100 a second, however many clients print. */
const gatherMilliseconds = 100
const eventsPerPeriod = 10

/** Characters of one event. */
const longestText = 2048

type OnPiece = EarlyContext['onPiece']

interface Waiting {
  step: NonNullable<Parameters<OnPiece>[1]>
  text: string
  omitted: number
}

/** Returns the function that takes pieces. Of what waits too long the newest is kept. */
function createOutputEvents(events: Events): OnPiece {
  /** By address; who waits longest is the first. */
  const waiting = new Map<string, Waiting>()
  let isScheduled = false

  function emit(addr: string): void {
    const piece = waiting.get(addr)
    // Nothing while the job is not stored.
    if (!piece || piece.step.job.id === 0) return
    waiting.delete(addr)
    const { step, text, omitted } = piece
    const event = { type: 'job-output', addr, job: step.job.id, step: step.index, text } as const
    events.emit(omitted > 0 ? { ...event, omitted } : event)
  }

  function emitSome(): void {
    isScheduled = false
    const ready = [...waiting].filter(([, { step }]) => step.job.id > 0)
    for (const [addr] of ready.slice(0, eventsPerPeriod)) emit(addr)
    if (waiting.size > 0) schedule()
  }

  function schedule(): void {
    if (!isScheduled) setTimeout(emitSome, gatherMilliseconds).unref()
    isScheduled = true
  }

  // Before the end of its part, which is stored first.
  events.on(
    event => {
      if (event.type !== 'command-ended') return
      emit(event.addr)
      waiting.delete(event.addr)
    },
    ['command-ended'],
  )

  return (addr, step, { text, omitted }) => {
    if (!step) return
    const before = waiting.get(addr) ?? { text: '', omitted: 0 }
    const all = before.text + text
    const tooLong = Math.max(0, all.length - longestText)
    waiting.set(addr, { step, text: all.slice(tooLong), omitted: before.omitted + omitted + tooLong })
    schedule()
  }
}

/** The functions that take what comes of a command before its reply. */
export const createEarlyEvents = (events: Events): Pick<EarlyContext, 'onPiece' | 'onProgress'> => ({
  onPiece: createOutputEvents(events),
  onProgress(addr, { step, command }, report) {
    const job = step?.job.id ?? 0
    if (step && job > 0) events.emit({ type: 'job-progress', job, step: step.index, addr, command, ...report })
  },
})
