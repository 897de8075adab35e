// Gives connected clients without a record one, in a room: what their agents say of them can be corrected before.
import type { PendingAnswer, PendingListAnswer } from '../../../../contract/answers.ts'
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { doneWords } from '../../parts/target-words.ts'
import { rooms } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { adopting } from './adopting.ts'

/** Outside of the map, whose keys and pointer are for its tiles. */
export function AdoptDialog() {
  if (!adopting.value) return null
  const close = () => (adopting.value = undefined)
  const title = t('command.client-adopt')
  if (rooms.value.length === 0) {
    return (
      <Dialog title={title} onClose={close}>
        <p>{t('rooms.adoptNoRoom')}</p>
        <footer>
          <a class="button" href={linkTo('import')} onClick={close}>
            {t('nav.import')}
          </a>
        </footer>
      </Dialog>
    )
  }
  return (
    <FormDialog
      form={`adopt ${[...adopting.value].join(' ')}`}
      title={title}
      size="wide"
      action={t('records.add')}
      send={adopt}
      saved={form => {
        const data = new FormData(form)
        return doneWords('client-move', data.getAll('client').map(String), { room: data.get('room') })
      }}
      onClose={close}
      fieldOf={fieldOf}
    >
      <Choice
        label={t('field.room')}
        name="room"
        required
        value=""
        options={[
          ...(rooms.value.length > 1 ? [['', t('command.choose')] as const] : []),
          ...rooms.value.map(({ id, name, centerName }) => [String(id), `${name} · ${centerName}`] as const),
        ]}
      />
      <p class="hint">{t('rooms.adoptHint')}</p>
      <PendingTable checked={adopting.value} />
    </FormDialog>
  )
}

/** As in `10.1.1.20: expected a name`, and `macs/10.1.1.20: expected …`. */
function fieldOf(reason: string): string {
  const [, key, ip, text = ''] = /^(?:(name|mac)s.)?([\d.]+): (.*)/.exec(reason) ?? []
  return `${key ?? (/^(expected a|the) name/.test(text) ? 'name' : 'mac')} ${ip}`
}

/** What changes the list. */
const concernsPending = ({ type }: StreamEvent) => /^(client-(pending|connected|gone)|computer-)/.test(type)

/** The fields keep what was typed when the list is read again. */
function PendingTable({ checked }: { checked: ReadonlySet<string> }) {
  const pending = useResource<PendingListAnswer>('/pending', concernsPending)
  return (
    <ResourceView resource={pending}>
      {({ pending: rows, omitted = 0 }) =>
        rows.length === 0 ? (
          <p class="hint">{t('rooms.adoptGone')}</p>
        ) : (
          <ScrollBox class="table-box scroll adopt-table" label={t('rooms.pending')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('rooms.address')}</th>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('field.mac')}</th>
                  <th scope="col">{t('rooms.system')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.toSorted(byAddress).map(row => (
                  <PendingRow key={row.client} row={row} isChecked={checked.has(row.client)} />
                ))}
              </tbody>
            </table>
            {omitted > 0 && <p class="hint">{t('rooms.adoptMore', { n: omitted })}</p>}
          </ScrollBox>
        )
      }
    </ResourceView>
  )
}

const byAddress = (one: PendingAnswer, other: PendingAnswer) =>
  one.client.localeCompare(other.client, undefined, { numeric: true })

function PendingRow({ row, isChecked }: { row: PendingAnswer; isChecked: boolean }) {
  const { client: ip, name = '', mac = '', os = '', serial } = row
  return (
    <tr>
      <th scope="row">
        <label class="check">
          <input
            type="checkbox"
            name="client"
            value={ip}
            defaultChecked={isChecked}
            aria-label={t('rooms.adoptChoose', { ip })}
          />
          <span>{ip}</span>
        </label>
      </th>
      <td>
        <input name={`name ${ip}`} defaultValue={name} aria-label={t('rooms.adoptName', { ip })} autocomplete="off" />
      </td>
      <td>
        <input name={`mac ${ip}`} defaultValue={mac} aria-label={t('rooms.adoptMac', { ip })} autocomplete="off" />
      </td>
      <td>
        {os}
        {serial && <small class="hint">{serial}</small>}
      </td>
    </tr>
  )
}

/** Sends what the form shows: an agent may say something else meanwhile. */
async function adopt(form: HTMLFormElement) {
  const data = new FormData(form)
  const clients = data.getAll('client').map(String)
  if (clients.length === 0) return t('rooms.adoptNone')
  const typed = (key: string) =>
    Object.fromEntries(
      clients.flatMap(ip => {
        const text = String(data.get(`${key} ${ip}`) ?? '').trim()
        return text === '' ? [] : [[ip, text]]
      }),
    )
  return post('/client/adopt', { clients, room: Number(data.get('room')), names: typed('name'), macs: typed('mac') })
}
