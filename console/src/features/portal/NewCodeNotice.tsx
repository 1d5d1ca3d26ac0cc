// After the registration of an authenticator: the code that registered it is used up, so this one counts down to the next.
import { useEffect, useState } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { FormMessage } from './FormMessage.tsx'
import css from './Portal.module.css'
import { selfServiceTexts } from './selfService.texts.ts'

/** Milliseconds that a code is shown, counted from the epoch (RFC 6238). */
const STEP = 30_000

export function NewCodeNotice() {
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
        <p className={css.note} role="timer">
          {t('step.nextIn', { seconds })}
        </p>
      )}
    </>
  )
}
