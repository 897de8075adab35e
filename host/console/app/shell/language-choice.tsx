// Chooses the language of the page.
import { languageNames } from '../language/languages.ts'
import { language, setLanguage, t } from '../language/translate.ts'
import { recover } from '../state/scripts.ts'

export function LanguageChoice() {
  return (
    <label class="language">
      <span class="hidden-text">{t('language.label')}</span>
      <select value={language.value} onChange={event => void setLanguage(event.currentTarget.value).catch(recover)}>
        {Object.entries(languageNames).map(([key, name]) => (
          <option value={key} key={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
