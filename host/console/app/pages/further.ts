// The pages that are used less often, in one script.
export { ImportPage } from './import/import-page.tsx'
export { ModulesPage } from './modules/modules-page.tsx'
export { ProceduresPage } from './procedures/procedures-page.tsx'
export { SchedulesPage } from './schedules/schedules-page.tsx'
export { AccountPage, AuditPage, BackupPage, TokensPage, UsersPage } from './settings/settings-pages.tsx'
export { UndoPage } from './undo/undo-page.tsx'
export { ViewPage } from './view/view-page.tsx'
export { WallPage } from './wall/wall-page.tsx'
