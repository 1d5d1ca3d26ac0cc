// Reads the plain text back out of a mail's source, for tests.
const PART =
  /Content-Type: text\/plain[^\r\n]*(?:\r\n[^\r\n]+)*?\r\nContent-Transfer-Encoding: (\S+)\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n-+_NmP/i

const DECODERS: Record<string, (body: string) => string> = {
  '7bit': (body) => body,
  base64: (body) => Buffer.from(body, 'base64').toString('utf8'),
  'quoted-printable': (body) =>
    Buffer.from(
      body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
      'latin1',
    ).toString('utf8'),
}

/** Returns the text of a mail's text/plain part. */
export function plainTextOf(source: string): string {
  const [, encoding = '', body = ''] = PART.exec(source) ?? []
  const decode = DECODERS[encoding.toLowerCase()]
  if (decode === undefined) throw new Error(`no plain text in ${source}`)
  return decode(body)
}
