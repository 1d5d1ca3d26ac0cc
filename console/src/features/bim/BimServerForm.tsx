// The form of a BIM server. After a server is created, the form becomes that of an update (spec S2 §4, §5, §8).
import { api } from '@acc/contract'
import type { BimServer } from '@acc/contract/bim'
import { BimServerState } from '@acc/contract/bim'
import { formatMoment } from '@acc/contract/labels/formats'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type FieldWords, HeldForm } from '../../kit/form/conflictGuard.tsx'
import { Fields, PaneForm } from '../../kit/form/PaneForm.tsx'
import { type ApiForm, useApiForm } from '../../kit/form/useApiForm.ts'
import { CopyButton } from '../../kit/layout/CopyButton.tsx'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { bimTexts } from './bim.ts'
import { IpInput } from './IpInput.tsx'

const BYTES = 32

/** 256 random bits as 43 characters of base64url. */
const newServerId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

type Values = { id: string; pcName: string; ip: string; description: string }
type FieldsProps = {
  form: ApiForm<Values>
  /** The id of a new server, sent where the field is left empty. */
  placeholder?: string
}

/** The id of a BIM server, which is its secret: masked until it is revealed, with a button that copies it. */
function ServerId({ form, placeholder }: FieldsProps) {
  const t = useTexts(bimTexts)
  const isNew = placeholder !== undefined
  const [isShown, setShown] = useState(isNew)
  return (
    <div>
      <TextInput
        type={isShown ? 'text' : 'password'}
        label={t('server.id')}
        description={t(isNew ? 'server.newIdHint' : 'server.idHint')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={placeholder}
        autoComplete="new-password"
        spellCheck={false}
        classNames={{ input: css.mono }}
        rightSectionWidth={62}
        rightSection={
          <Group gap={4} wrap="nowrap">
            <IconButton
              size={22}
              label={t(isShown ? 'server.hideId' : 'server.showId')}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
            </IconButton>
            <CopyButton value={form.values.id || (placeholder ?? '')} />
          </Group>
        }
        {...form.field('id')}
      />
      {!isNew && (
        <Group align="baseline" gap={8} mt={8} wrap="nowrap">
          <Button flex="none" size="compact-xs" variant="default" onClick={() => form.set('id', newServerId())}>
            {t('server.replaceId')}
          </Button>
          <Hint>{t('server.replaceHint')}</Hint>
        </Group>
      )}
    </div>
  )
}

const FIELDS = { DUPLICATE_ID: 'id', DUPLICATE_NAME: 'pcName', DUPLICATE_IP: 'ip' } as const

function useServerTexts() {
  const t = useTexts(bimTexts)
  return {
    texts: { DUPLICATE_ID: t('server.duplicateId'), DUPLICATE_NAME: t('server.duplicateName') },
    messages: { id: t('server.idFormat'), ip: t('ipFormat') },
    /** Why Save is disabled. */
    whyNot: (isDirty: boolean, { pcName, ip }: Values): string | undefined => {
      if (!isDirty) return t('unchanged')
      if (pcName.trim() === '') return t('server.enterPcName')
      return ip === '' ? t('enterIp') : undefined
    },
  }
}

function ServerFields({ form, placeholder }: FieldsProps) {
  const t = useTexts(bimTexts)
  return (
    <Fields>
      <TextInput
        label={t('server.pcName')}
        withAsterisk
        autoFocus={placeholder !== undefined}
        {...form.field('pcName')}
      />
      <IpInput form={form} />
      <TextInput label={t('description')} {...form.field('description')} />
      <ServerId form={form} placeholder={placeholder} />
    </Fields>
  )
}

export function CreateServer({ onCreated }: { onCreated: (idx: number) => void }) {
  const t = useTexts(bimTexts)
  const { texts, messages, whyNot } = useServerTexts()
  const [generated] = useState(newServerId)
  const form = useApiForm(api.bim.createServer, {
    initial: { id: '', pcName: '', ip: '', description: '' },
    placeholders: { id: generated },
    fields: FIELDS,
    texts,
    messages,
    done: t('server.created'),
    onDone: ({ idx }) => onCreated(idx),
  })
  const reason = whyNot(form.isDirty, form.values)
  return (
    <PaneForm form={form} isNew title={t('server.new')} whyDisabled={reason}>
      <Hint>{t('server.newHint')}</Hint>
      <ServerFields form={form} placeholder={generated} />
    </PaneForm>
  )
}

function UpdateForm({ server }: { server: BimServer }) {
  const t = useTexts(bimTexts)
  const { texts, messages, whyNot } = useServerTexts()
  const { idx, revision, id, pcName, ip, description, isOnline, heartbeatDT } = server
  const form = useApiForm(api.bim.updateServer, {
    initial: { id, pcName, ip, description },
    fixed: { idx, revision },
    fields: FIELDS,
    texts,
    messages,
  })
  const reason = whyNot(form.isDirty, form.values)
  return (
    <PaneForm
      form={form}
      title={pcName}
      aside={<StateDot label={BimServerState.labels[isOnline]} />}
      whyDisabled={reason}
    >
      {isOnline === BimServerState.OFFLINE && (
        <Text className="quiet" mb={12}>
          {heartbeatDT === null ? t('server.neverReported') : t('server.lastReport', { at: formatMoment(heartbeatDT) })}
        </Text>
      )}
      <ServerFields form={form} />
    </PaneForm>
  )
}

/** Keeps the typed values when another administrator saves first. */
export function UpdateServer({ latest }: { latest: BimServer }) {
  const t = useTexts(bimTexts)
  const wordsOf = (one: BimServer): FieldWords => [
    [t('server.pcName'), one.pcName, 'pcName'],
    [t('ip'), one.ip, 'ip'],
    [t('description'), one.description, 'description'],
    // The ID is a secret: that it was replaced is said, without a value.
    [t('server.id'), one.id === latest.id ? t('server.newId') : t('server.oldId'), 'id'],
  ]
  return (
    <HeldForm latest={latest} wordsOf={wordsOf}>
      {(record) => <UpdateForm server={record} />}
    </HeldForm>
  )
}
