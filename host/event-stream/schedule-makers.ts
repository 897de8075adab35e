// Who made each schedule, kept up to date by events: the event of a removed schedule does not say it.
import type { FleetEvent } from '../system/events.ts'

export class ScheduleMakers {
  readonly #makers: Map<number, string>

  constructor(schedules: readonly { id: number; by: string }[]) {
    this.#makers = new Map(schedules.map(({ id, by }) => [id, by]))
  }

  /** The event of a schedule with its maker; any other event as it is. */
  complete(event: FleetEvent): FleetEvent {
    // First, as most events are of this kind.
    if ('addr' in event || !('schedule' in event)) return event
    const { schedule, maker = this.#makers.get(schedule) } = event
    if (event.type === 'schedule-removed' || maker === undefined) this.#makers.delete(schedule)
    else this.#makers.set(schedule, maker)
    return { ...event, maker }
  }
}
