import { startClientWorld, type ClientWorld } from './gitbeaker.js';
import { Visitor } from './visitor.js';

/** Redirect URI of the test's applications; only some tests listen there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';
export const PASSWORD = 'Aubergine-Lanterns-77';

/** An application that an administrator has registered. */
export interface RegisteredApplication {
  readonly id: number;
  readonly application_id: string;
  readonly secret: string;
}

/** The product as a process, a user with a password, and applications that they may authorize. */
export interface OauthWorld extends ClientWorld {
  readonly username: string;
  readonly userId: number;
  /** Registers an application, instance-wide. */
  register(
    scopes: string,
    options?: { confidential?: boolean; redirectUri?: string; trusted?: boolean },
  ): Promise<RegisteredApplication>;
  /** A browser in which the user has signed in. */
  signedIn(): Promise<Visitor>;
}

/** Starts the product for one test file with OAuth clients. */
export async function startOauthWorld(env: Record<string, string> = {}): Promise<OauthWorld> {
  const world = await startClientWorld(env);
  const user = await world.root.Users.create({
    name: 'Olga Auth',
    username: 'olga',
    email: 'olga@example.com',
    password: PASSWORD,
    skipConfirmation: true,
  });
  return {
    ...world,
    username: 'olga',
    userId: user.id,
    register: async (scopes, { confidential = true, redirectUri = CALLBACK, trusted } = {}) => {
      const { status, body } = await world.plain.post<RegisteredApplication>('/applications', {
        name: `Client of ${scopes}`,
        redirect_uri: redirectUri,
        scopes,
        confidential,
        ...(trusted === undefined ? {} : { trusted }),
      });
      if (status !== 201) throw new Error(`Not registered: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    signedIn: async () => {
      const visitor = new Visitor(world.product.url);
      await visitor.signIn('olga', PASSWORD);
      return visitor;
    },
  };
}

/** The error of a client library: these read the challenge of the response before its body. */
export async function refusedWith(promise: Promise<unknown>): Promise<{ status: unknown; error: unknown }> {
  try {
    await promise;
  } catch (thrown) {
    const { status, error, cause } = thrown as { status?: unknown; error?: unknown; cause?: unknown };
    const challenges = Array.isArray(cause) ? (cause as { parameters: { error?: unknown } }[]) : [];
    return {
      status,
      error: challenges.find(({ parameters }) => parameters.error)?.parameters.error ?? error,
    };
  }
  throw new Error('It was not refused');
}
