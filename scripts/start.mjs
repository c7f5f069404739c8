// npm start: builds when a source changed, then becomes the product. The same process all along, so that the signals
// of a terminal, of npm and of a process manager reach it directly.
import { buildIfStale } from './build.mjs';

try {
  await buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import('../dist/app/main.js');
