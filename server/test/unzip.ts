// Reads a small zip by its central directory: `unzip(bytes)` returns names and contents (PKWARE APPNOTE 6.3.10).

/** Supports only what the server creates: stored entries, no comment, below 4 GiB. */
export function unzip(zip: Buffer): { name: string; bytes: Buffer }[] {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('not the end of a zip')
  let record = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [size, nameLength] = [zip.readUInt32LE(record + 24), zip.readUInt16LE(record + 28)]
    const local = zip.readUInt32LE(record + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const name = zip.toString('utf8', record + 46, record + 46 + nameLength)
    record += 46 + nameLength + zip.readUInt16LE(record + 30)
    return { name, bytes: zip.subarray(start, start + size) }
  })
}
