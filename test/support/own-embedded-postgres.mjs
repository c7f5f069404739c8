// A process that owns an embedded PostgreSQL until it is killed: `node own-embedded-postgres.mjs DATA_DIR [CONNECTIONS]`.
import { importTypeScript } from './load-typescript.mjs';

const { startEmbeddedPostgres } = await importTypeScript(
  'src/kernel/database/embedded/start-embedded-postgres.ts',
);
const [, , dataDir, connections] = process.argv;
const server = await startEmbeddedPostgres({
  dataDir,
  settings: connections === undefined ? {} : { max_connections: connections },
});
console.log(server.url);
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setTimeout(() => undefined, 2 ** 31 - 1);
