// The page: the login for callers without a session, the frame with the page that the address names for others.
import type { CallerAnswer } from '../../../contract/answers.ts'
import { pageNamed } from '../pages/page-list.ts'
import { route } from '../state/route.ts'
import { loginNote, me } from '../state/session.ts'
import { Frame } from './frame.tsx'
import { Login } from './login.tsx'
import { Notices } from './notice-list.tsx'

/** Who has used the page last: what is open stays, out of sight, until the same user has logged in again. */
let last: CallerAnswer | undefined

export function App() {
  const caller = me.value
  if (caller === undefined) return null
  last = caller ?? (loginNote.value === 'ended' ? last : undefined)
  const page = pageNamed(route.value.page)
  return (
    <>
      {caller === null && <Login />}
      {last && (page?.isBare ? caller && <page.view /> : <Frame caller={last} />)}
      <Notices />
    </>
  )
}
