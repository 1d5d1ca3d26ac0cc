// The format of a file: its columns with an example, and the example as a file.
import { api } from '@acc/contract'
import { IMPORT_FIELD_NAMES, IMPORT_FIELDS, type ImportField } from '@acc/contract/labels/userImports'
import { IconDownload } from '@tabler/icons-react'
import { useBrowserDownload } from '../../kit/api/useBrowserDownload.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './UserImports.module.css'
import { userImportsTexts } from './userImports.ts'

/** Of new people. */
const REQUIRED: readonly ImportField[] = ['id', 'name', 'email', 'group']

export function FileFormat() {
  const t = useTexts(userImportsTexts)
  const language = useLanguage()
  const { isAdmin } = useViewer()
  const template = useBrowserDownload(api.userImports.downloadTemplate, t('templateFailed'))
  const names = IMPORT_FIELD_NAMES.filter((name) => name !== 'key' || isAdmin)
  return (
    <section className={css.format} aria-label={t('format')}>
      <div className={css.formatHead}>
        <h2>{t('format')}</h2>
        <ReasonedButton
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          isBusy={template.isStarting}
          onClick={() => void template.start({}, t('templateName'))}
        >
          {t('template')}
        </ReasonedButton>
      </div>
      <Hint>{t('formatHint')}</Hint>
      <table className={css.columns} aria-label={t('columns')}>
        <thead>
          <tr>
            <th scope="col">{t('column')}</th>
            <th scope="col">{t('columnExample')}</th>
            <th scope="col">{t('columnMeaning')}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">
                {IMPORT_FIELDS[name][language]}
                {REQUIRED.includes(name) && <small>{t('required')}</small>}
              </th>
              <td>
                <code>{t(`example.${name}`)}</code>
              </td>
              <td>{t(`meaning.${name}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{t('cells')}</p>
    </section>
  )
}
