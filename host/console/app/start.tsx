// Shows the console in the page.
import { render } from 'preact'
import { loadLanguage, t } from './language/translate.ts'
import { pageNamed } from './pages/page-list.ts'
import { App } from './shell/app.tsx'
import { followPresses } from './state/key-presses.ts'
import { notify } from './state/notices.ts'
import { wasReloaded } from './state/reload.ts'
import { route, setPageLoader } from './state/route.ts'
import { resumeSession } from './state/session.ts'

const loadPage = (name: string) => pageNamed(name)?.view.load?.()

async function start(): Promise<void> {
  followPresses()
  setPageLoader(loadPage)
  const session = resumeSession()
  void loadPage(route.peek().page)
  await loadLanguage()
  const root = document.getElementById('app')
  if (root) render(<App />, root)
  if (wasReloaded) notify('info', t('frame.reloaded'))
  await session
}

void start()
