// A failure or success message on a portal page, announced to screen readers.
import css from './Portal.module.css'

export function FormMessage({ tone, children }: { tone: 'bad' | 'ok' | 'warn'; children: string | undefined }) {
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
