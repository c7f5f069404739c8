import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import passport from 'passport';
import { Strategy } from 'passport-gitlab2';
import { startOauthWorld, type OauthWorld } from '../support/oauth-world.js';

interface Profile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly emails: readonly { value: string }[];
}

describe('passport-gitlab2 in a small Express application', () => {
  let world: OauthWorld;
  let server: Server;
  let base: string;

  beforeAll(async () => {
    world = await startOauthWorld();
    const app = express();
    server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const application = await world.register('read_user', { redirectUri: `${base}/callback` });
    const authenticator = new passport.Passport();
    authenticator.use(
      new Strategy(
        {
          baseURL: world.product.url,
          clientID: application.application_id,
          clientSecret: application.secret,
          callbackURL: `${base}/callback`,
        },
        (
          accessToken: string,
          refreshToken: string,
          profile: Profile,
          done: (error: null, user: object) => void,
        ) => done(null, { accessToken, refreshToken, profile }),
      ),
    );
    app.get('/login', authenticator.authenticate('gitlab', { session: false }) as express.RequestHandler);
    app.get(
      '/callback',
      authenticator.authenticate('gitlab', { session: false }) as express.RequestHandler,
      (request, response) => {
        response.json((request as unknown as { user: object }).user);
      },
    );
  });
  afterAll(async () => {
    server.close();
    await world.close();
  });

  it('signs a user in and reads the profile', async () => {
    const start = await fetch(`${base}/login`, { redirect: 'manual' });
    const asked = new URL(start.headers.get('location') ?? '');
    expect(asked.origin).toBe(world.product.url);
    const back = await (await world.signedIn()).authorize(asked);
    expect(back.origin).toBe(base);
    const answer = await fetch(back);
    expect(answer.status).toBe(200);
    const user = (await answer.json()) as { accessToken: string; refreshToken: string; profile: Profile };
    expect(user.accessToken).toMatch(/^[0-9a-f]{64}$/);
    expect(user.refreshToken).toMatch(/^[0-9a-f]{64}$/);
    expect(user.profile).toMatchObject({
      id: String(world.userId),
      username: 'olga',
      displayName: 'Olga Auth',
    });
    expect(user.profile.emails).toEqual([{ value: 'olga@example.com' }]);
  });

  it('reports a denial', async () => {
    const start = await fetch(`${base}/login`, { redirect: 'manual' });
    const visitor = await world.signedIn();
    const asked = new URL(start.headers.get('location') ?? '');
    asked.searchParams.set('prompt', 'consent');
    const left = await visitor.send(await visitor.open(asked.href), 'Deny');
    if (!('location' in left)) throw new Error('The denial stays here');
    expect(left.location.searchParams.get('error')).toBe('access_denied');
    expect((await fetch(left.location)).status).toBe(401);
  });
});
