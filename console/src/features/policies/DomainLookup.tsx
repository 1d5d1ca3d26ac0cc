// Asks the server's DNS for the addresses of a domain that is typed (spec S1 §7).
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { Group } from '@mantine/core'
import { useState } from 'react'
import { useApiAction } from '../../kit/api/query.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Policies.module.css'
import { policiesTexts } from './policies.ts'

type Answer = DataOf<typeof api.policies.nsLookup>

function Addresses({ answer: { ipv4, ipv6, isAnswered, isCut } }: { answer: Answer }) {
  const t = useTexts(policiesTexts)
  const addresses = [...ipv4, ...ipv6]
  if (isAnswered === 0) return <p className="quiet">{t('lookup.noAnswer')}</p>
  if (addresses.length === 0) return <p className="quiet">{t('lookup.none')}</p>
  return (
    <ul className={css.lookupList} aria-label={t('lookup.addresses')}>
      {addresses.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
      {isCut === 1 && <li>{t('lookup.more')}</li>}
    </ul>
  )
}

export function DomainLookup({ domain }: { domain: string }) {
  const t = useTexts(policiesTexts)
  const lookup = useApiAction(api.policies.nsLookup)
  const [found, setFound] = useState<{ domain: string; answer: Answer }>()
  const asked = api.policies.nsLookup.input.safeParse({ domain: domain.trim().replace(/^\*\./, '') })
  const ask = async () => {
    const answer = asked.success ? await lookup.run(asked.data) : undefined
    setFound(answer && { domain, answer })
  }
  return (
    <Group align="flex-start" gap="8px 12px" mt={8} fz="sm" aria-live="polite">
      <ReasonedButton
        size="compact-sm"
        variant="default"
        isBusy={lookup.isRunning}
        whyDisabled={asked.success ? undefined : t('lookup.whyDisabled')}
        // The error of the domain is above the button.
        reasonAt="right"
        onClick={() => void ask()}
      >
        {t('lookup.ask')}
      </ReasonedButton>
      {!lookup.isRunning && found?.domain === domain && <Addresses answer={found.answer} />}
    </Group>
  )
}
