// Starts the console: asks for what the page needs first while its other scripts, and its style, are still on the way.
import './styles/main.css'
import { labLists } from './api/lab-lists.ts'
import { getAhead } from './api/request.ts'
import { firstLanguage, pathOfLanguage } from './language/languages.ts'
import { hasLogin } from './state/provider-return.ts'

// A link that logs in, or what a provider has sent along, is used before it is asked who does.
if (!location.hash.startsWith('#login=') && !hasLogin(location.search)) {
  // Not before its answer: that has the event from which on the lists are followed.
  void getAhead('/me').then(({ ok }) => ok && labLists.map(getAhead))
}
getAhead(pathOfLanguage(firstLanguage()))
void import('./start.tsx')
