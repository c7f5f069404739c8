import { Gitlab, GitbeakerRequestError } from '@gitbeaker/rest';
import { startApi } from './api.js';
import { ApiClient } from './client.js';
import { freePort, ROOT_TOKEN } from './processes.js';
import { borrowApi } from './shared-api.js';

/** An unmodified client of the v4 API. */
export type Client = InstanceType<typeof Gitlab<false>>;

/** A user created by a client test. */
export interface ClientUser {
  readonly id: number;
  readonly username: string;
  readonly token: string;
  readonly api: Client;
}

/** The product at its external URL, and clients for it. */
export interface ClientWorld {
  readonly product: { readonly url: string };
  /** A client with the token of the administrator. */
  readonly root: Client;
  as(token: string): Client;
  /** A plain client for the few paths that gitbeaker has no method for. */
  readonly plain: ApiClient;
  /** Creates a user with a token of the given scopes, through the client. */
  user(name: string, scopes?: string[]): Promise<ClientUser>;
  close(): Promise<void>;
}

/** URL of the product of this process, for one test file after another. */
let kept: Promise<number> | undefined;

/**
 * The product inside the test process, for one test file: clients see the same as with a separate process,
 * whose start costs five seconds of CPU. Files with the default settings share one.
 */
export async function startClientWorld(env: Record<string, string> = {}): Promise<ClientWorld> {
  const isUsual = Object.keys(env).length === 0;
  const port = await (isUsual ? (kept ??= freePort()) : freePort());
  const product = await (isUsual ? borrowApi : startApi)({
    PORT: String(port),
    EXTERNAL_URL: `http://127.0.0.1:${port}`,
    INITIAL_ROOT_TOKEN: ROOT_TOKEN,
    ...env,
  });
  const as = (token: string): Client => new Gitlab({ host: product.url, token });
  const root = as(ROOT_TOKEN);
  return {
    product,
    root,
    as,
    plain: new ApiClient(product.url, ROOT_TOKEN),
    user: async (name, scopes = ['api']) => {
      const { id, username } = await root.Users.create({
        name,
        username: name,
        email: `${name}@example.com`,
        password: 'correct horse battery',
        skipConfirmation: true,
      });
      const { token } = await root.PersonalAccessTokens.create(id, 'test', scopes);
      return { id, username, token, api: as(token) };
    },
    close: () => product.close(),
  };
}

/** Description by the client of a refused request: status and text of the response. */
export async function refusal(call: Promise<unknown>): Promise<readonly [number, string]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GitbeakerRequestError) return [error.cause?.response.status ?? 0, error.message];
    throw error;
  }
  throw new Error('The call was not refused');
}
