// Starts the console: asks for what the page needs first while its other scripts, and its style, are still on the way.
import './styles/main.css'
import { getAhead } from './api/request.ts'
import { firstLanguage, pathOfLanguage } from './language/languages.ts'

getAhead('/me')
getAhead(pathOfLanguage(firstLanguage()))
void import('./start.tsx')
