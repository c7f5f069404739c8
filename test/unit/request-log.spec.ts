import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { Networks } from '#kernel/http/client-address.js';
import { NestLogger, logger, requestLogger } from '#kernel/log/logger.js';
import { metrics } from '#kernel/log/metrics.js';
import { beginQuery, requestContext, runAsJob, traceIdOf } from '#kernel/log/request-context.js';
import { requestLog } from '#kernel/log/request-log.js';

describe('requestLog', () => {
  let server: Server;
  let base = '';
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    jest.spyOn(requestLogger, 'info').mockImplementation((line: unknown) => {
      lines.push(JSON.parse(JSON.stringify(line)) as Record<string, unknown>);
    });
    const app = express();
    app.use(requestLog({ trusted: new Networks([]), slowMs: 0, hasTiming: false }), express.json());
    app.all('/things/:id', (_req, res) => {
      const context = requestContext.getStore();
      if (context) Object.assign(context, { userId: 7, username: 'ada', sudoUserId: 1 });
      beginQuery()();
      res.status(201).end('ok');
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  const nextLine = async (): Promise<Record<string, unknown>> => {
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return lines.shift() ?? {};
  };

  it('writes one line with every field', async () => {
    const answer = await fetch(`${base}/things/5?private_token=abc&page=2`, {
      method: 'POST',
      body: JSON.stringify({ name: 'n', password: 'p' }),
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'caller-1',
        'user-agent': 'spec',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-forwarded-for': '198.51.100.1',
      },
    });
    expect(answer.headers.get('x-request-id')).toBe('caller-1');
    const line = await nextLine();
    expect(line).toEqual({
      method: 'POST',
      route: '/things/:id',
      path: '/things/5',
      params: { private_token: '[FILTERED]', page: '2', name: 'n', password: '[FILTERED]' },
      status: 201,
      duration_s: expect.any(Number),
      db_duration_s: expect.any(Number),
      db_count: 1,
      user_id: 7,
      username: 'ada',
      sudo_user_id: 1,
      remote_ip: '127.0.0.1',
      ua: 'spec',
      correlation_id: 'caller-1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
  });

  it('replaces a malformed id, and labels metrics with route templates only', async () => {
    const answer = await fetch(`${base}/nowhere/secret-path`, { headers: { 'x-request-id': 'a b' } });
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^[\w.-]{8,}$/);
    expect((await nextLine())['correlation_id']).toBe(id);
    const text = await metrics.metrics();
    expect(text).toContain('http_requests_total{method="POST",route="/things/:id",status="201"} 1');
    expect(text).toContain('http_requests_total{method="GET",route="unmatched",status="404"} 1');
    expect(text).not.toContain('secret-path');
  });
});

describe('traceIdOf', () => {
  it.each([
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    'x',
  ])('refuses %s', (header) => expect(traceIdOf(header)).toBeUndefined());
});

describe('loggers', () => {
  it('log a job under the id of its request', async () => {
    const seen = runAsJob('job', 'caller-2', () => requestContext.getStore()?.correlationId);
    expect(await seen).toBe('caller-2');
  });

  it('pass messages of Nest to pino', () => {
    const error = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const failure = new Error('https://u:p@h/ failed');
    new NestLogger().error(failure, 'Context');
    expect(error).toHaveBeenCalledWith(
      { context: 'Context', error: failure, stack: undefined },
      'https://[FILTERED]@h/ failed',
    );
  });
});
