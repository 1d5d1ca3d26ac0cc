// Streaming 1 GB allocates about 16,000 buffers and would trigger frequent full garbage collections (a third of the time of an
// upload), so each one is freed as soon as its bytes have been written.

/** Frees the memory of bytes that are no longer used, if the buffer holds nothing else. */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
