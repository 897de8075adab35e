// The head of the page: name, condition, user, room, addresses, and what can be done at once.
import { t } from '../../language/translate.ts'
import { ConditionLabel } from '../../parts/condition-sign.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Badges } from '../../parts/tone.tsx'
import { chooseCommand, labelOfName } from '../../state/commands.ts'
import { type ComputerView, roomOf } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { FailureList } from './failure-list.tsx'
import { formatMac } from './record-form.tsx'
import { sendTo } from './send-command.ts'

interface HeadProps {
  computer: ComputerView
  /** Undefined until the record was read. */
  mac: string | undefined
}

export function ComputerHead({ computer, mac }: HeadProps) {
  return (
    <>
      <PageHead title={computer.name}>{may('operate') && <Actions computer={computer} />}</PageHead>
      <Facts computer={computer} mac={mac} />
      <FailureList computer={computer} />
    </>
  )
}

/** Commands that ask what to do, also of a computer that is off. */
const withForm = ['shell-run', 'image-restore']

export function Facts({ computer: { ip, live }, mac }: Pick<HeadProps, 'computer' | 'mac'>) {
  const { condition, user, isLocked, speed } = live.value
  const room = roomOf(ip)
  return (
    <ul class="computer-facts">
      <li>
        <ConditionLabel condition={condition} /> <Badges ip={ip} />
      </li>
      {user !== undefined && (
        <li>
          {user === '' ? t('computer.someone') : t('computer.user', { user })}
          {isLocked && <span class="hint"> {t('computer.locked')}</span>}
        </li>
      )}
      {room && (
        <li>
          <a href={`${linkTo('')}?room=${room.id}`}>{room.name}</a> <span class="hint">{room.centerName}</span>
        </li>
      )}
      <li>
        <code>{ip}</code>
      </li>
      {mac && (
        <li>
          <code>{formatMac(mac)}</code>
        </li>
      )}
      {speed > 0 && <li>{t('computer.speed', { n: speed })}</li>}
    </ul>
  )
}

export function Actions({ computer }: Pick<HeadProps, 'computer'>) {
  const { ip, name, live } = computer
  const { condition } = live.value
  const isOff = condition === 'off' || condition === 'waking'
  const end = async (label: string, question: string, path: string) => {
    const text = t('computer.endText', { name })
    if (await confirmed(question, text, label, [ip])) await sendTo(ip, path)
  }
  const hint = t('computer.needsConnection')
  return (
    <>
      {withForm.map(command => (
        <button type="button" key={command} onClick={() => chooseCommand(command, [computer])}>
          {labelOfName(command)}
        </button>
      ))}
      <button
        type="button"
        disabled={!isOff}
        title={isOff ? undefined : t('computer.isOn')}
        onClick={() => void sendTo(ip, '/wol', { type: 'broadcast' })}
      >
        {t('computer.wake')}
      </button>
      <button
        type="button"
        disabled={isOff}
        title={isOff ? hint : undefined}
        onClick={() => void end(t('command.reboot'), t('computer.rebootTitle', { name }), '/reboot')}
      >
        {t('command.reboot')}
      </button>
      <button
        type="button"
        disabled={isOff}
        title={isOff ? hint : undefined}
        onClick={() => void end(t('command.poweroff'), t('computer.powerOffTitle', { name }), '/poweroff')}
      >
        {t('command.poweroff')}
      </button>
    </>
  )
}
