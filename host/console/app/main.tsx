// Starts the console in the page.
import { render } from 'preact'
import './styles/main.css'
import { loadLanguage } from './language/translate.ts'
import { App } from './shell/app.tsx'
import { followPresses } from './state/key-presses.ts'
import { resumeSession } from './state/session.ts'

async function start(): Promise<void> {
  followPresses()
  await loadLanguage()
  const root = document.getElementById('app')
  if (root) render(<App />, root)
  await resumeSession()
}

void start()
