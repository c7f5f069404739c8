import { startServers } from './servers.mjs';

/** Before the first test file: starts the servers and hands their addresses to the workers. */
export default async function setup() {
  // Each project names this file, jest calls it once; the guard is for watch mode.
  if (globalThis.testServers) return;
  const servers = await startServers(process.env);
  globalThis.testServers = servers;
  process.env.TEST_DATABASE_URL = servers.database;
  if (servers.redis) process.env.TEST_REDIS_URL = servers.redis;
  let stopping = false;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void servers.stop().finally(() => process.exit(code));
    });
  }
}
