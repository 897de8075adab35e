// How good or bad something is that a module shows: a colour, a sign, and a word for those who see neither.
import { type MessageKey, t } from '../language/translate.ts'
import { badges, noBadges } from '../state/badges.ts'

type Tone = 'good' | 'warning' | 'bad' | 'neutral'

const words: Record<Exclude<Tone, 'neutral'>, MessageKey> = {
  good: 'tone.good',
  warning: 'tone.warning',
  bad: 'tone.bad',
}

/** The style sheet draws the sign. */
export function ToneSign({ tone = 'neutral' }: { tone?: Tone | undefined }) {
  if (tone === 'neutral') return null
  return (
    <span class="sign" data-tone={tone}>
      <span class="hidden-text">{t(words[tone])} </span>
    </span>
  )
}

/** The marks of a computer. */
export function Badges({ ip }: { ip: string }) {
  return (
    <>
      {(badges.value.get(ip) ?? noBadges).map(({ text, tone = 'neutral', title }) => (
        <span key={text} class="badge view-badge" data-tone={tone} title={title}>
          {text}
        </span>
      ))}
    </>
  )
}
