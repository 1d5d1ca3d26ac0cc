// Opens the OTP manual in a new tab, in the page's language (spec S1 §2).
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { otpManualAddress } from './portal.calls.ts'
import { selfServiceTexts } from './selfService.texts.ts'

export function OtpManualLink() {
  const t = useTexts(selfServiceTexts)
  const language = useLanguage()
  return (
    <a className={css.manual} href={otpManualAddress(language)} target="_blank" rel="noreferrer">
      {t('manual')}
    </a>
  )
}
