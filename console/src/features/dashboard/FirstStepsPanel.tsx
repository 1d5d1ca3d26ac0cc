// The open steps of a new installation, for system administrators: each leads to its place, and is done when the
// data says so. The panel leaves when all are done, or when the person hides it in this browser.
import { api } from '@acc/contract'
import type { FirstSteps } from '@acc/contract/dashboard'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Button, Progress } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktopDown,
  IconMail,
  IconShieldCog,
  IconSitemap,
  IconUserPlus,
  IconUserShield,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './FirstSteps.module.css'
import { firstStepsTexts } from './firstSteps.ts'

/** In the order in which they build on each other, each with the screen that it is done on. */
const STEPS = [
  { name: 'mail', Icon: IconMail, screen: 'settings', view: { menu: 'mailServer' } },
  { name: 'groups', Icon: IconSitemap, screen: 'policies', view: { groupIdx: ROOT_GROUP, tab: 'info' } },
  { name: 'policy', Icon: IconShieldCog, screen: 'policies', view: { groupIdx: ROOT_GROUP } },
  { name: 'people', Icon: IconUserPlus, screen: 'users', view: { part: 'imports' } },
  { name: 'authority', Icon: IconUserShield, screen: 'authorities', view: { tab: 'create' } },
  { name: 'client', Icon: IconDeviceDesktopDown, screen: 'clientVersions', view: {} },
] as const satisfies readonly { name: keyof FirstSteps; screen: string; [other: string]: unknown }[]
type Step = (typeof STEPS)[number]

/** Whether this browser shows the steps to this person: until they hide them, or once saw them all done. */
function useHidden() {
  const entry = `${stored.hidesFirstSteps}.${useViewer().session.idx}`
  const [isHidden, setHidden] = useState(() => readStored(entry) !== null)
  const hide = () => {
    writeStored(entry, '1')
    setHidden(true)
  }
  return { isHidden, hide }
}

function OpenStep({ step: { name, Icon, screen, view }, isNext }: { step: Step; isNext: boolean }) {
  const t = useTexts(firstStepsTexts)
  const openScreen = useOpenScreen()
  return (
    <li className={css.step}>
      <span className={css.icon}>
        <Icon size={16} stroke={1.7} aria-hidden />
      </span>
      <p>
        <strong>{t(`${name}.title`)}</strong>
        <span>{t(`${name}.why`)}</span>
      </p>
      <Button variant={isNext ? 'filled' : 'default'} onClick={() => openScreen(screen, view)}>
        {t(`${name}.action`)}
      </Button>
    </li>
  )
}

export function FirstStepsPanel() {
  const t = useTexts(firstStepsTexts)
  const canOpen = useCanOpen()
  const { isHidden, hide } = useHidden()
  const { data } = useApiQuery(api.dashboard.findFirstSteps, {}, { enabled: !isHidden })
  const steps = STEPS.filter(({ screen }) => canOpen(screen))
  const open = steps.filter(({ name }) => data?.[name] === 0)
  const done = steps.filter(({ name }) => data?.[name] === 1)
  const isComplete = data !== undefined && open.length === 0
  useEffect(() => {
    if (isComplete) hide()
  }, [isComplete, hide])
  if (isHidden || data === undefined || isComplete) return null
  const count = { done: done.length, all: steps.length }
  return (
    <section className={css.panel} aria-label={t('title')}>
      <div className={css.head}>
        <h2>{t('title')}</h2>
        <span className={css.count}>{t('count', count)}</span>
        <Progress className={css.bar} value={(100 * count.done) / count.all} aria-label={t('progress', count)} />
        <IconButton label={t('hide')} onClick={hide}>
          <IconX size={16} />
        </IconButton>
      </div>
      <ul>
        {open.map((step, at) => (
          <OpenStep key={step.name} step={step} isNext={at === 0} />
        ))}
      </ul>
      {done.length > 0 && (
        <ul className={css.done} aria-label={t('done')}>
          {done.map(({ name }) => (
            <li key={name}>
              <IconCheck size={14} stroke={2.4} aria-hidden />
              {t(`${name}.title`)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
