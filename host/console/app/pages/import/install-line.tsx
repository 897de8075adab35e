// The lines that install the agent on a computer, with the address of this server.
import type { PendingListAnswer } from '../../../../contract/answers.ts'
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'

/** At the server itself this page has an address that leads other computers to themselves: the daemon knows another one. */
const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)

export function InstallLine() {
  return (
    <details class="card">
      <summary>{t('import.install')}</summary>
      {isLoopback ? <LineOfServer /> : <Line url={new URL(urlOf('/agent/install.sh'), location.href).href} />}
    </details>
  )
}

function LineOfServer() {
  const pending = useResource<PendingListAnswer>('/pending')
  return (
    <ResourceView resource={pending}>
      {({ install_url: url }) =>
        url === undefined ? <p class="hint">{t('import.installClosed')}</p> : <Line url={url} />
      }
    </ResourceView>
  )
}

/** `url`: that of the script for Linux. */
function Line({ url }: { url: string }) {
  return (
    <>
      <p>{t('import.installText')}</p>
      <Copyable text={`curl -fsS ${url} | sudo sh`} label={`${t('import.installLine')}: Linux`} />
      <p>{t('import.installWindows')}</p>
      <Copyable text={`irm ${new URL('install.ps1', url).href} | iex`} label={`${t('import.installLine')}: Windows`} />
      <p class="hint">{t('import.installNext')}</p>
    </>
  )
}
