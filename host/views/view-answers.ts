// Asks the function of a view, and makes the answer of what it returns: one of each kind.
import { refuse } from '../contract/refusal.ts'
import type { Refusal, ViewAnswer, ViewQuestion } from '../contract/services.ts'
import type { View, ViewContext, ViewPage } from '../contract/view.ts'
import { type AnswerOf, check } from './view-data.ts'

/** An action as the answer has it. */
export type PageAction = AnswerOf<'page'>['actions'][number]
export type DeclaredAction = NonNullable<ViewPage['actions']>[number]

/** A question, with what is absent filled in. */
export interface FullQuestion {
  client: string
  clients: readonly string[]
  query: string
  after: string
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Milliseconds. */
  step: number
}

const daySeconds = 86_400
/** Of a chart when the caller does not say a step. */
const usualPoints = 200
const mostPoints = 1000

/** The times of a chart; a refusal when they make no sense. `clients` and `client` are for others to fill in. */
export function timesOf(
  { from, length = daySeconds, until, step }: ViewQuestion,
  now: number,
): Pick<FullQuestion, 'from' | 'until' | 'step'> | Refusal {
  const end = until === undefined ? now : Date.parse(until)
  if (Number.isNaN(end)) return refuse(`until: expected an ISO time, got ${until}`)
  const start = from === undefined ? end - length * 1000 : Date.parse(from)
  if (Number.isNaN(start)) return refuse(`from: expected an ISO time, got ${from}`)
  if (start >= end) return refuse('from: expected a time before until, got a later one')
  const milliseconds = step === undefined ? Math.max(1000, Math.ceil((end - start) / usualPoints)) : step * 1000
  if ((end - start) / milliseconds > mostPoints) return refuse(`step: expected at most ${mostPoints} points, got more`)
  return { from: start, until: end, step: milliseconds }
}

/** Rejects with `WrongData` when the view returns something else than its kind does, and as the view does. */
export async function answerOf(
  view: View,
  context: ViewContext,
  { client, clients, query, after, from, until, step }: FullQuestion,
  resolveAction: (action: DeclaredAction) => PageAction | undefined,
): Promise<ViewAnswer> {
  const { title } = view
  switch (view.view) {
    case 'computer': {
      const lines = (await view.data({ ...context, client })) ?? []
      return { view: view.view, title, lines: check.lines(lines) }
    }
    case 'client-badge': {
      const marks = check.badges(await view.data({ ...context, clients }))
      return { view: view.view, title, badges: clients.flatMap(each => badgeOf(each, marks)) }
    }
    case 'overview': {
      const figure = await view.data(context)
      return { view: view.view, title, ...(figure && { figure: check.figure(figure) }) }
    }
    case 'page': {
      const { actions = [], ...content } = check.page(await view.data({ ...context, query, after }))
      return { view: view.view, title, ...content, actions: actions.flatMap(action => resolveAction(action) ?? []) }
    }
    case 'chart': {
      const content = check.chart(await view.data({ ...context, from, until, step }))
      const times = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      return { view: view.view, title, ...times, ...content }
    }
  }
}

/** Marks of computers that nobody has asked for are left out. */
function badgeOf(client: string, marks: ReadonlyMap<unknown, unknown>) {
  const badge = marks.get(client)
  return badge === undefined ? [] : { client, ...check.badge(badge) }
}
