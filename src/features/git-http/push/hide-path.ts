/** Covers every mention of a folder of ours in what git says to a client; the length stays, for packets say theirs. */
export function hidePath(path: string): (chunk: Buffer) => Buffer {
  const secret = Buffer.from(path, 'utf8');
  const cover = Buffer.alloc(secret.length, '.');
  return (chunk) => {
    for (let at = chunk.indexOf(secret); at >= 0; at = chunk.indexOf(secret, at + cover.length))
      cover.copy(chunk, at);
    return chunk;
  };
}
