// My Authority (S1 section 2): the viewer's level for each function, and the groups that they hold it over.
import { PAGES, type Page } from '@acc/contract/core/access'
import type { Group } from '@acc/contract/groups'
import { Text } from '@mantine/core'
import { flattenGroups, useAuthGroups } from '../../features/groups/exports.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './MyAuthorityDialog.module.css'

const LEVEL_OF: Record<Page, keyof Group> = {
  policy: 'maxPolicy',
  user: 'maxUser',
  fileExportApprove: 'maxFileExportApprove',
  fileImportApprove: 'maxFileImportApprove',
  log: 'maxLog',
}

const levelsOf = (group: Group) => PAGES.map((page) => Number(group[LEVEL_OF[page]]))

/** Where levels begin or change on the way down; what lies below such a group has the same ones. */
export function authorityRows(forest: readonly Group[]) {
  return flattenGroups(forest)
    .map(({ group, parent }) => ({ group, levels: levelsOf(group), above: parent ? levelsOf(parent) : [] }))
    .filter(({ levels, above }) => levels.join() !== above.join() && levels.some((level) => level > 0))
}

function LevelDot({ value }: { value: number }) {
  const t = useTexts(appTexts)
  if (value === 0) return <StatusDot tone="quiet">{t('authority.level0')}</StatusDot>
  return value === 1 ? (
    <StatusDot tone="accent">{t('authority.level1')}</StatusDot>
  ) : (
    <StatusDot tone="ok">{t('authority.level2')}</StatusDot>
  )
}

function PageLevels() {
  const t = useTexts(appTexts)
  const { session } = useViewer()
  return (
    <dl className={css.pages}>
      {PAGES.map((page) => (
        <div key={page}>
          <dt>{t(`authority.${page}`)}</dt>
          <dd>
            <LevelDot value={session.pageAuth[page]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function GroupLevels({ groups }: { groups: readonly Group[] }) {
  const t = useTexts(appTexts)
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('authority.group')}</th>
            {PAGES.map((page) => (
              <th key={page} scope="col">
                {t(`authority.${page}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {authorityRows(groups).map(({ group }) => (
            <tr key={group.idx}>
              <th scope="row">{group.name}</th>
              {PAGES.map((page) => (
                <td key={page}>
                  <LevelDot value={Number(group[LEVEL_OF[page]])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function MyAuthorityDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(appTexts)
  const { isAdmin } = useViewer()
  const groups = useAuthGroups()
  return (
    <DialogWindow onClose={onClose} size={680} title={t('myAuthority')}>
      <Section title={t('authority.pages')}>
        {isAdmin && (
          <Text size="sm" mb={8}>
            {t('authority.admin')}
          </Text>
        )}
        <PageLevels />
      </Section>
      <Section title={t('authority.groups')}>
        <QueryState of={groups}>{(data) => <GroupLevels groups={data.groups} />}</QueryState>
        <Text size="xs" c="dimmed" mt={8}>
          {t('authority.inherits')}
        </Text>
      </Section>
    </DialogWindow>
  )
}
