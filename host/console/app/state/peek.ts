// The computer that the drawer of the page shows. Its address is in that of the page: another page has none.
import { computed } from '@preact/signals'
import { viewOf } from './lab.ts'
import { changeDrawer, route } from './route.ts'

/** Undefined when the drawer shows none. */
export const peeked = computed(() => viewOf(route.value.query.get('peek') ?? ''))

/** In place of a job. */
export const peekAt = (ip: string): void => changeDrawer({ peek: ip, job: '' })

export const endPeek = (): void => changeDrawer({ peek: '', job: '' })
