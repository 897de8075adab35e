// The head of the page: name, condition, user, room, addresses, and what can be done at once.
import { commandsOf, tilePaths } from '../../actions/action-bar.tsx'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ConditionLabel } from '../../parts/condition-sign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Badges } from '../../parts/tone.tsx'
import { chooseCommand, labelOfName } from '../../state/commands.ts'
import { type ComputerView, roomOf } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { FailureList } from './failure-list.tsx'
import { formatMac } from './record-form.tsx'

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

export function Facts({ computer: { ip, live }, mac }: Pick<HeadProps, 'computer' | 'mac'>) {
  const { condition, user, isLocked, speed } = live.value
  const room = roomOf(ip)
  return (
    <ul class="computer-facts row texts">
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
  const { condition } = computer.live.value
  const isOff = condition === 'off' || condition === 'waking'
  const paths = tilePaths.filter(path => (path === '/wol' ? isOff : path !== '/stop' || condition === 'busy'))
  return (
    <>
      {commandsOf(paths).map(({ name, isDestructive }) => (
        <Button
          key={name}
          text={labelOfName(name)}
          class={isDestructive ? 'destructive' : undefined}
          press={() => chooseCommand(name, [computer])}
        />
      ))}
    </>
  )
}
