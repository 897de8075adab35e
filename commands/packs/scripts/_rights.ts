// Who may write scripts, and who may run one.
import type { Rights } from 'fleet-host'
import type { Script, Settings } from './_script-schemas.ts'

type Asking = Pick<Rights, 'name' | 'role'>

export const mayWrite = ({ name, role }: Asking, { editors }: Settings): boolean =>
  role === 'admin' || editors.includes(name)

export const mayRun = ({ name, role }: Asking, { runners }: Pick<Script, 'runners'>): boolean =>
  runners.length === 0 || role === 'admin' || runners.includes(name)
