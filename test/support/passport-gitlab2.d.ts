/** The package has no types; these are the parts that the test uses. */
declare module 'passport-gitlab2' {
  import type { Strategy as PassportStrategy } from 'passport';

  interface Options {
    baseURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
  }

  export const Strategy: new (
    options: Options,
    verify: (accessToken: string, refreshToken: string, profile: never, done: never) => void,
  ) => PassportStrategy;
}
