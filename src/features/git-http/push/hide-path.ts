/**
 * Masks all mentions of an internal folder in git's output for a client; keeps the length, which packets
 * state.
 */
export function hidePath(path: string): (chunk: Buffer) => Buffer {
  const secret = Buffer.from(path, 'utf8');
  const cover = Buffer.alloc(secret.length, '.');
  return (chunk) => {
    for (let at = chunk.indexOf(secret); at >= 0; at = chunk.indexOf(secret, at + cover.length))
      cover.copy(chunk, at);
    return chunk;
  };
}
