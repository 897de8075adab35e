// The clients of other hosts: which connection of an address counts, and what happens when hosts come and go.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { RemoteAgents } from '../../host/cluster/remote-agents.ts'
import { createLog } from '../../host/log/log.ts'
import { memberOf as member, rowOf as row } from '../harness/host-agents.ts'

const lines: string[] = []
const log = createLog(line => void lines.push(line))
const all = [member('a', 1), member('b', 2), member('c', 3)]

/** Of host a. */
function createMirror() {
  const remote = new RemoteAgents(log)
  const held: [addr: string, host: string | undefined][] = []
  const replaced: string[] = []
  const count = { changes: 0 }
  remote.onMove((addr, client) => held.push([addr, client?.host]))
  remote.onReplaced(addr => {
    replaced.push(addr)
    remote.setLocal(addr, undefined)
  })
  remote.onChange(() => {
    count.changes += 1
  })
  remote.setMembers(all, 'a')
  const listed = () => remote.list().map(({ addr, host }) => `${addr} ${host}`)
  return { remote, held, replaced, count, listed }
}

const test = suite('clients of other hosts')

test('they are listed with the latest connection first, those of this host are not', () => {
  const { remote, listed } = createMirror()
  remote.apply([row('10.0.0.1', 5), row('10.0.0.2', 9, 'c'), row('10.0.0.3', 7), row('10.0.0.4', 8, 'a')])
  equal(listed(), ['10.0.0.2 c', '10.0.0.3 b', '10.0.0.1 b'])
  is(remote.find('10.0.0.3')?.connected, 7)
  is(remote.has('10.0.0.4'), false)
})

test('the list is the same until something in it changes, which is reported once for many rows', () => {
  const { remote, count } = createMirror()
  remote.apply([row('10.0.0.1', 5), row('10.0.0.2', 6)])
  const list = remote.list()
  is(count.changes, 1)
  remote.apply([])
  remote.setMembers(all, 'a')
  is(remote.list(), list)
  remote.apply([row('10.0.0.1', 5, 'b', { state: 'BSY' })])
  equal([count.changes, remote.find('10.0.0.1')?.state], [2, 'BSY'])
})

test('of several connections of an address the newest one counts, until its host reports it as gone', () => {
  const { remote, listed, held } = createMirror()
  remote.apply([row('10.0.0.1', 5), row('10.0.0.1', 6, 'c')])
  equal(listed(), ['10.0.0.1 c'])
  remote.apply([row('10.0.0.1', 5, 'b', { state: 'BSY' })])
  equal(listed(), ['10.0.0.1 c'])
  remote.apply([row('10.0.0.1', 6, 'c', { gone: true })])
  equal(listed(), ['10.0.0.1 b'])
  remote.apply([row('10.0.0.1', 5, 'b', { gone: true })])
  equal(held, [
    ['10.0.0.1', 'b'],
    ['10.0.0.1', undefined],
  ])
})

test('rows of hosts that are no members, and of their earlier epochs, are left out', () => {
  const { remote, listed, held } = createMirror()
  remote.apply([row('10.0.0.1', 5), row('10.0.0.2', 6, 'c')])
  remote.setMembers([member('a', 1), member('c', 3)], 'a')
  equal(listed(), ['10.0.0.2 c'])
  equal(held.at(-1), ['10.0.0.1', undefined])
  // Read late, when its host has been removed already.
  remote.apply([row('10.0.0.3', 7)])
  remote.setMembers([member('a', 1), member('b', 4), member('c', 3)], 'a')
  equal(listed(), ['10.0.0.2 c'])
  remote.apply([row('10.0.0.1', 5, 'b', { epoch: 4 })])
  equal(listed(), ['10.0.0.2 c', '10.0.0.1 b'])
})

test('agents of a host that joined after the members were read are listed as soon as it is known', () => {
  const { remote, listed } = createMirror()
  remote.apply([row('10.0.0.1', 5, 'd', { epoch: 9 })])
  equal(listed(), [])
  remote.setMembers([...all, member('d', 9)], 'a')
  equal(listed(), ['10.0.0.1 d'])
})

test('a connection to this host that has no number yet is the newest one', () => {
  const { remote, listed, replaced, held } = createMirror()
  remote.apply([row('10.0.0.1', 5)])
  remote.setLocal('10.0.0.1', Number.POSITIVE_INFINITY)
  remote.apply([row('10.0.0.1', 5, 'b', { state: 'BSY' })])
  equal([listed(), replaced], [[], []])
  remote.setLocal('10.0.0.1', 6)
  equal(listed(), [])
  remote.setLocal('10.0.0.1', undefined)
  equal(listed(), ['10.0.0.1 b'])
  equal(held, [
    ['10.0.0.1', 'b'],
    ['10.0.0.1', undefined],
    ['10.0.0.1', 'b'],
  ])
})

test('the connection to this host is replaced by a newer one to another host, also when that was read before', () => {
  const { remote, listed, replaced } = createMirror()
  remote.setLocal('10.0.0.1', 4)
  remote.apply([row('10.0.0.1', 5)])
  equal([replaced, listed()], [['10.0.0.1'], ['10.0.0.1 b']])
  remote.setLocal('10.0.0.2', Number.POSITIVE_INFINITY)
  remote.apply([row('10.0.0.2', 9, 'c')])
  is(replaced.length, 1)
  remote.setLocal('10.0.0.2', 8)
  equal(
    [replaced, listed()],
    [
      ['10.0.0.1', '10.0.0.2'],
      ['10.0.0.2 c', '10.0.0.1 b'],
    ],
  )
})

test('a client is held elsewhere when everybody knows that its connection to this host is closed', () => {
  const remote = new RemoteAgents(log)
  const calls: string[] = []
  remote.setMembers(all, 'a')
  remote.onReplaced(addr => {
    remote.setLocal(addr, undefined)
    calls.push('closed')
  })
  remote.onMove(() => calls.push('held'))
  remote.setLocal('10.0.0.1', 4)
  remote.apply([row('10.0.0.1', 5)])
  equal(calls, ['closed', 'held'])
})

test('a listener that fails keeps nobody from following the other hosts', () => {
  const { remote, held, listed } = createMirror()
  remote.onMove(() => {
    throw new Error('broken')
  })
  remote.onReplaced(() => {
    throw new Error('broken')
  })
  remote.setLocal('10.0.0.1', 4)
  remote.apply([row('10.0.0.1', 5), row('10.0.0.2', 6)])
  equal([listed(), held.length], [['10.0.0.2 b', '10.0.0.1 b'], 2])
  is(lines.filter(line => line.includes('a listener of')).length, 3)
})

test('when everything is read again, clients that are still there do not leave the list meanwhile', () => {
  const { remote, listed, held } = createMirror()
  remote.apply([row('10.0.0.1', 5), row('10.0.0.2', 6)])
  remote.clear()
  is(remote.list().length, 2)
  remote.apply([row('10.0.0.2', 6)])
  equal(listed(), ['10.0.0.2 b'])
  equal(held.slice(2), [['10.0.0.1', undefined]])
})

test.run()
