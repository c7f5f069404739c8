import type { AccessRule } from '#kernel/access/access.js';
import { SCOPES } from '#kernel/access/roles.js';
import type { Schema } from '../components/schemas.js';

const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, '']));

const key = (location: 'header' | 'query', name: string, description: string): Schema => ({
  type: 'apiKey',
  in: location,
  name,
  description,
});

/** All ways to authenticate, for a service at this address. */
export const securitySchemes = (server: string): Record<string, Schema> => ({
  privateToken: key('header', 'PRIVATE-TOKEN', 'An access token of a user, project or group'),
  privateTokenQuery: key('query', 'private_token', 'The same; URLs are often logged, so prefer the header'),
  bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth token, or any access token' },
  oauth: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${server}/oauth/authorize`,
        tokenUrl: `${server}/oauth/token`,
        refreshUrl: `${server}/oauth/token`,
        scopes,
      },
      password: { tokenUrl: `${server}/oauth/token`, scopes },
    },
  },
  jobToken: key('header', 'JOB-TOKEN', 'The token of a running job'),
  jobTokenQuery: key('query', 'job_token', 'The same'),
  [AS_PASSWORD]: {
    type: 'http',
    scheme: 'basic',
    description:
      'An access token, or that of a running job, as the password, under any user name; git over HTTP also accepts them',
  },
  client: { type: 'http', scheme: 'basic', description: 'Id and secret of an application' },
  integrationKey: { type: 'http', scheme: 'bearer', description: 'The key of an alert integration' },
  clientKey: key('header', 'X-Sentry-Auth', 'The key of a DSN'),
});

const listed = (...names: string[]): Schema[] => names.map((name) => ({ [name]: [] }));

const OF_PEOPLE = ['privateToken', 'privateTokenQuery', 'bearer', 'oauth'];
const OF_JOBS = ['jobToken', 'jobTokenQuery'];
const AS_PASSWORD = 'tokenAsPassword';

/** Credentials of people and their programs, unless a route says otherwise. */
export const DEFAULT_SECURITY = listed(...OF_PEOPLE);

/** Returns the credentials for a route, or undefined if they are the default. */
export function securityOf(rule: AccessRule | undefined): Schema[] | undefined {
  switch (rule?.credential) {
    case 'oauth':
      return [{}, ...listed('client', 'bearer')];
    case 'alert-key':
      return listed('integrationKey');
    case 'dsn':
      return listed('clientKey');
    case 'job':
      return listed(...OF_JOBS);
    case 'runner':
    case 'ignored':
      return [{}];
    default: {
      const people = rule?.makesCredential ? OF_PEOPLE.filter((name) => name !== 'oauth') : OF_PEOPLE;
      const others = [...(rule?.jobToken ? OF_JOBS : []), ...(rule?.basic ? [AS_PASSWORD] : [])];
      const isDefault = people === OF_PEOPLE && others.length === 0 && !rule?.anyone;
      return isDefault ? undefined : [...(rule?.anyone ? [{}] : []), ...listed(...people, ...others)];
    }
  }
}

/** Lets administrators act as others. */
export const SUDO: Schema = {
  name: 'Sudo',
  in: 'header',
  required: false,
  description: 'Id or username of the user as whom an administrator acts; the token needs the scope `sudo`',
  schema: { type: 'string' },
};

/** Whether administrators may act as others on a route. */
export const takesSudo = (rule: AccessRule | undefined): boolean =>
  rule !== undefined && rule.credential === undefined;
