// The OTP step of a sign-in (spec S1 §2, §4).
import { readStored, stored } from '../../kit/browser/storage.ts'
import { openDmsLater } from './dms.ts'
import { NewCodeNotice } from './NewCodeNotice.tsx'
import { OtpStep } from './OtpStep.tsx'
import type { OtpRequest } from './otpRequest.ts'
import { refusalOf, requestSession } from './requestSignIn.ts'
import { useArrival } from './useArrival.ts'
import type { Credentials, SignInChoices } from './useSignInForm.ts'

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
