// The sessionChecking state: a spinner in the middle of the page.
import { Loader } from '@mantine/core'
import css from './App.module.css'

export function SplashScreen({ label }: { label: string }) {
  return (
    <main className={css.whole} aria-busy="true" aria-label={label}>
      <Loader size="sm" color="gray" />
    </main>
  )
}
