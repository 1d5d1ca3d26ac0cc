// Forgotten ID: name and email address, then a code, then the ID to copy (spec S1 §2).

import type { AppConfigs } from '@acc/contract/configs'
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { Button, TextInput } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { CopyText } from './CopyText.tsx'
import { FormMessage } from './FormMessage.tsx'
import { OtpStep } from './OtpStep.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { selfServiceTexts } from './selfService.texts.ts'
import { useForgotIdForm } from './useForgotIdForm.ts'

type Props = { configs: AppConfigs; onSignIn: (id?: string) => void }

export function ForgotIdPage({ configs, onSignIn }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useForgotIdForm()
  const { found, asked, errors } = form
  const title = t('forgotId.title')
  if (found !== undefined) {
    return (
      <PortalCard configs={configs} title={title} hint={t('forgotId.found')}>
        <div className={css.form}>
          <CopyText
            value={found}
            label={t('forgotId.copy', { id: found })}
            hint={t('forgotId.clickToCopy')}
            done={t('forgotId.copied')}
          />
          <Button size="md" fullWidth autoFocus onClick={() => onSignIn(found)}>
            {t('forgotId.signIn')}
          </Button>
        </div>
      </PortalCard>
    )
  }
  if (asked) {
    const { send, onOther, restart } = form
    return <OtpStep configs={configs} title={title} asked={asked} send={send} onOther={onOther} onBack={restart} />
  }
  return (
    <PortalCard configs={configs} title={title} hint={t('forgotId.hint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <TextInput
          ref={form.nameField}
          size="md"
          label={t('forgotId.name')}
          value={form.name}
          error={errors.name}
          maxLength={MAX_LENGTH.personName}
          autoComplete="name"
          autoFocus
          onChange={(event) => form.setName(event.currentTarget.value)}
        />
        <TextInput
          ref={form.emailField}
          size="md"
          label={t('forgotId.email')}
          value={form.email}
          error={errors.email}
          maxLength={MAX_LENGTH.email}
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => form.setEmail(event.currentTarget.value)}
        />
        <FormMessage tone="bad">{errors.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('forgotId.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={() => onSignIn()}>
          {t('back')}
        </Button>
      </form>
    </PortalCard>
  )
}
