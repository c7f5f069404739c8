// node scripts/run-built.mjs <file below dist> [arguments]: builds if a source changed, then runs that file.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.mjs';

const [file, ...args] = process.argv.slice(2);
const target = new URL(`../dist/${file}`, import.meta.url);
try {
  await buildIfStale(console.error);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.argv = [process.execPath, fileURLToPath(target), ...args];
await import(target.href);
