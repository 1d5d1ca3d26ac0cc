// The list of keyboard shortcuts that `?` opens.
import { Kbd } from '@mantine/core'
import { Fragment } from 'react'
import { MODIFIER } from '../../kit/browser/useShortcut.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { Section } from '../../kit/layout/Page.tsx'
import type { Screen } from '../../kit/layout/screen.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from './app.texts.ts'
import css from './ShortcutsDialog.module.css'

/** Each shortcut with the keys that do the same. */
const SECTIONS = [
  {
    name: 'everywhere',
    shortcuts: [
      ['jump', [`${MODIFIER} K`]],
      ['search', ['/']],
      ['save', [`${MODIFIER} S`]],
      ['close', ['Esc']],
      ['list', ['?']],
    ],
  },
  {
    name: 'rows',
    shortcuts: [
      ['next', ['J', '↓']],
      ['previous', ['K', '↑']],
      ['check', ['X']],
      ['filter', ['F']],
    ],
  },
  {
    name: 'groups',
    shortcuts: [
      ['move', ['↑', '↓']],
      ['fold', ['←', '→']],
      ['choose', ['Enter']],
    ],
  },
  {
    name: 'approvals',
    screens: ['approvals', 'imports'],
    shortcuts: [
      ['preview', ['P']],
      ['approve', ['A']],
      ['reject', ['R']],
      ['send', [`${MODIFIER} Enter`]],
    ],
  },
] as const

type Props = { screens: readonly Screen[]; onClose: () => void }

export function ShortcutsDialog({ screens, onClose }: Props) {
  const t = useTexts(appTexts)
  const listed: readonly string[] = screens.map(({ name }) => name)
  const shown = SECTIONS.filter(
    (section) => !('screens' in section) || section.screens.some((name) => listed.includes(name)),
  )
  return (
    <DialogWindow onClose={onClose} size={680} title={t('shortcuts.title')}>
      <div className={css.sections}>
        {shown.map(({ name, shortcuts }) => (
          <Section key={name} title={t(`shortcuts.${name}`)}>
            <dl className={css.shortcuts}>
              {shortcuts.map(([shortcut, keys]) => (
                <Fragment key={shortcut}>
                  <dt>{t(`shortcuts.of.${shortcut}`)}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {key}
                      </Kbd>
                    ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </Section>
        ))}
      </div>
    </DialogWindow>
  )
}
