// The view of a screen (focused row, tab, filters) is kept in the browser's history with the screen's name, so that
// Back, Forward and reload restore it although the address stays the front route (spec S1 §2). A change of the view is
// a navigation, and so passes the unsaved guard.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { use, useCallback, useMemo } from 'react'
import type { z } from 'zod'
import { OpenScreensContext } from './screen.ts'

type Change<V> = { [K in keyof V]?: V[K] | undefined }

/** `const [view, setView] = useView(z.object({ idx: z.number().optional() }))`. Unknown or bad values fall back. */
export function useView<S extends z.ZodObject>(schema: S) {
  type View = z.output<S>
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const view = useMemo(() => {
    const read = schema.safeParse(search)
    return read.success ? read.data : schema.parse({})
  }, [schema, search])
  /** `replace` for typed text, so that Back does not step through single characters. */
  const setView = useCallback(
    (change: Change<View>, options: { replace?: boolean } = {}) =>
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, ...change }),
        replace: options.replace ?? false,
      }),
    [navigate],
  )
  return [view, setView] as const
}

/** The view as the parts of a screen receive it: `ViewProps<typeof UsersView>`. */
export type ViewProps<S extends z.ZodObject> = { view: z.output<S>; setView: ReturnType<typeof useView<S>>[1] }

/** Whether the viewer may open a screen: `canOpen('users')`. */
export function useCanOpen(): (screen: string) => boolean {
  const open = use(OpenScreensContext)
  return (screen) => open.some(({ name }) => name === screen)
}

/** Opens another screen: `openScreen('users', { idx: 3 })`. */
export function useOpenScreen() {
  const navigate = useNavigate()
  return useCallback(
    (screen: string, view: Record<string, unknown> = {}) =>
      void navigate({ to: '/$screen', params: { screen }, search: view }),
    [navigate],
  )
}
