import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import picomatch from 'picomatch';

/** Returns files below `folder` that match patterns or are in named folders. */
export async function findFiles(
  folder: string,
  paths: readonly string[],
  exclude: readonly string[] = [],
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(`.git${sep}`));
  const patterns = paths.flatMap((path) => [path, `${path.replace(/\/$/, '')}/**`]);
  const isMeant = picomatch([...patterns], { dot: true });
  const isExcluded = exclude.length > 0 ? picomatch([...exclude], { dot: true }) : () => false;
  return files.filter((file) => isMeant(file) && !isExcluded(file)).sort();
}

/** Packs files into an archive. */
export async function pack(folder: string, files: readonly string[], target: string): Promise<void> {
  const zip = new ZipFile();
  for (const file of files) zip.addFile(join(folder, file), file);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target));
}

/** Unpacks an archive, and refuses paths outside of the folder. */
export async function unpack(archive: Buffer, folder: string): Promise<void> {
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const target = resolve(folder, entry.fileName);
    if (!target.startsWith(folder + sep)) throw new Error(`${entry.fileName} lies outside`);
    if (entry.fileName.endsWith('/')) continue;
    await mkdir(dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
  }
}
