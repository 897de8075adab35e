// Views as commands ask for them: which of them a caller may see, and what one of them shows.
import type { Store } from '../../stores/store.ts'
import { checkClients, checkCommand, includesRole } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { LoadedView } from '../contract/loaded-module.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights, ViewQuestion, ViewsService } from '../contract/services.ts'
import type { ViewContext } from '../contract/view.ts'
import type { Log } from '../log/log.ts'
import type { ModuleRuns } from '../modules/module-runs.ts'
import { explainUnknown } from '../modules/namesakes.ts'
import { AskedViews } from './asked-views.ts'
import { answerOf, type DeclaredAction, type FullQuestion, type PageAction, timesOf } from './view-answers.ts'

export interface ViewsDeps {
  registry: {
    readonly views: readonly LoadedView[]
    findView(name: string): LoadedView | undefined
    find(command: string): LoadedCommand | undefined
  }
  store: Pick<Store, 'computers'>
  log: Log
  runs: ModuleRuns
  /** What the functions of a file are handed, as it is now. */
  contextOf(loaded: LoadedView): Omit<ViewContext, 'rights'>
}

export function createViews(deps: ViewsDeps): ViewsService {
  const { registry, log, runs } = deps
  const asked = new AskedViews(log, runs)
  return {
    list: rights =>
      registry.views
        .filter(loaded => !checkView(rights, loaded))
        .map(loaded => ({ ...describe(loaded, asked.problemOf(loaded)), ...runsOf(loaded, runs) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),

    async ask(name, question, rights) {
      const loaded = registry.findView(name)
      if (!loaded) return refuse(explainUnknown('view', name, registry.views))
      const forbidden = checkView(rights, loaded)
      if (forbidden) return forbidden
      const full = await complete(loaded, question, rights, deps)
      if (isRefusal(full)) return full
      const resolveAction = (action: DeclaredAction) => describeAction(action, registry.find(action.command), rights)
      return asked.ask(loaded, async () =>
        answerOf(loaded.view, { ...deps.contextOf(loaded), rights }, full, resolveAction),
      )
    },
  }
}

const describe = ({ name, pack, view: { view, title, summary } }: LoadedView, problem: string | undefined) => ({
  name,
  pack,
  view,
  title,
  summary,
  state: problem === undefined ? ('ready' as const) : ('failing' as const),
  ...(problem !== undefined && { problem }),
})

const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10

function runsOf({ name }: LoadedView, runs: ModuleRuns) {
  const times = runs.times(name)
  const counts = runs.counts(name)
  return {
    runs: counts.runs,
    failures: counts.failures,
    ...(times && { mean_ms: rounded(times.mean), longest_ms: rounded(times.longest) }),
  }
}

/** Kinds that are asked for some computers, which are those that the caller may see. */
const perClient: readonly string[] = ['computer', 'client-badge']

/** A refusal with 403 when the caller may not see the view, whatever the question is. */
function checkView({ role, isLimited }: Rights, { view }: LoadedView): Refusal | undefined {
  const { access = 'read', scoped } = view
  if (!includesRole(role, access)) return refuse(`expected the role ${access}, got ${role}`, 403)
  if (!isLimited || scoped || perClient.includes(view.view)) return undefined
  return refuse('expected rights for all rooms, got rights for some', 403)
}

/** The question as the view gets it: with no computer that the caller may not see. */
async function complete(
  { view: { view } }: LoadedView,
  question: ViewQuestion,
  rights: Rights,
  { store }: ViewsDeps,
): Promise<FullQuestion | Refusal> {
  const { client: [client = ''] = [], query = '', after = '' } = question
  if (view === 'computer') {
    if (client === '') return refuse('client: expected the address of a computer, got none')
    const outside = checkClients(rights, [client])
    if (outside) return outside
  }
  const times = timesOf(question, Date.now())
  if (isRefusal(times)) return times
  const clients = view === 'client-badge' ? (question.clients ?? (await allClients(store))) : []
  return { client, query, after, ...times, clients: Object.freeze(clients.filter(each => rights.hasClient(each))) }
}

const allClients = async (store: ViewsDeps['store']) => (await store.computers.list()).map(({ ip }) => ip)

/** Undefined when there is no such command that changes something, or when the caller may not use it. */
function describeAction(
  { title, payload, rowKeys = [], form }: DeclaredAction,
  loaded: LoadedCommand | undefined,
  rights: Rights,
): PageAction | undefined {
  if (loaded?.method !== 'POST' || checkCommand(rights, loaded)) return undefined
  const { route, confirm } = loaded.command
  const shown = { title, route, destructive: confirm !== undefined, payload: { ...payload }, row_keys: [...rowKeys] }
  return form ? { ...shown, form } : shown
}
