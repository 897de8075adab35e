// The pages of the console, and the places of the menu: a place is one page, or several as tabs.
import type { ComponentType } from 'preact'
import type { MessageKey } from '../language/translate.ts'
import { type LazyComponent, lazy } from '../parts/lazy.tsx'
import { may } from '../state/session.ts'
import { viewPages } from '../state/views.ts'
import { later } from './page-scripts.ts'
import { RoomsPage } from './rooms/rooms-page.tsx'

export interface Page {
  /** The first part of the address. */
  name: string
  title: MessageKey
  place: PlaceName
  /** Not one of a record, which lists lead to. */
  isTab: boolean
  /** It fills the window: no menu, no header. */
  isBare?: true
  view: ComponentType & Partial<LazyComponent>
}

const placeNames = ['now', 'computers', 'jobs', 'images', 'automation', 'views', 'people', 'setup'] as const
export type PlaceName = (typeof placeNames)[number]

/** The form of the command that was chosen. */
export const CommandDialog = lazy(later, 'CommandDialog')
export const JobDrawer = lazy(later, 'JobDrawer')
export const PeekDrawer = lazy(later, 'PeekDrawer')

export const pages: readonly Page[] = [
  { name: 'overview', title: 'place.now', place: 'now', isTab: true, view: lazy(later, 'OverviewPage') },
  { name: '', title: 'plannedRestores.rooms', place: 'computers', isTab: true, view: RoomsPage },
  { name: 'search', title: 'nav.search', place: 'computers', isTab: true, view: lazy(later, 'SearchPage') },
  { name: 'groups', title: 'nav.groups', place: 'computers', isTab: true, view: lazy(later, 'GroupsPage') },
  { name: 'computer', title: 'nav.computer', place: 'computers', isTab: false, view: lazy(later, 'ComputerPage') },
  {
    name: 'wall',
    title: 'wall.title',
    place: 'computers',
    isTab: false,
    isBare: true,
    view: lazy(later, 'WallPage'),
  },
  { name: 'jobs', title: 'place.jobs', place: 'jobs', isTab: true, view: lazy(later, 'JobsPage') },
  {
    name: 'planned-restores',
    title: 'plannedRestores.planned',
    place: 'jobs',
    isTab: true,
    view: lazy(later, 'PlannedRestoresPage'),
  },
  { name: 'job', title: 'nav.job', place: 'jobs', isTab: false, view: lazy(later, 'JobPage') },
  { name: 'images', title: 'place.images', place: 'images', isTab: true, view: lazy(later, 'ImagesPage') },
  {
    name: 'schedules',
    title: 'group.schedules',
    place: 'automation',
    isTab: true,
    view: lazy(later, 'SchedulesPage'),
  },
  {
    name: 'procedures',
    title: 'procedures.procedures',
    place: 'automation',
    isTab: true,
    view: lazy(later, 'ProceduresPage'),
  },
  { name: 'view', title: 'place.views', place: 'views', isTab: true, view: lazy(later, 'ViewPage') },
  { name: 'users', title: 'settings.users', place: 'people', isTab: true, view: lazy(later, 'UsersPage') },
  { name: 'tokens', title: 'settings.tokens', place: 'people', isTab: true, view: lazy(later, 'TokensPage') },
  { name: 'audit', title: 'settings.audit', place: 'people', isTab: true, view: lazy(later, 'AuditPage') },
  { name: 'account', title: 'settings.account', place: 'people', isTab: false, view: lazy(later, 'AccountPage') },
  { name: 'import', title: 'nav.import', place: 'setup', isTab: true, view: lazy(later, 'ImportPage') },
  { name: 'modules', title: 'nav.modules', place: 'setup', isTab: true, view: lazy(later, 'ModulesPage') },
  { name: 'undo', title: 'undo.title', place: 'setup', isTab: true, view: lazy(later, 'UndoPage') },
  { name: 'backup', title: 'settings.backup', place: 'setup', isTab: true, view: lazy(later, 'BackupPage') },
]

export const pageNamed = (name: string): Page | undefined => pages.find(page => page.name === name)

export const tabsOf = (place: PlaceName): readonly Page[] => pages.filter(page => page.isTab && page.place === place)

const forAdministrators: readonly PlaceName[] = ['people', 'setup']

/** In the order of the menu: what the caller may use. */
export const shownPlaces = (): readonly PlaceName[] =>
  placeNames.filter(place => {
    if (forAdministrators.includes(place)) return may('admin')
    return place !== 'views' || viewPages.value.length > 0
  })
