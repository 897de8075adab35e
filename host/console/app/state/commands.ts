// The commands for computers that the daemon has in service: a module of the site appears when its file is saved.
import { computed, signal } from '@preact/signals'
import type { ListedJob } from '../../../contract/answers.ts'
import type { ApiDocument } from '../../../contract/api-document.ts'
import { type CommandInfo, commandsOf } from '../api/api-document.ts'
import { get } from '../api/request.ts'
import { operationWords } from '../language/operation-words.ts'
import { tryTranslate } from '../language/translate.ts'
import { onEvents, onMissingEvents, readAgain } from './events.ts'
import type { ComputerView } from './lab.ts'
import { may } from './session.ts'

const all = signal<readonly CommandInfo[]>([])

/** Why they could not be read, '' when they could. */
export const commandsProblem = signal('')

/** Those that the caller may use, by group in the sequence of the API reference. */
export const commands = computed(() => all.value.filter(({ access }) => isAllowed(access)))

const isAllowed = (access: string) => (access === 'admin' || access === 'operate' ? may(access) : true)

export const commandOf = (name: string): CommandInfo | undefined => all.value.find(each => each.name === name)

/** The console's own words for the commands that it knows, else the summary of the module. */
export const labelOf = ({ name, summary }: Pick<CommandInfo, 'name' | 'summary'>): string =>
  operationWords(name, tryTranslate) ?? summary

/** Of a command as jobs name it, which may be out of service. */
export const labelOfName = (name: string): string => labelOf({ name, summary: commandOf(name)?.summary ?? name })

const restore = 'image-restore'

/** Of a job: planned restores are named after their images only. */
export const titleOf = ({ name, commands }: Pick<ListedJob, 'name' | 'commands'>): string =>
  name !== restore && commands.includes(restore) ? `${labelOfName(restore)}: ${name}` : labelOfName(name)

/** By path: the POST operations of the API with their names and summaries. */
export const operations = signal<ReadonlyMap<string, { operationId: string; summary: string }>>(new Map())

/** What a route of the audit log does, in words: `Add a room`; the route when it is unknown. */
export function labelOfRoute(route: string): string {
  const operation = operations.value.get(route.replace('POST ', ''))
  return operation ? labelOf({ name: operation.operationId, summary: operation.summary }) : route
}

export const groupLabel = (group: string): string =>
  tryTranslate(`group.${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`) ?? group

/** A command that the user is about to send: exactly to these computers, whatever is selected later. */
export interface CommandChoice {
  command: CommandInfo
  targets: readonly ComputerView[]
  /** What its fields begin with. */
  first?: Readonly<Record<string, string>>
}

/** The dialog of the frame shows its form. */
export const choice = signal<CommandChoice | undefined>(undefined)

/** Opens the form of the command; `name` as in the jobs. */
export function chooseCommand(name: string, targets: readonly ComputerView[]): void {
  const command = commands.peek().find(each => each.name === name)
  if (command && targets.length > 0) choice.value = { command, targets }
}

/** Milliseconds in which changes of modules are gathered. */
const gatherTime = 150
let timer: ReturnType<typeof setTimeout> | undefined
let newest = 0

async function read(): Promise<void> {
  timer = undefined
  newest += 1
  const number = newest
  const { ok, status, value, reason } = await get<ApiDocument>('/openapi.json')
  if (number !== newest) return
  if (status === 0) readAgain(readLater)
  commandsProblem.value = ok ? '' : reason
  if (!value) return
  all.value = inGroups(commandsOf(value), value.tags?.map(({ name }) => name) ?? [])
  operations.value = new Map(Object.entries(value.paths).flatMap(([path, { post }]) => (post ? [[path, post]] : [])))
}

const inGroups = (infos: CommandInfo[], groups: string[]) =>
  infos.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || (a.summary < b.summary ? -1 : 1))

function readLater(): void {
  if (timer === undefined) timer = setTimeout(() => void read(), gatherTime)
}

onMissingEvents(readLater)
onEvents(({ type }) => {
  if (type === 'modules-changed') readLater()
})
