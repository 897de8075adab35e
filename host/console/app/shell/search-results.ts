// Finds rooms, computers, pages, and commands for the selected computers by what was typed.
import { signal } from '@preact/signals'
import type { SearchAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { shownPlaces, tabsOf } from '../pages/page-list.ts'
import { chooseCommand, commands, labelOf } from '../state/commands.ts'
import { type ComputerView, computers, rooms } from '../state/lab.ts'
import { sortedByName } from '../state/room-layout.ts'
import { goTo, linkTo } from '../state/route.ts'
import { openSearch } from '../state/searches.ts'
import { select, selectedComputers } from '../state/selection.ts'
import { viewPages } from '../state/views.ts'

export interface SearchResult {
  kind: 'page' | 'room' | 'computer' | 'command' | 'selection' | 'search'
  name: string
  /** What tells it from others of the same name. */
  note: string
  computer?: ComputerView
  open(): void
}

/** As many as fit without scrolling; a longer word finds fewer. */
const mostResults = 12

/** `isMeant`: those that are looked for, of all that are found. */
export function search(typed: string, isMeant: (result: SearchResult) => boolean = () => true): SearchResult[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const { digits, ips } = withMac.value
  const isMac = digits !== '' && macDigits(typed.trim()) === digits
  const ranked = candidates(words.length === 0)
    .map(result => ({
      result,
      rank: isMac && result.computer && ips.has(result.computer.ip) ? 1 : rankOf(result, words),
    }))
    .filter(({ result, rank }) => rank > 0 && isMeant(result))
  ranked.sort((a, b) => b.rank - a.rank)
  return ranked.slice(0, mostResults).map(({ result }) => result)
}

/** The daemon finds more than the page knows, such as hardware addresses. */
export function everywhere(typed: string): SearchResult[] {
  const text = typed.trim()
  if (text === '') return []
  return [{ kind: 'search', name: t('search.everywhere', { text }), note: '', open: () => openSearch(text) }]
}

/** The computers whose hardware addresses contain the digits that were typed last. */
const withMac = signal<{ digits: string; ips: ReadonlySet<string> }>({ digits: '', ips: new Set() })

/** '' of what is no part of a hardware address. */
const macDigits = (text: string): string =>
  /^([0-9a-f]{2}[:-]?){3,6}$/i.test(text) ? text.replaceAll(/[:-]/g, '').toLowerCase() : ''

/** Reads which computers have it: the page knows no hardware addresses. */
export async function findMac(typed: string): Promise<void> {
  const digits = macDigits(typed.trim())
  if (digits === '' || digits === withMac.peek().digits) return
  withMac.value = { digits, ips: new Set() }
  const { value } = await get<SearchAnswer>(`/search?where=mac:*${digits}*&limit=${mostResults}`)
  if (withMac.peek().digits === digits)
    withMac.value = { digits, ips: new Set(value?.computers.map(({ client }) => client)) }
}

/** Without a word only pages and rooms. */
function candidates(isShort: boolean): SearchResult[] {
  const results: SearchResult[] = shownPlaces()
    .flatMap(place => (place === 'views' ? [] : tabsOf(place)))
    .map(({ name, title }) => ({ kind: 'page', name: t(title), note: '', open: () => goTo(name) }))
  for (const { name, title } of viewPages.peek()) {
    results.push({ kind: 'page', name: title, note: '', open: () => goTo('view', ...name.split('/')) })
  }
  for (const { id, name, centerName } of rooms.peek()) {
    results.push({ kind: 'room', name, note: centerName, open: () => goToRoom(id) })
  }
  if (isShort) return results
  results.push(...selections(), ...commandsForComputers())
  const roomNames = new Map(rooms.peek().map(({ id, name }) => [id, name]))
  for (const computer of sortedByName([...computers.peek().values()])) {
    const { ip, name, room, live } = computer
    const note = [ip, roomNames.get(room), live.peek().user].filter(Boolean).join(' · ')
    results.push({ kind: 'computer', name, note, computer, open: () => goTo('computer', ip) })
  }
  return results
}

function goToRoom(id: number): void {
  location.hash = `${linkTo('')}?room=${id}`
}

/** Each selects computers in the map, where the commands for them are then. */
function selections(): SearchResult[] {
  const choose = (chosen: readonly ComputerView[], open: () => void) => () => {
    select(chosen, 'only')
    open()
  }
  const all = [...computers.peek().values()]
  return [
    { kind: 'selection', name: t('palette.selectAll'), note: '', open: choose(all, () => goTo('')) },
    ...rooms.peek().map(({ id, name, centerName, computers: own }): SearchResult => {
      const open = choose(own, () => goToRoom(id))
      return { kind: 'selection', name: t('rooms.selectRoom', { name }), note: centerName, open }
    }),
  ]
}

/** Each opens its form for the computers that are selected; without a selection, for those of a room. */
function commandsForComputers(): SearchResult[] {
  const selected = selectedComputers()
  const sets =
    selected.length > 0
      ? [{ note: t('palette.forSelected', { n: selected.length }), targets: selected }]
      : rooms.peek().map(({ name, computers }) => ({ note: name, targets: computers }))
  return commands.peek().flatMap(command =>
    sets.map(({ note, targets }): SearchResult => {
      return { kind: 'command', name: labelOf(command), note, open: () => chooseCommand(command.name, targets) }
    }),
  )
}

/** 0 when a word is missing; more for names that are the words or begin with them. */
function rankOf({ name, note }: SearchResult, words: string[]): number {
  const lower = name.toLowerCase()
  const all = `${lower} ${note.toLowerCase()}`
  if (!words.every(word => all.includes(word))) return 0
  const typed = words.join(' ')
  if (lower === typed) return 4
  if (lower.startsWith(typed)) return 3
  return lower.includes(typed) ? 2 : 1
}
