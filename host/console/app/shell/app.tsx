// The page: the login for callers without a session, else the frame with the page that the address names.
import { pageNamed } from '../pages/page-list.ts'
import { route } from '../state/route.ts'
import { me } from '../state/session.ts'
import { Frame } from './frame.tsx'
import { Login } from './login.tsx'
import { Notices } from './notice-list.tsx'

export function App() {
  const caller = me.value
  if (caller === undefined) return null
  const page = pageNamed(route.value.page)
  return (
    <>
      {caller === null ? <Login /> : page?.isBare ? <page.view /> : <Frame caller={caller} />}
      <Notices />
    </>
  )
}
