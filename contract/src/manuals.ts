// The manuals of the people who use the desktop client (spec S1 §2, §7).
import { z } from 'zod'
import { defineRoutes, download, page } from './core/route.ts'

/** Without one: the language of the `Accept-Language` header. */
const language = z.enum(['ko', 'en']).optional()

export const manuals = defineRoutes({
  /** How to register an authenticator: a page that is readable before signing in. */
  otp: page('/Account/GetOtpManual', {
    input: z.object({ language }),
    data: z.string(),
    access: 'public',
    credentials: 'omit',
    errors: [],
  }),
  /** The user manual as PDF. */
  user: download('/Account/AccManual', {
    mediaType: 'application/pdf',
    input: z.object({ type: z.literal(1), language }),
    data: z.string(),
    access: 'session',
    errors: [],
    audit: { none: 'the manual is the same for everybody' },
  }),
})
