import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { library } from '#kernel/libraries/library.js';
import { held } from '#kernel/streams/held.js';
import type { Pieces } from './export-files.service.js';

const tar = library('tar-stream');

/** Yields an archive without files. */
export async function* emptyArchive(): Pieces {
  const archive = tar().pack();
  archive.finalize();
  yield* archive;
}

/** Yields an archive with one file. */
export async function* archiveOf(name: string, path: string): Pieces {
  const { size } = await stat(path);
  const archive = held(tar().pack());
  const entry = archive.entry({ name, size });
  const filling = pipeline(createReadStream(path), entry).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  yield* archive;
  await filling;
}
