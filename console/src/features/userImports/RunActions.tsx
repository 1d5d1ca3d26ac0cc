// What can be done with a run: apply, pause, continue, cancel. A plan with a brake is applied by its number.
import { api } from '@acc/contract'
import { ImportState } from '@acc/contract/labels/userImports'
import type { UserImport } from '@acc/contract/userImports'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { refresh, useApiAction } from '../../kit/api/query.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './UserImports.module.css'
import { changesOf, useNumbersText, userImportsTexts } from './userImports.ts'

/** Says that the state has changed, and shows the present one. */
function useStateError() {
  const t = useTexts(userImportsTexts)
  return () => {
    void refresh(['userImports'])
    void showMessage({ title: t('stateTitle'), body: t('stateBody') })
  }
}

function useApply() {
  const t = useTexts(userImportsTexts)
  const stateError = useStateError()
  const outdated = () => void showMessage({ title: t('outdatedTitle'), body: t('outdated') })
  return useApiAction(api.userImports.apply, { handles: { REQUEST_STATE: stateError, CHANGED_MEANWHILE: outdated } })
}

type BrakeProps = { run: UserImport; brake: NonNullable<UserImport['brake']>; onClose: () => void }

/** Asks for the number of people that the plan suspends. */
function BrakeDialog({ run, brake, onClose }: BrakeProps) {
  const t = useTexts(userImportsTexts)
  const [typed, setTyped] = useState('')
  const apply = useApply()
  const isRight = typed.replace(/[\s,.]/g, '') === String(brake.disables)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRight && !apply.isRunning) void apply.run({ idx: run.idx, disables: brake.disables }).then(onClose)
  }
  return (
    <FormDialog
      title={t('brakeDialog', brake)}
      action={t('brakeApply', brake)}
      form={{ submit, isSaving: apply.isRunning }}
      confirmClose={() => Promise.resolve(true)}
      whyDisabled={isRight ? undefined : t('brakeTypeHint', { disables: brake.disables })}
      onClose={onClose}
      isNew
    >
      <p className={css.warning}>{t('brakeWarning', brake)}</p>
      <TextInput
        label={t('brakeType')}
        description={t('brakeTypeHint', { disables: brake.disables })}
        data-autofocus
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  )
}

function ApplyButton({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const numbers = useNumbersText()
  const [isAsking, setAsking] = useState(false)
  const apply = useApply()
  const { counts, brake } = run
  const ask = async () => {
    if (brake) return setAsking(true)
    const words = { numbers: numbers(counts), count: counts.error }
    const body = t(counts.error > 0 ? 'applyBodyErrors' : 'applyBody', words)
    if (await confirm({ title: t('applyTitle'), body, action: t('apply') })) await apply.run({ idx: run.idx })
  }
  return (
    <>
      <ReasonedButton
        data-focus="import.main"
        isBusy={apply.isRunning}
        {...(changesOf(counts) === 0 && { whyDisabled: t('nothingToApply') })}
        onClick={() => void ask()}
      >
        {t('apply')}
      </ReasonedButton>
      {isAsking && brake && <BrakeDialog run={run} brake={brake} onClose={() => setAsking(false)} />}
    </>
  )
}

function CancelButton({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const stateError = useStateError()
  const cancel = useApiAction(api.userImports.cancel, { handles: { REQUEST_STATE: stateError } })
  const isPlan = run.state === ImportState.PLANNING || run.state === ImportState.PLANNED
  const part = isPlan ? 'cancelPlan' : 'cancelRest'
  const ask = async () => {
    const words = { title: t(`${part}Title`), body: t(`${part}Body`), action: t(part), cancel: t('keep') }
    if (await confirm({ ...words, isDanger: true })) await cancel.run({ idx: run.idx })
  }
  return (
    <Button variant="default" data-focus="import.cancel" onClick={() => void (cancel.isRunning || ask())}>
      {t(part)}
    </Button>
  )
}

export function RunActions({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const stateError = useStateError()
  const pause = useApiAction(api.userImports.pause, { handles: { REQUEST_STATE: stateError } })
  const apply = useApply()
  const { idx, state } = run
  const isOpen = state <= ImportState.PAUSED
  if (run.isEditable === 0 || !isOpen) return null
  return (
    <>
      <CancelButton run={run} />
      {state === ImportState.APPLYING && (
        <ReasonedButton data-focus="import.main" isBusy={pause.isRunning} onClick={() => void pause.run({ idx })}>
          {t('pause')}
        </ReasonedButton>
      )}
      {state === ImportState.PAUSED && (
        <ReasonedButton
          data-focus="import.main"
          isBusy={apply.isRunning}
          onClick={() => void apply.run(run.brake ? { idx, disables: run.brake.disables } : { idx })}
        >
          {t('resume')}
        </ReasonedButton>
      )}
      {state === ImportState.PLANNED && <ApplyButton run={run} />}
    </>
  )
}
