import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { ShortcutKind } from './shortcuts.queries.ts'
import { createShortcut, removeShortcuts, searchPrograms, searchWebs, updateShortcut } from './shortcuts.service.ts'

const { WEB, PROGRAM } = ShortcutKind

export default routes(api.shortcuts, {
  searchWebs,
  searchPrograms,
  createWeb: (ctx, { url, ...rest }) => createShortcut(ctx, WEB, { ...rest, target: url }),
  createProgram: (ctx, { path, ...rest }) => createShortcut(ctx, PROGRAM, { ...rest, target: path }),
  updateWeb: (ctx, { url, ...rest }) => updateShortcut(ctx, WEB, { ...rest, target: url }),
  updateProgram: (ctx, { path, ...rest }) => updateShortcut(ctx, PROGRAM, { ...rest, target: path }),
  removeWebs: (ctx, input) => removeShortcuts(ctx, WEB, input),
  removePrograms: (ctx, input) => removeShortcuts(ctx, PROGRAM, input),
})
