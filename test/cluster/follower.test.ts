// What a host does when another one notifies it.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { FeedReader } from '../../host/cluster/feed.ts'
import { Follower } from '../../host/cluster/follower.ts'
import type { ListenerSet } from '../../host/cluster/listener-set.ts'
import type { Membership } from '../../host/cluster/membership.ts'
import { createLog } from '../../host/log/log.ts'
import type { Notice, Notifications } from '../../stores/store.ts'

// `as`: a follower uses nothing else in its first second.
const partOf = <Type>(part: Partial<Type>) => part as Type

/** A follower of host `a`, and what it has called since its first tick. */
function startFollower() {
  const calls: string[] = []
  let onNotice: Parameters<Notifications['listen']>[0]['onNotice'] = () => {}
  const follower = new Follower({
    store: {
      notifications: {
        listen(handlers) {
          onNotice = handlers.onNotice
        },
      },
      publications: partOf({}),
    },
    log: createLog(() => {}),
    name: 'a',
    membership: partOf<Membership>({ refresh: async () => void calls.push('hosts') }),
    reader: partOf<FeedReader>({ readAll: async () => void calls.push('published') }),
    presence: { announceAll() {} },
    workListeners: partOf<ListenerSet>({ call: () => void calls.push('work') }),
  })
  follower.start()
  calls.length = 0
  return { follower, calls, notify: (notice: Notice) => onNotice(notice) }
}

const test = suite('follower')

test('a notice is answered at once by what it is about; one for the work of another host is not', () => {
  const { follower, calls, notify } = startFollower()
  notify({ type: 'work', host: 'b' })
  equal(calls, [])
  notify({ type: 'work', host: 'a' })
  notify({ type: 'published' })
  notify({ type: 'hosts' })
  follower.close()
  equal(calls, ['work', 'published', 'hosts'])
})

test.run()
