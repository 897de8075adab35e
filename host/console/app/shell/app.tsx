// The page: the login for callers without a session, else the frame with the page that the address names.
import { pageNamed } from '../pages/page-list.ts'
import { isWall } from '../state/route.ts'
import { me } from '../state/session.ts'
import { Frame } from './frame.tsx'
import { Login } from './login.tsx'
import { Notices } from './notice-list.tsx'

const Wall = () => {
  const Page = pageNamed('wall')?.view
  return Page ? <Page /> : null
}

export function App() {
  const caller = me.value
  if (caller === undefined) return null
  return (
    <>
      {caller === null ? <Login /> : isWall() ? <Wall /> : <Frame caller={caller} />}
      <Notices />
    </>
  )
}
