/** The package brings no types; this is what the test uses of it. */
declare module 'passport-gitlab2' {
  export class Strategy {
    constructor(
      options: { baseURL: string; clientID: string; clientSecret: string; callbackURL: string },
      verify: (accessToken: string, refreshToken: string, profile: never, done: never) => void,
    );
  }
}
