// One host of a fleet: its membership, what it publishes, and what it reads of the others.
import type { ClusterEvent, ClusterStore, EndedMember, EndedParts } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { withTimeout } from '../system/timeout.ts'
import type { Cluster } from './cluster.ts'
import { eventsOfLeaving, Feed, FeedReader, mustRelay, toFeedEvent } from './feed.ts'
import { Follower, keptEvents } from './follower.ts'
import { ListenerSet } from './listener-set.ts'
import { Membership } from './membership.ts'
import { Presence } from './presence.ts'
import { Publisher } from './publisher.ts'
import { RemoteAgents } from './remote-agents.ts'

interface ClusterHostDeps {
  store: ClusterStore
  log: Log
  events: Events
  name: string
  url: string
  version: string
  /** Milliseconds. */
  lease: number
  modules(): Record<string, string>
}

export interface StartClusterDeps {
  /** Emits the events of parts that the store has ended because their host was gone. */
  emitEnded(ended: EndedParts[]): void
}

/** The time that a host takes at most to publish its last events. */
const closeMilliseconds = 2000

export class ClusterHost {
  readonly cluster: Cluster
  readonly #deps: ClusterHostDeps
  readonly #remote: RemoteAgents
  readonly #presence: Presence
  readonly #membership: Membership
  readonly #feed: Feed
  readonly #reader: FeedReader
  readonly #publisher: Publisher
  readonly #follower: Follower
  readonly #membersListeners: ListenerSet
  readonly #workListeners: ListenerSet
  #isLive = false
  #started: StartClusterDeps | undefined
  /** What was ended before `start`. */
  readonly #ended: EndedParts[] = []
  /** Clients that are connected to this host. */
  readonly #connected = new Set<string>()

  constructor(deps: ClusterHostDeps) {
    const { store, log, events } = deps
    const { publications } = store
    this.#deps = deps
    this.#membersListeners = new ListenerSet(log, 'members')
    this.#workListeners = new ListenerSet(log, 'work')
    this.#feed = new Feed(log, deps.name)
    const remote = new RemoteAgents(log)
    this.#remote = remote
    events.on(event => this.#countConnection(event), ['client-connected', 'client-gone'])
    this.#presence = new Presence({ events, remote, onDirty: () => this.#publisher.noticePresence() })
    this.#membership = new Membership({
      ...deps,
      members: store.members,
      onChange: () => this.#onMembersChange(),
      onRejoined: ended => this.#onRejoined(ended),
      onRemoved: (host, ended) => this.#onRemoved(host, ended),
    })
    const membership = this.#membership
    this.#reader = new FeedReader({ name: deps.name, publications, remote, onEvent: event => this.#onEvent(event) })
    this.#publisher = new Publisher({
      publications,
      presence: this.#presence,
      events,
      log,
      key: () => membership.key(),
      rejoin: () => membership.rejoin(),
      readAll: () => this.#reader.readAll(),
      isDatabaseAway: () => membership.isFailing,
    })
    this.#follower = new Follower({
      store,
      log,
      name: deps.name,
      membership,
      reader: this.#reader,
      presence: this.#presence,
      workListeners: this.#workListeners,
    })
    this.cluster = {
      key: () => membership.key(),
      isMember: () => membership.isMember(),
      isLeader: () => membership.isLeader(),
      members: () => membership.members(),
      remote,
      presence: this.#presence,
      outputs: publications,
      feed: this.#feed,
      work: store.work,
      lostParts: async () => [],
      onMembersChange: listener => this.#membersListeners.add(listener),
      onWork: listener => this.#workListeners.add(listener),
    }
  }

  /** Becomes a member and reads what there is. */
  async join(): Promise<void> {
    const { name, log } = this.#deps
    const before = await this.#membership.join()
    if (before.wasMember) this.#publisher.addGap()
    this.#publisher.add({ type: 'host-joined', host: name })
    this.#publishEnd(before)
    if (!(await this.#publisher.flush())) throw new Error('cluster: the first event of this host was not stored')
    await this.#membership.refresh()
    await this.#reader.start(keptEvents)
    this.#isLive = true
    const others = this.#membership.members().flatMap(host => (host.name === name ? [] : host.name))
    log.info('cluster', `host ${name} is a member${others.length === 0 ? '' : `, as ${others.join(', ')}`}`)
  }

  start(deps: StartClusterDeps): void {
    this.#started = deps
    this.#emitEnded(this.#ended.splice(0))
    this.#follower.start()
  }

  async synchronize(): Promise<void> {
    await this.#publishAll()
    await this.#reader.readAll()
  }

  async close(): Promise<void> {
    const { log, store } = this.#deps
    this.#stop()
    await withTimeout(this.#publishAll(), closeMilliseconds, 'no response').catch(error =>
      log.error('cluster', 'the last events of this host were not published', error),
    )
    await this.#leave()
    await store.close()
  }

  /** Gives up a start that has failed. */
  async abandon(): Promise<void> {
    this.#stop()
    if (this.#membership.isMember()) await this.#leave()
    this.#membership.stop()
    await this.#deps.store.close()
  }

  #leave(): Promise<void> {
    return this.#membership.leave('daemon stopped', ended => eventsOfLeaving(this.#deps.name, ended))
  }

  #stop(): void {
    this.#follower.close()
    this.#publisher.close()
  }

  async #publishAll(): Promise<void> {
    while (this.#publisher.hasWork && (await this.#publisher.flush()));
  }

  #onEvent(stored: ClusterEvent): void {
    const event = toFeedEvent(stored)
    if (!this.#isLive) return this.#feed.preload(event)
    if (event.host === this.#deps.name) this.#publisher.noteLocal(event)
    else if (mustRelay(event)) this.#deps.events.relay(event.event)
    this.#feed.emit(event)
  }

  #onMembersChange(): void {
    this.#remote.setMembers(this.#membership.members(), this.#deps.name)
    this.#membersListeners.call()
  }

  #onRejoined(ended: EndedMember): void {
    this.#presence.announceAll()
    this.#publisher.add({ type: 'host-joined', host: this.#deps.name })
    // Others have published that they are gone.
    this.#publisher.introduceAll()
    this.#publishEnd(ended)
    this.#workListeners.call()
  }

  #onRemoved(host: string, ended: EndedMember): void {
    // It may have changed records or accounts without having published that.
    this.#publisher.addGap()
    this.#publisher.add({ type: 'host-gone', host })
    this.#publishEnd(ended)
  }

  #publishEnd({ agents, ended }: EndedMember): void {
    for (const addr of agents) {
      // Others have connected again, which may not be published yet.
      const isHeld = this.#remote.has(addr) || this.#connected.has(addr)
      if (!isHeld) this.#publisher.add({ type: 'client-gone', addr })
    }
    this.#emitEnded(ended)
  }

  #countConnection(event: FleetEvent): void {
    if (event.type === 'client-connected') this.#connected.add(event.addr)
    if (event.type === 'client-gone') this.#connected.delete(event.addr)
  }

  #emitEnded(ended: EndedParts[]): void {
    if (this.#started) this.#started.emitEnded(ended)
    else this.#ended.push(...ended)
  }
}
