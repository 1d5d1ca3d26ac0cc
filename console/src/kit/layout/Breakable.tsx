// A value in a narrow place. An email address that is too long for its line breaks at its signs, not after any letter.
import { Fragment } from 'react'

const EMAIL = /^[^\s@]+@[^\s@]+$/

export function Breakable({ text }: { text: string }) {
  if (!EMAIL.test(text)) return text
  return [...text.matchAll(/[@.]+[^@.]*|[^@.]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
