// The approval steps of a policy, for each direction that this installation approves. Step 1 is fixed; the others each
// name an authority.
import { api } from '@acc/contract'
import { POLICY_LIST_LABELS } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import type { Policy } from '@acc/contract/policies'
import { LATER_STEPS, type PolicyStep } from '@acc/contract/policySteps'
import { Button, Select } from '@mantine/core'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { Section } from '../../kit/layout/Page.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ListFrame } from './ListFrame.tsx'
import css from './Policies.module.css'
import { policiesTexts } from './policies.ts'
import { replaceStep, stepRows } from './policyLists.ts'
import { useStepWords } from './policyWords.ts'
import type { PolicyFormState } from './usePolicyForm.tsx'

type StepsProps = { type: Transfer; steps: readonly PolicyStep[] }
type EditProps = StepsProps & { onChange: (steps: PolicyStep[]) => void; isChanged: boolean | undefined }

/** The choice of no further step. */
const NO_STEP = 0

/** Returns the choices of each step. Authorities that nobody can use, or that decide the other step, are off. */
function useChoices({ type, steps }: StepsProps) {
  const t = useTexts(policiesTexts)
  const query = useApiQuery(api.policies.findStepAuthorities, { type })
  const authorities = query.data?.authorities ?? []
  const known = new Map([
    ...authorities.map(({ idx, name }) => [idx, name] as const),
    ...steps.map(({ authorityIdx, authorityName }) => [authorityIdx, authorityName] as const),
  ])
  const countOf = (idx: number) => authorities.find((authority) => authority.idx === idx)?.memberCount ?? 0
  const optionsOf = (step: number) => {
    const isOff = (idx: number) =>
      countOf(idx) === 0 || steps.some((one) => one.step !== step && one.authorityIdx === idx)
    return [
      { value: NO_STEP, label: t('steps.none') },
      ...[...known].map(([idx, name]) => ({ value: idx, label: name, disabled: isOff(idx) })),
    ]
  }
  return { query, optionsOf, countOf, nameOf: (idx: number) => known.get(idx) ?? '' }
}

/** The later steps to choose: a third one once there is a second one. */
function StepInputs({ type, steps, onChange, isChanged }: EditProps) {
  const t = useTexts(policiesTexts)
  const { placeText } = useStepWords()
  const { query, optionsOf, countOf, nameOf } = useChoices({ type, steps })
  return (
    <>
      {LATER_STEPS.slice(0, steps.length + 1).map((step) => (
        <div key={step} className={css.row} data-step data-changed={isChanged}>
          <span className={css.field}>{placeText({ type, step })}</span>
          <Select<number>
            aria-label={placeText({ type, step })}
            data={optionsOf(step)}
            renderOption={({ option: { value, label } }) => (
              <span className={css.choice}>
                {label} {value !== NO_STEP && <small>{t('steps.members', { count: countOf(value) })}</small>}
              </span>
            )}
            searchable
            allowDeselect={false}
            openOnFocus={false}
            nothingFoundMessage={t('steps.noneFound')}
            value={steps.find((one) => one.step === step)?.authorityIdx ?? NO_STEP}
            onChange={(idx) =>
              onChange(replaceStep(steps, { type, step }, idx ? { idx, name: nameOf(idx) } : undefined))
            }
          />
        </div>
      ))}
      {query.isError && (
        <p className={css.failed} data-tone="bad" role="alert">
          {t('steps.failed')}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
            {t('why.retry')}
          </Button>
        </p>
      )}
    </>
  )
}

function StepValues({ steps }: StepsProps) {
  const { placeText } = useStepWords()
  return steps.map((one) => (
    <div key={one.step} className={css.row} data-step>
      <dt className={css.field}>{placeText(one)}</dt>
      <dd className={css.value}>{one.authorityName}</dd>
    </div>
  ))
}

function FirstStep({ type, isEdited }: { type: Transfer; isEdited: boolean }) {
  const t = useTexts(policiesTexts)
  const { placeText } = useStepWords()
  const [Name, Value] = isEdited ? (['span', 'span'] as const) : (['dt', 'dd'] as const)
  return (
    <div className={css.row} data-step>
      <Name className={css.field}>{placeText({ type, step: 1 })}</Name>
      <Value className={css.value}>{t('steps.first')}</Value>
    </div>
  )
}

/** Without a form the steps are read-only. */
type Props = { policy: Policy; form?: PolicyFormState | undefined }

export function ApprovalSteps({ policy, form }: Props) {
  const label = useLabel()
  const { runtime } = useViewer()
  const { approve } = runtime.show
  const directions = [...(approve.export ? [Transfer.EXPORT] : []), ...(approve.import ? [Transfer.IMPORT] : [])]
  if (directions.length === 0) return null
  const input = form?.field('approvalSteps')
  const steps = form?.values.approvalSteps ?? policy.approvalSteps
  const of = (type: Transfer) => steps.filter((step) => step.type === type)
  const set = (type: Transfer, chosen: PolicyStep[]) =>
    form?.set(
      'approvalSteps',
      [...of(Transfer.IMPORT), ...of(Transfer.EXPORT)].filter((step) => step.type !== type).concat(chosen),
    )
  const List = form === undefined ? 'dl' : 'div'
  const above = policy.above && { name: policy.aboveOwnerName ?? '', rows: stepRows(policy.above.approvalSteps) }
  return (
    <Section title={label(POLICY_LIST_LABELS.approvalSteps)}>
      <ListFrame
        name="approvalSteps"
        rows={stepRows(steps)}
        above={above}
        isOwn={form !== undefined}
        error={input?.error}
      >
        {directions.map((type) => (
          <List key={type} className={css.rows}>
            <FirstStep type={type} isEdited={form !== undefined} />
            {form === undefined ? (
              <StepValues type={type} steps={of(type)} />
            ) : (
              <StepInputs
                type={type}
                steps={of(type)}
                onChange={(chosen) => set(type, chosen)}
                isChanged={input?.wrapperProps['data-changed']}
              />
            )}
          </List>
        ))}
      </ListFrame>
    </Section>
  )
}
