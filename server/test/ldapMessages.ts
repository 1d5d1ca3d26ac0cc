// Responses of a directory as bytes, for directories that tests play.
import { BerWriter } from 'ldapts'

/** Writes a message around its operation. */
function message(id: number, operation: number, write: (writer: BerWriter) => void, cookie?: Buffer): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(operation)
  write(writer)
  writer.endSequence()
  if (cookie !== undefined) {
    const value = new BerWriter()
    value.startSequence()
    value.writeInt(0)
    value.writeBuffer(cookie, 0x04)
    value.endSequence()
    writer.startSequence(0xa0)
    writer.startSequence()
    writer.writeString('1.2.840.113556.1.4.319')
    writer.writeBuffer(value.buffer, 0x04)
    writer.endSequence()
    writer.endSequence()
  }
  writer.endSequence()
  return Buffer.from(writer.buffer)
}

/** Writes an entry of a search. */
export const entryMessage = (id: number, dn: string, attributes: Record<string, readonly string[]>): Buffer =>
  message(id, 0x64, (writer) => {
    writer.writeString(dn)
    writer.startSequence()
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence()
      writer.writeString(name)
      writer.startSequence(0x31)
      for (const value of values) writer.writeString(value)
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
  })

/** Writes the result of a request; `cookie` is that of a page. */
export const resultMessage = (id: number, operation: number, code: number, text = '', cookie?: Buffer): Buffer =>
  message(
    id,
    operation,
    (writer) => {
      writer.writeEnumeration(code)
      writer.writeString('')
      writer.writeString(text)
    },
    cookie,
  )
