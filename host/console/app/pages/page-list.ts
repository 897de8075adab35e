// The pages of the console, and the places of the menu: a place is one page, or several as tabs.
import type { ComponentType } from 'preact'
import type { MessageKey } from '../language/translate.ts'
import { may } from '../state/session.ts'
import { viewPages } from '../state/views.ts'
import { ComputerPage } from './computer/computer-page.tsx'
import { GroupsPage } from './groups/groups-page.tsx'
import { ImagesPage } from './images/images-page.tsx'
import { ImportPage } from './import/import-page.tsx'
import { JobPage } from './jobs/job-page.tsx'
import { JobsPage } from './jobs/jobs-page.tsx'
import { ModulesPage } from './modules/modules-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { PlannedRestoresPage } from './planned-restores/planned-restores-page.tsx'
import { ProceduresPage } from './procedures/procedures-page.tsx'
import { RoomsPage } from './rooms/rooms-page.tsx'
import { SchedulesPage } from './schedules/schedules-page.tsx'
import { SearchPage } from './search/search-page.tsx'
import { AccountPage, AuditPage, BackupPage, TokensPage, UsersPage } from './settings/settings-pages.tsx'
import { ViewPage } from './view/view-page.tsx'

export interface Page {
  /** The first part of the address. */
  name: string
  title: MessageKey
  place: PlaceName
  /** Not one of a record, which lists lead to. */
  isTab: boolean
  view: ComponentType
}

const placeNames = ['now', 'computers', 'jobs', 'images', 'automation', 'views', 'people', 'setup'] as const
export type PlaceName = (typeof placeNames)[number]

export const pages: readonly Page[] = [
  { name: 'overview', title: 'place.now', place: 'now', isTab: true, view: OverviewPage },
  { name: '', title: 'nav.rooms', place: 'computers', isTab: true, view: RoomsPage },
  { name: 'search', title: 'nav.search', place: 'computers', isTab: true, view: SearchPage },
  { name: 'groups', title: 'nav.groups', place: 'computers', isTab: true, view: GroupsPage },
  { name: 'computer', title: 'nav.computer', place: 'computers', isTab: false, view: ComputerPage },
  { name: 'jobs', title: 'place.jobs', place: 'jobs', isTab: true, view: JobsPage },
  { name: 'planned-restores', title: 'nav.plannedRestores', place: 'jobs', isTab: true, view: PlannedRestoresPage },
  { name: 'job', title: 'nav.job', place: 'jobs', isTab: false, view: JobPage },
  { name: 'images', title: 'place.images', place: 'images', isTab: true, view: ImagesPage },
  { name: 'schedules', title: 'nav.schedules', place: 'automation', isTab: true, view: SchedulesPage },
  { name: 'procedures', title: 'nav.procedures', place: 'automation', isTab: true, view: ProceduresPage },
  { name: 'view', title: 'place.views', place: 'views', isTab: true, view: ViewPage },
  { name: 'users', title: 'settings.users', place: 'people', isTab: true, view: UsersPage },
  { name: 'tokens', title: 'settings.tokens', place: 'people', isTab: true, view: TokensPage },
  { name: 'audit', title: 'settings.audit', place: 'people', isTab: true, view: AuditPage },
  { name: 'account', title: 'settings.account', place: 'people', isTab: false, view: AccountPage },
  { name: 'import', title: 'nav.import', place: 'setup', isTab: true, view: ImportPage },
  { name: 'modules', title: 'nav.modules', place: 'setup', isTab: true, view: ModulesPage },
  { name: 'backup', title: 'settings.backup', place: 'setup', isTab: true, view: BackupPage },
]

export const tabsOf = (place: PlaceName): readonly Page[] => pages.filter(page => page.isTab && page.place === place)

const forAdministrators: readonly PlaceName[] = ['people', 'setup']

/** In the order of the menu: what the caller may use. */
export const shownPlaces = (): readonly PlaceName[] =>
  placeNames.filter(place => {
    if (forAdministrators.includes(place)) return may('admin')
    return place !== 'views' || viewPages.value.length > 0
  })
