// The default policy of single sign-on; only the group of new users can be changed (spec S2 §2.7, §5).
import { api } from '@acc/contract'
import type { SsoPolicy } from '@acc/contract/sso'
import { SsoMatch } from '@acc/contract/sso'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { HeldForm } from '../../kit/form/conflictGuard.tsx'
import { PaneForm } from '../../kit/form/PaneForm.tsx'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { PathText } from '../../kit/layout/FileName.tsx'
import { Facts, Hint, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupPickerDialog, useGroupIndex } from '../groups/exports.ts'
import css from './LoginPolicy.module.css'
import { loginPolicyTexts } from './loginPolicy.ts'

function Fixed({ policy }: { policy: SsoPolicy }) {
  const t = useTexts(loginPolicyTexts)
  const label = useLabel()
  const props = (names: SsoPolicy['ssoUpdateProps']) => names.map((name) => t(`sso.prop.${name}`)).join(', ')
  return (
    <Facts
      rows={[
        [t('sso.match'), props(policy.userMatchProps)],
        [t('sso.single'), label(SsoMatch.labels[policy.singleMatchPolicy])],
        [t('sso.none'), label(SsoMatch.labels[policy.noPartialMatchPolicy])],
        [t('sso.many'), label(SsoMatch.labels[policy.manyMatchPolicy])],
        [t('sso.update'), props(policy.ssoUpdateProps)],
      ]}
    />
  )
}

function SsoForm({ policy }: { policy: SsoPolicy }) {
  const t = useTexts(loginPolicyTexts)
  const { pathOf } = useGroupIndex()
  const [isChoosing, setChoosing] = useState(false)
  const form = useApiForm(api.sso.setPolicy, {
    initial: { userCreateGroupIdx: policy.userCreateGroupIdx },
    fields: { NO_GROUP: 'userCreateGroupIdx' },
  })
  const { userCreateGroupIdx } = form.values
  const { error } = form.field('userCreateGroupIdx')
  const path = pathOf(userCreateGroupIdx).join(' › ') || policy.userCreateGroupName
  return (
    <PaneForm form={form}>
      <Fixed policy={policy} />
      <Section title={t('sso.group')}>
        <div className={css.group} data-changed={form.isDirty || undefined} data-invalid={Boolean(error) || undefined}>
          <PathText path={path} />
          <Button variant="default" onClick={() => setChoosing(true)}>
            {t('sso.choose')}
          </Button>
        </div>
        {error && (
          <p className={css.error} role="alert">
            {error}
          </p>
        )}
        <Hint>{t('sso.groupHint')}</Hint>
      </Section>
      {isChoosing && (
        <GroupPickerDialog
          title={t('sso.chooseTitle')}
          action={t('sso.chosen')}
          whyDisabled={({ idx }) => (idx === userCreateGroupIdx ? t('sso.current') : undefined)}
          onClose={() => setChoosing(false)}
          onPick={({ idx }) => {
            form.set('userCreateGroupIdx', idx)
            setChoosing(false)
          }}
        />
      )}
    </PaneForm>
  )
}

export function SsoPolicyPane() {
  const t = useTexts(loginPolicyTexts)
  return (
    <QueryState of={useApiQuery(api.sso.findPolicy, {})}>
      {(latest) => (
        <HeldForm
          latest={{ ...latest, revision: latest.userCreateGroupIdx }}
          wordsOf={({ userCreateGroupName }) => [[t('sso.group'), userCreateGroupName, 'userCreateGroupIdx']]}
        >
          {(policy) => <SsoForm policy={policy} />}
        </HeldForm>
      )}
    </QueryState>
  )
}
