import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#kernel/config/config.js';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';

/** Ensures that PORT and HOST can be listened on, before anything else is done. @throws StartProblem */
export async function checkListening(config: Config): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(config.PORT, config.HOST), 'listening');
  } catch (error) {
    throw listenProblem(config, error);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Describes why listening failed. */
export function listenProblem({ PORT, HOST }: Config, error: unknown): unknown {
  const cause = causeOf(error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartProblem(
        `PORT ${PORT} is already in use (${cause}): stop the process that listens there, or choose another PORT.`,
      );
    case 'EACCES':
      return new StartProblem(
        `PORT ${PORT} is not allowed for this user (${cause}): choose a port above 1023, or grant CAP_NET_BIND_SERVICE.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new StartProblem(
        `HOST ${HOST} is not an address of this machine (${cause}): choose one that it has, or 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}
