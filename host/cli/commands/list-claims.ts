// `fleet user claims` lists what the provider said of those who logged in by it, for who writes `oidc.rules`.
import { onOneLine } from '../terminal/terminal.ts'
import { formatLocalTime } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

export const listClaims = read({
  command: 'claims',
  description: 'list the claims of the last logins by the provider, the newest first, and the rule that matched',
  read: 'GET /login/claims',
  format: ({ logins }) =>
    logins
      .flatMap(({ time, rule, reason = `rule ${rule}`, claims = {} }) => [
        `${formatLocalTime(time)}  ${reason}`,
        ...Object.entries(claims).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
      ])
      .map(onOneLine)
      .join('\n') || 'nobody has logged in by a provider since the daemon started',
})
