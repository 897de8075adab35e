// The page: the login for callers without a session, else the frame with the page that the address names.
import { me } from '../state/session.ts'
import { Frame } from './frame.tsx'
import { Login } from './login.tsx'
import { Notices } from './notice-list.tsx'

export function App() {
  const caller = me.value
  if (caller === undefined) return null
  return (
    <>
      {caller === null ? <Login /> : <Frame caller={caller} />}
      <Notices />
    </>
  )
}
