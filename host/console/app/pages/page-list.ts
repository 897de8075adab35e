// The pages of the console, in the order of the navigation.
import type { ComponentType } from 'preact'
import type { MessageKey } from '../language/translate.ts'
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
import { SettingsPage } from './settings/settings-page.tsx'
import { ViewPage } from './view/view-page.tsx'

export interface Page {
  /** The first part of the address. */
  name: string
  title: MessageKey
  isInMenu: boolean
  view: ComponentType
}

export const pages: readonly Page[] = [
  { name: '', title: 'nav.rooms', isInMenu: true, view: RoomsPage },
  { name: 'overview', title: 'nav.overview', isInMenu: true, view: OverviewPage },
  { name: 'jobs', title: 'nav.jobs', isInMenu: true, view: JobsPage },
  { name: 'job', title: 'nav.job', isInMenu: false, view: JobPage },
  { name: 'computer', title: 'nav.computer', isInMenu: false, view: ComputerPage },
  { name: 'images', title: 'nav.images', isInMenu: true, view: ImagesPage },
  { name: 'planned-restores', title: 'nav.plannedRestores', isInMenu: true, view: PlannedRestoresPage },
  { name: 'procedures', title: 'nav.procedures', isInMenu: true, view: ProceduresPage },
  { name: 'schedules', title: 'nav.schedules', isInMenu: true, view: SchedulesPage },
  { name: 'import', title: 'nav.import', isInMenu: true, view: ImportPage },
  { name: 'modules', title: 'nav.modules', isInMenu: true, view: ModulesPage },
  { name: 'search', title: 'nav.search', isInMenu: false, view: SearchPage },
  { name: 'groups', title: 'nav.groups', isInMenu: false, view: GroupsPage },
  { name: 'view', title: 'nav.views', isInMenu: false, view: ViewPage },
  { name: 'settings', title: 'nav.settings', isInMenu: true, view: SettingsPage },
]
