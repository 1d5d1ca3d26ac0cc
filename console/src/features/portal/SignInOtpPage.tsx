// The OTP step of a sign-in (spec S1 §2, §4).
import { useEffect, useState } from 'react'
import { readStored, stored } from '../../kit/browser/storage.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './Fields.tsx'
import { OtpStep } from './OtpStep.tsx'
import type { OtpRequest } from './otpRequest.ts'
import { selfServiceTexts } from './portal.texts.ts'
import { refusalOf, requestSession } from './requestSignIn.ts'
import type { Credentials, SignInChoices } from './SignInPage.tsx'
import { openDmsLater, useArrival } from './useArrival.ts'

/** Milliseconds that a code is shown, counted from the epoch (RFC 6238). */
const STEP = 30_000

/** The code that registered an authenticator is used up, so this one counts down to the next. */
function NewCodeNotice() {
  const t = useTexts(selfServiceTexts)
  const [next] = useState(() => STEP * Math.ceil(Date.now() / STEP))
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((next - now) / 1000)
  return (
    <>
      <FormMessage tone="ok">{t('step.registered')}</FormMessage>
      {seconds > 0 && (
        <p className="quiet" role="timer">
          {t('step.nextIn', { seconds })}
        </p>
      )}
    </>
  )
}

type Props = SignInChoices & { credentials: Credentials; asked: OtpRequest; isNew?: true; onBack: () => void }

export function SignInOtpPage({ credentials, asked, isNew, onBack, ...choices }: Props) {
  const { configs, onStep } = choices
  const { id, pw } = credentials
  const arrive = useArrival(choices)
  const send = async (otp?: string) => {
    const dms = openDmsLater(configs.runtime, otp !== undefined && readStored(stored.openDms) === '1')
    try {
      await arrive(await requestSession(id, pw, otp), dms)
    } catch (error) {
      dms?.cancel()
      throw error
    }
  }
  const onOther = (error: unknown) => {
    const refusal = refusalOf(error, configs)
    if (refusal.name === 'failed') return refusal.message
    onStep(refusal, credentials)
    return undefined
  }
  return (
    <OtpStep
      configs={configs}
      id={id}
      asked={asked}
      notice={isNew && <NewCodeNotice />}
      send={send}
      onOther={onOther}
      onBack={onBack}
    />
  )
}
