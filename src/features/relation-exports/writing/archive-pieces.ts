import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import type { Pieces } from './export-files.js';

/** An archive without files. */
export async function* emptyArchive(): Pieces {
  const archive = pack();
  archive.finalize();
  yield* archive;
}

/** An archive of one file. */
export async function* archiveOf(name: string, path: string): Pieces {
  const { size } = await stat(path);
  const archive = pack();
  const entry = archive.entry({ name, size });
  const filling = pipeline(createReadStream(path), entry).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  yield* archive;
  await filling;
}
