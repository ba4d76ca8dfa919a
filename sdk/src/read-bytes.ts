/** What the stream brings, or undefined when it is more than the limit. Leaving the loop cancels the stream. */
export async function readBytes(stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
