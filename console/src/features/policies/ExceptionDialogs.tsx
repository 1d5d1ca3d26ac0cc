// Dialogs of one exception: a network with its addresses, port and access, or a process on loopback (spec S1 §5).
import { MAX_PORT } from '@acc/contract/core/limits'
import { ExceptionType, Permission } from '@acc/contract/labels/policies'
import { LoopbackException, NetworkException } from '@acc/contract/policyExceptions'
import { Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { maxLengthOf } from '../../kit/form/formInput.ts'
import { useRowForm } from '../../kit/form/useRowForm.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { EndFields, type EndValues, endFaults, endOf, newEnd, useEndFaultTexts, valuesOfEnd } from '../ends/exports.ts'
import { DomainLookup } from './DomainLookup.tsx'
import {
  type Fault,
  type Faults,
  loopbackFaults,
  loopbackOf,
  NEW_LOOPBACK,
  NEW_NETWORK,
  type NetworkValues,
  networkFaults,
  networkOf,
  newIdx,
  valuesOfNetwork,
} from './exceptionValues.ts'
import { policiesTexts } from './policies.ts'
import { endOfRow } from './policyLists.ts'

/** Lengths of the inputs (spec S1 §9). */
const { description, ip1, ip2 } = NetworkException.shape

type Props<T> = {
  /** The list that the exception belongs to. */
  listTitle: string
  rows: readonly T[]
  /** Undefined: a new one. */
  row: T | undefined
  onApply: (row: T) => void
  onClose: () => void
}

/** Returns the texts of faults. */
function useFaultTexts() {
  const t = useTexts(policiesTexts)
  const kit = useTexts(kitTexts)
  const textOf = (fault: Fault) => {
    if (fault === 'required') return kit('form.required')
    return t(`exception.fault.${fault}`)
  }
  return <V,>(faults: Faults<V>): Record<string, string> =>
    Object.fromEntries(
      Object.entries<Fault | undefined>(faults).map(([name, fault]) => [name, textOf(fault ?? 'characters')]),
    )
}

type NetworkForm = ReturnType<typeof useRowForm<NetworkValues & EndValues>>

/** What may be typed into an address. */
const addressText = (text: string) => text.replace(/[^\d.]/g, '')

function AddressInput({ form, name, label }: { form: NetworkForm; name: 'ip' | 'lastIp' | 'mask'; label: string }) {
  const { ip, lastIp } = form.values
  const change = (text: string) => {
    // A new exception covers one address until an end is typed.
    if (name === 'ip' && lastIp === ip) form.set('lastIp', text)
    form.set(name, text)
  }
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      maxLength={maxLengthOf(ip2)}
      withAsterisk
      {...form.field(name)}
      onChange={(event) => change(addressText(event.currentTarget.value))}
    />
  )
}

function Addresses({ form }: { form: NetworkForm }) {
  const t = useTexts(policiesTexts)
  const { type, domain } = form.values
  if (type === ExceptionType.DOMAIN)
    return (
      <div>
        <TextInput
          label={t('exception.domain')}
          placeholder="portal.example.com"
          maxLength={maxLengthOf(ip1)}
          withAsterisk
          {...form.field('domain')}
        />
        <DomainLookup domain={domain} />
      </div>
    )
  const isSubnet = type === ExceptionType.SUBNET
  return (
    <Group grow align="flex-start" gap={12}>
      <AddressInput form={form} name="ip" label={t(isSubnet ? 'exception.ip' : 'exception.firstIp')} />
      {isSubnet ? (
        <AddressInput form={form} name="mask" label={t('exception.mask')} />
      ) : (
        <AddressInput form={form} name="lastIp" label={t('exception.lastIp')} />
      )}
    </Group>
  )
}

/** A dialog of one exception, new or stored. Every exception has a description. */
function ExceptionDialog<V extends { description: string }>({
  listTitle,
  isNew,
  form,
  width,
  onClose,
  children,
}: {
  listTitle: string
  isNew: boolean
  form: ReturnType<typeof useRowForm<V>>
  width?: number
  onClose: () => void
  children: ReactNode
}) {
  const t = useTexts(policiesTexts)
  const kit = useTexts(kitTexts)
  return (
    <FormDialog
      title={t(isNew ? 'exception.addTo' : 'exception.editOf', { list: listTitle })}
      action={isNew ? kit('add') : t('exception.apply')}
      form={form}
      onClose={onClose}
      isNew={isNew}
      width={width}
    >
      <TextInput
        label={t('exception.description')}
        maxLength={maxLengthOf(description)}
        data-autofocus
        withAsterisk
        {...form.field('description')}
      />
      {children}
    </FormDialog>
  )
}

export function NetworkExceptionDialog({ listTitle, rows, row, onApply, onClose }: Props<NetworkException>) {
  const t = useTexts(policiesTexts)
  const textsOf = useFaultTexts()
  const idx = row?.idx ?? newIdx(rows)
  const stored = row && endOfRow(row)
  const endTextsOf = useEndFaultTexts()
  const form = useRowForm<NetworkValues & EndValues>({
    initial:
      row === undefined ? { ...NEW_NETWORK, ...newEnd() } : { ...valuesOfNetwork(row), ...valuesOfEnd(endOfRow(row)) },
    isNew: row === undefined,
    check: (values) => ({
      ...textsOf(networkFaults(networkOf(idx, values), rows)),
      ...endTextsOf(endFaults(values, stored)),
    }),
    onApply: (values) => onApply({ ...networkOf(idx, values), ...endOf(values, stored) }),
  })
  return (
    <ExceptionDialog listTitle={listTitle} isNew={row === undefined} form={form} width={480} onClose={onClose}>
      <ChoiceField
        size="xs"
        label={t('exception.type')}
        options={useOptions(ExceptionType)}
        value={form.values.type}
        onChange={(type) => form.set('type', type)}
      />
      <Addresses form={form} />
      <Group grow align="flex-start" gap={12}>
        <TextInput
          label={t('exception.portLabel')}
          description={t('exception.portHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          maxLength={String(MAX_PORT).length}
          withAsterisk
          {...form.field('port')}
          onChange={(event) => form.set('port', event.currentTarget.value.replace(/[^\d*]/g, ''))}
        />
        <ChoiceField
          size="sm"
          label={t('exception.access')}
          options={useOptions(Permission)}
          value={form.values.access}
          onChange={(access) => form.set('access', access)}
        />
      </Group>
      <EndFields form={form} />
    </ExceptionDialog>
  )
}

export function LoopbackExceptionDialog({ listTitle, rows, row, onApply, onClose }: Props<LoopbackException>) {
  const t = useTexts(policiesTexts)
  const textsOf = useFaultTexts()
  const idx = row?.idx ?? newIdx(rows)
  const form = useRowForm({
    initial: row === undefined ? NEW_LOOPBACK : { description: row.description, processName: row.processName },
    isNew: row === undefined,
    check: (values) => textsOf(loopbackFaults(loopbackOf(idx, values), rows)),
    onApply: (values) => onApply(loopbackOf(idx, values)),
  })
  return (
    <ExceptionDialog listTitle={listTitle} isNew={row === undefined} form={form} onClose={onClose}>
      <TextInput
        label={t('exception.process')}
        placeholder="chrome.exe"
        maxLength={maxLengthOf(LoopbackException.shape.processName)}
        withAsterisk
        {...form.field('processName')}
      />
    </ExceptionDialog>
  )
}
