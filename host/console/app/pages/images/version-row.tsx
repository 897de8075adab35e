// A row of the table of images for an older file of one.
import type { ImageAnswer, VersionAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { confirmed } from '../../parts/confirmation.tsx'
import { report } from '../../state/notices.ts'
import { may } from '../../state/session.ts'
import { FileCheckCell } from './file-check.tsx'

interface Props {
  image: ImageAnswer
  version: VersionAnswer
  onChange(): void
}

export function VersionRow({ image, version, onChange }: Props) {
  const { name, size, modified, check } = version
  const remove = async () => {
    const text = t('images.deleteVersionText', { name, size: formatBytes(size) })
    if (!(await confirmed(t('images.deleteVersionTitle', { name }), text, t('records.delete')))) return
    const reply = await post('/image/delete', { image: String(image.id), version: String(version.version) })
    report(reply, t('images.versionDeleted', { name }))
    onChange()
  }
  return (
    <tr class="image-version">
      <th scope="row">{name}</th>
      <td>{t('images.olderFile')}</td>
      <td class="image-number">{formatBytes(size)}</td>
      <td class="image-number">{formatTime(modified)}</td>
      <FileCheckCell check={check} image={image.id} version={version.version} name={name} onSent={onChange} />
      <td colSpan={3} />
      <td class="row-actions">
        {may('admin') && (
          <button type="button" aria-label={t('images.deleteName', { name })} onClick={() => void remove()}>
            {t('records.delete')}
          </button>
        )}
      </td>
    </tr>
  )
}
