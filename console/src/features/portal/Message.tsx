// What a portal page has to say: a failure or a success, read out at once.
import css from './Portal.module.css'

export function Message({ tone, children }: { tone: 'bad' | 'ok' | 'warn'; children: string | undefined }) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'}>
      {children !== undefined && (
        <p className={css.message} data-tone={tone}>
          {children}
        </p>
      )}
    </div>
  )
}
