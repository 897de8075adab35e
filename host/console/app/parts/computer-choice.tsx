// Chooses computers: all of a center, all of a room, or some from a list.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { centers, type RoomView, rooms } from '../state/lab.ts'

export type ComputerSet = { type: 'center' | 'room'; id: number } | { type: 'list'; clients: readonly string[] }

/** The addresses that it has now. */
export function addressesIn(set: ComputerSet): string[] {
  if (set.type === 'list') return [...set.clients]
  const isInside = ({ id, center }: RoomView) => (set.type === 'room' ? id : center) === set.id
  return rooms.value.filter(isInside).flatMap(({ computers }) => computers.map(({ ip }) => ip))
}

/** The choice in a new form; rooms may still be loading. */
export const firstRoom = (): ComputerSet => ({ type: 'room', id: rooms.value[0]?.id ?? 0 })

export interface ComputerChoiceProps {
  value: ComputerSet
  onChange(value: ComputerSet): void
}

export function ComputerChoice({ value, onChange }: ComputerChoiceProps) {
  const name = useId()
  const kinds = [
    { type: 'center', label: t('computers.center'), next: { type: 'center', id: centers.value[0]?.id ?? 0 } },
    { type: 'room', label: t('computers.room'), next: firstRoom() },
    { type: 'list', label: t('computers.list'), next: { type: 'list', clients: addressesIn(value) } },
  ] as const
  return (
    <fieldset class="group">
      <legend>{t('computers.title')}</legend>
      <div class="tabs">
        {kinds.map(({ type, label, next }) => (
          <label class={type === value.type ? 'tab on' : 'tab'} key={type}>
            <input type="radio" name={name} checked={type === value.type} onChange={() => onChange(next)} />
            {label}
          </label>
        ))}
      </div>
      {value.type === 'list' ? (
        <ComputerList clients={value.clients} onChange={onChange} />
      ) : (
        <ScopeChoice type={value.type} id={value.id} onChange={onChange} />
      )}
      <small class="hint">{t('computers.count', { n: addressesIn(value).length })}</small>
    </fieldset>
  )
}

interface ScopeChoiceProps {
  type: 'center' | 'room'
  id: number
  onChange(value: ComputerSet): void
}

function ScopeChoice({ type, id, onChange }: ScopeChoiceProps) {
  const options =
    type === 'center'
      ? centers.value.map(center => ({ id: center.id, label: center.name }))
      : rooms.value.map(room => ({ id: room.id, label: `${room.name} · ${room.centerName}` }))
  return (
    <select
      aria-label={t(`computers.${type}`)}
      required
      value={id}
      onChange={event => onChange({ type, id: Number(event.currentTarget.value) })}
    >
      {!options.some(option => option.id === id) && <option value={id}>{id || '–'}</option>}
      {options.map(option => (
        <option value={option.id} key={option.id}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface ComputerListProps {
  clients: readonly string[]
  onChange(value: ComputerSet): void
}

function ComputerList({ clients, onChange }: ComputerListProps) {
  const filter = useSignal('')
  const chosen = new Set(clients)
  const change = (addresses: string[], isOn: boolean) => {
    for (const ip of addresses) isOn ? chosen.add(ip) : chosen.delete(ip)
    onChange({ type: 'list', clients: [...chosen] })
  }
  const text = filter.value.trim().toLowerCase()
  const shown = rooms.value.flatMap(room => {
    const found = room.computers.filter(({ name, ip }) => `${room.name} ${name} ${ip}`.toLowerCase().includes(text))
    return found.length > 0 ? [{ room, found }] : []
  })
  return (
    <>
      <input
        type="search"
        aria-label={t('computers.filter')}
        placeholder={t('computers.filter')}
        onInput={event => {
          filter.value = event.currentTarget.value
        }}
      />
      <div class="check-list">
        {shown.map(({ room, found }) => (
          <fieldset key={room.id}>
            <legend>
              <Check
                label={room.name}
                isOn={found.every(({ ip }) => chosen.has(ip))}
                change={isOn => change(ipsOf(found), isOn)}
              />
            </legend>
            {found.map(({ ip, name }) => (
              <Check key={ip} label={name} isOn={chosen.has(ip)} change={isOn => change([ip], isOn)} />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  )
}

const ipsOf = (computers: readonly { ip: string }[]) => computers.map(({ ip }) => ip)

export function Check({ label, isOn, change }: { label: string; isOn: boolean; change(isOn: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={event => change(event.currentTarget.checked)} /> {label}
    </label>
  )
}
