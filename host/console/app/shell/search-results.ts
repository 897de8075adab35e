// Finds rooms, computers, pages, and commands for the selected computers by what was typed.
import { t } from '../language/translate.ts'
import { shownPlaces, tabsOf } from '../pages/page-list.ts'
import { chooseCommand, commands, labelOf } from '../state/commands.ts'
import { searchElsewhere } from '../state/found-elsewhere.ts'
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

/** What was typed in the header or the palette. */
export const elsewhere = searchElsewhere()

const isElsewhere = ({ computer }: SearchResult, typed: string) => computer && elsewhere.has(computer.ip, typed)

/** `isMeant`: those that are looked for, of all that are found. */
export function search(typed: string, isMeant: (result: SearchResult) => boolean = () => true): SearchResult[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = candidates(words.length === 0).map(result => ({
    result,
    rank: Math.max(rankOf(result, words), isElsewhere(result, typed) ? ranks.scattered : ranks.none),
  }))
  const isExact = ranked.some(({ rank }) => rank === ranks.exact)
  return ranked
    .filter(({ result, rank }) => rank > (isExact ? ranks.scattered : ranks.none) && isMeant(result))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, mostResults)
    .map(({ result }) => result)
}

/** The daemon finds more than the page knows, such as programs. */
export function everywhere(typed: string): SearchResult[] {
  const text = typed.trim()
  if (text === '') return []
  return [{ kind: 'search', name: t('search.everywhere', { text }), note: '', open: () => openSearch(text) }]
}

/** Without a word only pages and rooms. */
function candidates(isShort: boolean): SearchResult[] {
  const results: SearchResult[] = shownPlaces()
    .flatMap(place => (place === 'views' ? [] : tabsOf(place)))
    .map(({ name, title }) => ({ kind: 'page', name: t(title), note: '', open: () => goTo(name) }))
  for (const { name, title } of viewPages.value) {
    results.push({ kind: 'page', name: title, note: '', open: () => goTo('view', ...name.split('/')) })
  }
  for (const { id, name, centerName } of rooms.value) {
    results.push({ kind: 'room', name, note: centerName, open: () => goToRoom(id) })
  }
  if (isShort) return results
  results.push(...selections(), ...commandsForComputers())
  const roomNames = new Map(rooms.value.map(({ id, name }) => [id, name]))
  for (const computer of sortedByName([...computers.value.values()])) {
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
    select(chosen, 'add')
    open()
  }
  const all = [...computers.value.values()]
  return [
    { kind: 'selection', name: t('palette.selectAll'), note: '', open: choose(all, () => goTo('')) },
    ...rooms.value.map(({ id, name, centerName, computers: own }): SearchResult => {
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
      : rooms.value.map(({ name, computers }) => ({ note: name, targets: computers }))
  return commands.value.flatMap(command =>
    sets.map(({ note, targets }): SearchResult => {
      return { kind: 'command', name: labelOf(command), note, open: () => chooseCommand(command.name, targets) }
    }),
  )
}

const ranks = { none: 0, scattered: 1, part: 2, begin: 3, word: 4, exact: 5 }

/** `lab-r01` as ` lab r01 `: what is in it between spaces is a whole word. */
const spaced = (text: string) => ` ${text.split(/[^\p{L}\d]+/u).join(' ')} `

/** `room 1` is a whole word of `Select Room 1`, the beginning of `Room 10`, and scattered in `Room 2` with an address. */
function rankOf({ name, note }: SearchResult, words: string[]): number {
  const lower = name.toLowerCase()
  const all = `${lower} ${note.toLowerCase()}`
  if (!words.every(word => all.includes(word))) return ranks.none
  const typed = words.join(' ')
  if (lower === typed) return ranks.exact
  if (spaced(lower).includes(spaced(typed))) return ranks.word
  if (lower.startsWith(typed)) return ranks.begin
  return lower.includes(typed) || spaced(all).includes(spaced(typed)) ? ranks.part : ranks.scattered
}
