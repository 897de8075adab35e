// Chooses the language of the page.
import { languageNames } from '../language/languages.ts'
import { language, setLanguage, t } from '../language/translate.ts'
import { Select } from '../parts/fields.tsx'
import { recover } from '../state/scripts.ts'

export function LanguageChoice() {
  return (
    <Select
      aria-label={t('language.label')}
      value={language.value}
      options={Object.entries(languageNames)}
      change={key => void setLanguage(key).catch(recover)}
    />
  )
}
