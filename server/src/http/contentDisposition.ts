// The header that names a download (RFC 6266): Korean and all other letters as UTF-8 (RFC 8187), and an ASCII form for
// older programs. For every name, the value is one line of printable ASCII.
import { safeFileName } from '@acc/contract/core/fileName'

/** The value of Content-Disposition for saving under `name`, which is made safe first. */
export function contentDisposition(name: string): string {
  const safe = safeFileName(name)
  // A percent sign in the plain form is decoded by some browsers, a quote or backslash would end or escape it.
  const plain = safe.replace(/[^\x20-\x7e]|[%"\\]/gu, '_')
  // encodeURIComponent leaves these four, which are no attr-char of RFC 8187, as they are.
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
