// The test of a source: the real search, with the number of people and the first ten.
import type { Refusal } from '@acc/contract/userImports'
import { MAX_TEST_ENTRIES } from '@acc/contract/userSync'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { RefusalText } from '../userImports/exports.ts'
import css from './UserSync.module.css'
import { userSyncTexts } from './userSync.ts'
import type { EditedSync } from './useSyncForm.ts'

function Failed({ refusal }: { refusal: Refusal }) {
  const t = useTexts(userSyncTexts)
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>{t('testFailed')}</strong>
      <RefusalText refusal={refusal} />
    </div>
  )
}

function Found({ tested }: { tested: Extract<NonNullable<EditedSync['tested']>, { found: object }> }) {
  const t = useTexts(userSyncTexts)
  const { count, entries } = tested.found
  if (count === 0)
    return (
      <div className="notice" data-tone="warn" role="alert">
        {t('testedEmpty')}
      </div>
    )
  const columns = (['key', 'id', 'name', 'email', 'group', 'expireDT'] as const).filter(
    (key) => key !== 'expireDT' || entries.some((entry) => entry.expireDT !== ''),
  )
  return (
    <>
      <div className="notice" data-tone="ok" role="status">
        {t('tested', { count })}
        {count > entries.length && ` · ${t('entriesFirst', { count: entries.length })}`}
      </div>
      <div className={css.entries}>
        <ShortTable<(typeof entries)[number]>
          label={t('entries')}
          rows={entries}
          rowsPerPage={MAX_TEST_ENTRIES}
          columns={columns.map((key) => ({
            key,
            title: t(`field.${key}`),
            render: (entry) => entry[key] || '-',
          }))}
        />
      </div>
    </>
  )
}

export function SyncTest({ form }: { form: EditedSync }) {
  const t = useTexts(userSyncTexts)
  const { tested } = form
  return (
    <section className={css.test} aria-label={t('test')}>
      <div className={css.testLine}>
        <ReasonedButton variant="default" isBusy={form.isTesting} onClick={() => void form.test()}>
          {t('test')}
        </ReasonedButton>
        <span role="status">{form.isTesting ? t('testing') : t('testHint')}</span>
      </div>
      {tested && ('found' in tested ? <Found tested={tested} /> : <Failed refusal={tested.refusal} />)}
    </section>
  )
}
