// Bytes on their way through: a gigabyte is sixteen thousand buffers, which the garbage collector would find by the hundred, with
// a look through all of the heap each time (a third of the work of an upload).

/** Frees the memory of bytes that nobody uses any more, where it is theirs alone. */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
