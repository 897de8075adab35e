// A site whose hooks log the events that they get.
import { pollUntil } from './poll.ts'
import { startSite } from './site-folder.ts'

export type Site = Awaited<ReturnType<typeof startSite>>

/** `body` comes first. */
export const hook = (on: string, body = '') => `
export default {
  summary: 'Log events',
  on: ['${on}'],
  run({ events, services }) {
    ${body}
    services.log.info('got ' + events.map(({ type, clients = [] }) => type + ' ' + clients).join(', '))
  },
}
`

export const emit = ({ lab }: Site, addr: string) => lab.host.events.emit({ type: 'client-ready', addr })

/** Stops the host and starts it again with the same data and commands; `meanwhile` is done between. */
export async function restart({ lab, folder }: Pick<Site, 'lab' | 'folder'>, meanwhile = () => {}): Promise<Site> {
  await lab.stop('keep')
  meanwhile()
  return startSite({ commands: [folder], store: { path: './data' } }, { folder: lab.folder })
}

export const statesOf = async ({ lab }: Site): Promise<string[]> =>
  (await lab.call('GET /hooks')).json.hooks.map(({ state }: { state: string }) => state)

/** As it is when the hook is known to the store: then nothing is missed. */
export const opened = (site: Site) => pollUntil(async () => (await statesOf(site)).includes('waiting'))
