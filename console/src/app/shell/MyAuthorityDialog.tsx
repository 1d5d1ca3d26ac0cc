// My Authority (spec S1 §2): the viewer's level for each page, and the groups that it covers.
import type { Group } from '@acc/contract/groups'
import { Level, PAGE_LABELS, PAGES, type Page } from '@acc/contract/labels/access'
import { Text } from '@mantine/core'
import { flattenGroups, useAuthGroups } from '../../features/groups/exports.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './MyAuthorityDialog.module.css'

const LEVEL_OF = {
  policy: 'maxPolicy',
  user: 'maxUser',
  fileExportApprove: 'maxFileExportApprove',
  fileImportApprove: 'maxFileImportApprove',
  log: 'maxLog',
} as const satisfies Record<Page, keyof Group>

const levelsOf = (group: Group) => PAGES.map((page) => group[LEVEL_OF[page]])

/** Returns the groups at which levels begin or change on the way down; their subgroups have the same levels. */
export function authorityRows(forest: readonly Group[]) {
  return flattenGroups(forest)
    .map(({ group, parent }) => ({ group, levels: levelsOf(group), above: parent ? levelsOf(parent) : [] }))
    .filter(({ levels, above }) => levels.join() !== above.join() && levels.some((level) => level > Level.NONE))
}

function PageLevels() {
  const label = useLabel()
  const { session } = useViewer()
  return (
    <dl className={css.pages}>
      {PAGES.map((page) => (
        <div key={page}>
          <dt>{label(PAGE_LABELS[page])}</dt>
          <dd>
            <StateDot label={Level.labels[session.pageAuth[page]]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function GroupLevels({ groups }: { groups: readonly Group[] }) {
  const t = useTexts(appTexts)
  const label = useLabel()
  const levels = PAGES.map(
    (page): ShortColumn<Group> => ({
      key: page,
      title: label(PAGE_LABELS[page]),
      isOneLine: true,
      render: (group) => <StateDot label={Level.labels[group[LEVEL_OF[page]]]} />,
    }),
  )
  return (
    <ShortTable
      label={t('myAuthority')}
      rows={authorityRows(groups).map(({ group }) => group)}
      columns={[{ key: 'group', title: t('authority.group'), render: ({ name }) => name }, ...levels]}
      rowsPerPage={8}
    />
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
