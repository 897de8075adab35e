// The schema of how far a part is that copies an image.
import { described, integer, like, result } from './_result-schemas.ts'

const values = {
  percent: like({ type: 'number' }, 45.2),
  rate: described(integer, 'bytes per second', 85_000_000),
  remaining: described(integer, 'seconds', 90),
}

export const progress = described(
  result(values, ['rate', 'remaining']),
  'how far a part is that copies an image; only while it runs',
)
