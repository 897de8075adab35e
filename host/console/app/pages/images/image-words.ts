// Words for images that their list and the page of one have.
import type { ImageAnswer } from '../../../../contract/answers.ts'
import { centers } from '../../state/lab.ts'

export const centerOf = ({ center_id }: ImageAnswer): string =>
  centers.value.find(({ id }) => id === center_id)?.name ?? '–'
