// A small line of how a number has changed.
import type { ViewPoint } from '../../../contract/answers.ts'
import { formatNumber, t } from '../language/translate.ts'

const [width, height] = [120, 32]

export function Sparkline({ points, unit }: { points: readonly ViewPoint[]; unit: string }) {
  const times = points.map(({ time }) => Date.parse(time))
  const values = points.map(({ value }) => value)
  const [from, until] = [Math.min(...times), Math.max(...times)]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (time: number) => ((time - from) / (until - from || 1)) * width
  // A line that does not change is drawn in the middle.
  const y = (value: number) => (high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4))
  const line = points.map(({ value }, index) => `${x(times[index] ?? 0).toFixed(1)},${y(value).toFixed(1)}`)
  const words = (value: number) => `${formatNumber(value)} ${unit}`.trim()
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
      <title>{t('views.between', { low: words(low), high: words(high) })}</title>
      <polyline points={line.join(' ')} />
    </svg>
  )
}
