// Creates the repository of this server, and what jobs need to know of images.
import type { Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { openRepository } from './image-folder.ts'
import { createImagingWatch } from './imaging-watch.ts'
import { PartProgressList } from './part-progress.ts'
import { RepositorySlots } from './repository-slots.ts'

interface ImagingDeps {
  options: Options
  store: Store
  events: Events
  log: Log
}

export type Imaging = ReturnType<typeof createImaging>

/** `sessions`: of the clients of this host. */
export function createImaging({ options, store, events, log }: ImagingDeps, sessions: { has(addr: string): boolean }) {
  const repository = openRepository(options.repository.directory, serverAddress(options))
  return {
    repository,
    watchImaging: createImagingWatch({ store, events, log, options: options.images.log }),
    progress: new PartProgressList(events),
    slots: new RepositorySlots({ store, repository, events, log }),
    isLoggedIn: (addr: string) => sessions.has(addr),
  }
}
