// Chooses computers: all of a center, all of a room, some from a list, or those that a query finds when it is used.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SearchAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { addressesOf, pathOfAddresses } from '../state/found-elsewhere.ts'
import { centers, computers, nameOf, type RoomView, roomOf, rooms } from '../state/lab.ts'
import { Check, Select, withValue } from './fields.tsx'
import { QueryChoice } from './query-field.tsx'
import { Tabs } from './tabs.tsx'
import { byRoom } from './target-list.tsx'

export type ComputerSet =
  | { type: 'center' | 'room'; id: number }
  | { type: 'list'; clients: readonly string[] }
  | { type: 'query'; where: string }

/** Nothing is chosen. */
export const isEmpty = (set: ComputerSet): boolean =>
  set.type === 'query' ? set.where.trim() === '' : addressesIn(set).length === 0

/** The addresses that it has now; of a query only the daemon knows them. */
export function addressesIn(set: ComputerSet): string[] {
  if (set.type === 'list') return [...set.clients]
  if (set.type === 'query') return []
  const isInside = ({ id, center }: RoomView) => (set.type === 'room' ? id : center) === set.id
  return rooms.value.filter(isInside).flatMap(({ computers }) => computers.map(({ ip }) => ip))
}

/** For a record that finds its computers each time: also those that a room or a center gets later. */
export function targetOf(set: ComputerSet): { clients: readonly string[] } | { where: string } {
  if (set.type === 'list') return { clients: set.clients }
  return { where: set.type === 'query' ? set.where.trim() : `${set.type}_id:${set.id}` }
}

/** The choice that makes this query. */
export function setOfQuery(where: string): ComputerSet {
  const [, type, id] = /^(room|center)_id:(\d+)$/.exec(where) ?? []
  return type === 'room' || type === 'center' ? { type, id: Number(id) } : { type: 'query', where }
}

/** The choice in a new form; rooms may still be loading. */
export const firstRoom = (): ComputerSet => ({ type: 'room', id: rooms.value[0]?.id ?? 0 })

/** As `addressesIn`, also of a query: undefined until the daemon has answered. */
export function useAddresses(set: ComputerSet): readonly string[] | undefined {
  const where = set.type === 'query' ? set.where : undefined
  const found = useSignal<readonly string[] | undefined>(undefined)
  useEffect(() => {
    if (where === undefined) return
    void get<SearchAnswer>(pathOfAddresses(where)).then(({ value }) => (found.value = addressesOf(value)))
  }, [where])
  return where === undefined ? addressesIn(set) : found.value
}

export interface ComputerChoiceProps {
  value: ComputerSet
  onChange(value: ComputerSet): void
  /** It may be a query, which finds its computers each time. */
  takesQuery?: boolean
}

export function ComputerChoice({ value, onChange, takesQuery = false }: ComputerChoiceProps) {
  const kinds = [
    { type: 'center', label: t('computers.center'), next: { type: 'center', id: centers.value[0]?.id ?? 0 } },
    { type: 'room', label: t('computers.room'), next: firstRoom() },
    { type: 'list', label: t('computers.list'), next: { type: 'list', clients: addressesIn(value) } },
    ...(takesQuery ? [{ type: 'query', label: t('groups.query'), next: { type: 'query', where: '' } } as const] : []),
  ] as const
  return (
    <fieldset class="group stack">
      <legend>{t('place.computers')}</legend>
      <Tabs
        label={t('place.computers')}
        options={kinds.map(({ type, label }) => [type, label])}
        value={value.type}
        onChange={type => onChange(kinds.find(kind => kind.type === type)?.next ?? value)}
      />
      {value.type === 'query' ? (
        <QueryChoice where={value.where} change={({ where }) => onChange({ type: 'query', where })} />
      ) : value.type === 'list' ? (
        <ComputerList
          clients={value.clients}
          of={[...computers.value.keys()]}
          change={(ips, isOn) => {
            const others = value.clients.filter(ip => !ips.includes(ip))
            onChange({ type: 'list', clients: isOn ? [...others, ...ips] : others })
          }}
        />
      ) : (
        <ScopeChoice type={value.type} id={value.id} onChange={onChange} />
      )}
      <small class="hint">
        {value.type === 'query' ? t('computers.found') : t('rooms.all', { n: addressesIn(value).length })}
        {takesQuery && value.type !== 'query' && ` · ${t(`computers.followed.${value.type}`)}`}
      </small>
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
      ? centers.value.map(({ id, name }) => [id, name] as const)
      : rooms.value.map(({ id, name, centerName }) => [id, `${name} · ${centerName}`] as const)
  return (
    <Select
      aria-label={t(`computers.${type}`)}
      required
      value={id}
      options={withValue(id, options)}
      change={id => onChange({ type, id })}
    />
  )
}

export interface ComputerListProps {
  clients: readonly string[]
  /** Of which they are chosen. */
  of: readonly string[]
  change(clients: readonly string[], isOn: boolean): void
}

export function ComputerList({ clients, of, change }: ComputerListProps) {
  const filter = useSignal('')
  const chosen = new Set(clients)
  const text = filter.value.trim().toLowerCase()
  const shown = of.filter(ip => `${roomOf(ip)?.name} ${nameOf(ip)} ${ip}`.toLowerCase().includes(text))
  return (
    <>
      <input
        type="search"
        aria-label={t('computers.filter')}
        placeholder={t('computers.filter')}
        onInput={event => (filter.value = event.currentTarget.value)}
      />
      <div class="check-list boxed scroll">
        {byRoom(shown).map(({ room, name, own }) => (
          <fieldset key={room}>
            <legend>
              <Check label={name} isOn={own.every(ip => chosen.has(ip))} change={isOn => change(own, isOn)} />
            </legend>
            {own.map(ip => (
              <Check key={ip} label={nameOf(ip)} isOn={chosen.has(ip)} change={isOn => change([ip], isOn)} />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  )
}
