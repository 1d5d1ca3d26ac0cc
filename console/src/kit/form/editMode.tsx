// The edit mode of a list: rows are checked, then an action is run on all of them (spec S1 §2, §4, S2 §2, §7).
import type { ApiError } from '@acc/contract/core/client'
import { MissingRows } from '@acc/contract/core/fields'
import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { errorText } from '../api/errorText.ts'
import { showMessage } from '../dialogs/dialogs.tsx'
import { kitTexts, useNameOf } from '../texts/kit.texts.ts'
import { text, useTexts } from '../texts/texts.ts'
import { ReasonedButton } from './ReasonedButton.tsx'

export type EditMode<T> = {
  isOn: boolean
  checked: readonly T[]
  check: (rows: T[]) => void
  /** Starts or ends the mode; nothing is checked afterwards. */
  turn: (isOn: boolean) => void
  /** Props of a PagedTable: checkboxes while the mode is on, of rows that stay in sight. */
  selection: { checked: readonly T[]; onCheck: (rows: T[]) => void; dropsHidden: true } | Record<never, never>
}

/** `rows` are the rows in hand, if all are: a checked one that left them is no longer checked. */
export function useEditMode<T extends { idx: number }>(rows?: readonly T[]): EditMode<T> {
  const [stored, check] = useState<readonly T[]>()
  const idxes = rows && new Set(rows.map(({ idx }) => idx))
  const checked = (stored ?? []).filter(({ idx }) => idxes === undefined || idxes.has(idx))
  return {
    isOn: stored !== undefined,
    checked,
    check,
    turn: (isOn) => check(isOn ? [] : undefined),
    selection: stored === undefined ? {} : { checked, onCheck: check, dropsHidden: true },
  }
}

/**
 * Explains NOT_ALLOWED of an action on checked rows. Unchecks the removed rows, so that the action can be repeated for
 * the others. Returns whether any are left.
 */
export async function dropMissing<T extends { idx: number }>(
  mode: EditMode<T>,
  error: ApiError,
  title: string,
): Promise<boolean> {
  const missing = new Set(MissingRows.safeParse(error.data).data?.missing)
  const left = mode.checked.filter(({ idx }) => !missing.has(idx))
  const body =
    left.length === 0 ? text(kitTexts, 'list.allMissing') : text(kitTexts, 'list.missing', { count: missing.size })
  mode.check(left)
  await showMessage({ title, body: missing.size === 0 ? errorText(error) : body })
  return left.length > 0
}

type Look = Pick<ButtonProps, 'size' | 'variant' | 'color'>
type SwitchProps<T> = Look & {
  mode: EditMode<T>
  /** The list has no row: there is nothing to edit. */
  isEmpty: boolean
  label?: string | undefined
  /** What the list holds, where a screen has several lists: part of the accessible names. */
  subject?: string | undefined
  /** Asks about unsaved changes before the mode starts. */
  guard?: (action: () => void) => () => void
}

const unguarded = (action: () => void) => action

/** "Edit" outside the mode, "Done" in it. */
export function EditModeSwitch<T>({ mode, isEmpty, label, subject, guard = unguarded, ...look }: SwitchProps<T>) {
  const t = useTexts(kitTexts)
  const nameOf = useNameOf(subject)
  const word = mode.isOn ? t('done') : (label ?? t('edit'))
  const shown = mode.isOn ? { size: look.size } : look
  // One element in both states, which keeps the focus.
  return (
    <ReasonedButton
      variant="default"
      {...shown}
      data-focus="editMode"
      aria-label={nameOf(word)}
      whyDisabled={isEmpty && !mode.isOn ? t('list.nothingToEdit') : undefined}
      onClick={mode.isOn ? () => mode.turn(false) : guard(() => mode.turn(true))}
    >
      {word}
    </ReasonedButton>
  )
}

/** How many people are checked. */
export function CheckedPeople<T>({ mode }: { mode: EditMode<T> }) {
  const t = useTexts(kitTexts)
  return mode.isOn && <span>{t('list.selectedPeople', { count: mode.checked.length })}</span>
}

type ActionProps<T> = Look & {
  mode: EditMode<T>
  label: string
  subject?: string | undefined
  onClick: () => void
  isDanger?: boolean
  isBusy?: boolean
  /** Why the checked rows are refused, such as their number. */
  whyDisabled?: string | undefined
}

/** A button that acts on the checked rows and says if no row is checked. Shown in the mode only. */
export function EditModeAction<T>({
  mode,
  label,
  subject,
  onClick,
  isDanger = false,
  isBusy,
  whyDisabled,
  ...look
}: ActionProps<T>) {
  const t = useTexts(kitTexts)
  const nameOf = useNameOf(subject)
  if (!mode.isOn) return null
  const isOff = mode.checked.length === 0
  return (
    <ReasonedButton
      variant="default"
      {...look}
      aria-label={nameOf(label)}
      c={isDanger && !isOff ? 'var(--bad)' : undefined}
      isBusy={isBusy}
      whyDisabled={isOff ? t('list.noneSelected') : whyDisabled}
      onClick={onClick}
    >
      {label}
    </ReasonedButton>
  )
}

type ListActionsProps<T> = Omit<SwitchProps<T>, 'label' | 'variant' | 'color'> & {
  /** Label of the button that starts the edit mode. */
  editLabel?: string | undefined
  /** An absent handler removes its action. */
  onRemove?: (() => void) | undefined
  /** "Delete" by default. */
  removeLabel?: string | undefined
  isBusy?: boolean
  onAdd?: (() => void) | undefined
  addLabel?: string | undefined
}

/** The actions in the head of a short list: remove in the edit mode, its switch, and add outside of it. */
export function ListActions<T>(props: ListActionsProps<T>) {
  const { mode, size, isEmpty, subject, guard = unguarded, editLabel, onRemove, removeLabel, isBusy, onAdd } = props
  const t = useTexts(kitTexts)
  const nameOf = useNameOf(subject)
  const add = props.addLabel ?? t('add')
  return (
    <>
      {onRemove && (
        <>
          <EditModeAction
            size={size}
            mode={mode}
            label={removeLabel ?? t('remove')}
            subject={subject}
            isDanger
            isBusy={isBusy}
            onClick={onRemove}
          />
          <EditModeSwitch
            size={size}
            variant="subtle"
            color="gray"
            mode={mode}
            label={editLabel}
            subject={subject}
            isEmpty={isEmpty}
            guard={guard}
          />
        </>
      )}
      {onAdd && !mode.isOn && (
        <Button
          size={size}
          variant="default"
          leftSection={<IconPlus size={size === undefined ? 14 : 13} />}
          aria-label={nameOf(add)}
          onClick={guard(onAdd)}
        >
          {add}
        </Button>
      )}
    </>
  )
}
