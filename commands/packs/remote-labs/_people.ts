// What log-ins and log-outs mean for reservations.
import { callBroker } from './_calls.ts'
import { changeReservation, endReservation, runs } from './_reservations.ts'
import type { Context, Reservation } from './_schemas.ts'

/** `isLocal`: the person sits at the computer; false where nobody can know. */
export async function login(context: Context, ip: string, user: string, isLocal: boolean): Promise<void> {
  const value = await changeReservation(context, ip, current => {
    const { unseen: _, ...others } = current
    // An agent that connects again reports it again.
    const isKnown = current.user === user && !isLocal
    return isLent(context, current) && !isKnown ? { ...others, user, left: 0 } : undefined
  })
  if (!value) return
  await callBroker(context, value.login, `log-in on ${ip}`)
  if (isLocal && value.release) {
    await callBroker(context, value.release, `local log-in on ${ip}`)
    const when = ({ since }: Reservation) => since === value.since
    await endReservation(context, ip, { why: 'somebody sits at the computer', off: false, when })
  }
}

export async function logout(context: Context, ip: string): Promise<void> {
  const left = context.services.now()
  const value = await changeReservation(context, ip, current => {
    const { user: _, unseen: __, ...others } = current
    return isLent(context, current) ? { ...others, left } : undefined
  })
  await callBroker(context, value?.logout, `log-out on ${ip}`)
}

const isLent = ({ services }: Context, value: Reservation) => value.state === 'reserved' && runs(value, services.now())
