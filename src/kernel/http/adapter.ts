import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, RequestHandler, Response } from 'express';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PageAnswer, writePage } from '#kernel/html/page-answer.js';
import { bornAsExpress, type ExpressPrototypes } from '#kernel/libraries/express-prototypes.js';
import { ConstantAnswer } from './answers/json/constant-answer.js';
import { LocalFileAnswer } from './answers/local-file-answer.js';
import { writeJson } from './answers/json/json-answer.js';
import { closeStalled } from './connections/stalled.js';
import { Turns } from './connections/turns.js';
import { UnreadAnswers } from './connections/unread.js';
import { answerParserErrors } from './bodies/parser-errors.js';
import { parseQueriesOnce, parseQuery } from './bodies/query-string.js';
import type { ApiRequest } from './request.js';
import { findRoute, installRoutes, runRoute } from './routes/find-route.js';
import { RouteIndex } from './routes/route-index.js';

/** Node answers 431 beyond this limit; it must let long URLs through, so that we can answer 414. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Time to send `Connection: close` with pending answers; a request that is sent to a closed connection is lost. */
const FAREWELL_MS = 500;

/** The same while another process serves: no client waits for the end of this one, and clients on busy machines send late. */
const REPLACED_FAREWELL_MS = 3_000;

/** A client that has just connected sends its request within this time, even on a busy machine. */
const SILENT_MS = 2_000;

/** The parts of an Express application that the adapter sets. */
interface ExpressApplication extends ExpressPrototypes {
  set(name: string, value: unknown): void;
  disable(name: string): void;
}

/**
 * Adapter of Express that sends an exact JSON content type, entity tags and page headers, and answers exceeded limits itself. It keeps the
 * routes in an index with a single look-up, because the router of Express tries them one by one.
 */
export class ApiAdapter extends ExpressAdapter {
  readonly routes = new RouteIndex();
  private isStopping = false;
  /** With the time at which each was opened. */
  private readonly connections = new Map<Socket, number>();

  constructor() {
    super();
    const express = this.getInstance<ExpressApplication>();
    express.disable('x-powered-by');
    express.set('etag', false);
    express.set('case sensitive routing', true);
    express.set('strict routing', false);
    express.set('query parser', parseQuery);
    parseQueriesOnce(express.request);
    installRoutes(this.getInstance<Application>(), this.routes);
  }

  override get(path: unknown, handler?: unknown): void {
    this.register('GET', path, handler);
  }

  override head(path: unknown, handler?: unknown): void {
    this.register('HEAD', path, handler);
  }

  override post(path: unknown, handler?: unknown): void {
    this.register('POST', path, handler);
  }

  override put(path: unknown, handler?: unknown): void {
    this.register('PUT', path, handler);
  }

  override patch(path: unknown, handler?: unknown): void {
    this.register('PATCH', path, handler);
  }

  override delete(path: unknown, handler?: unknown): void {
    this.register('DELETE', path, handler);
  }

  private register(method: string, path: unknown, handler: unknown): void {
    this.routes.add(method, path as string, handler as RequestHandler);
  }

  /** Called last by Nest: adds the look-up of routes for applications without a pipeline. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(findRoute, runRoute);
    super.setNotFoundHandler(handler);
  }

  override initHttpServer(): void {
    const unread = new UnreadAnswers();
    const serve = this.getInstance<RequestListener>();
    const turns = new Turns((request, response) => {
      // A dozen parts of the service listen for the end of a streamed answer.
      response.setMaxListeners(20);
      unread.watch(response);
      serve(request, response);
    });
    this.httpServer = createServer(
      {
        ...bornAsExpress(this.getInstance<ExpressApplication>()),
        maxHeaderSize: MAX_HEADER_BYTES,
        requestTimeout: 300_000,
        headersTimeout: 15_000,
        keepAliveTimeout: 65_000,
        connectionsCheckingInterval: 5_000,
      },
      turns.take,
    );
    answerParserErrors(this.httpServer);
    closeStalled(this.httpServer, (socket) => turns.isBusy(socket));
    this.httpServer.on('connection', (socket: Socket) => {
      this.connections.set(socket, performance.now());
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /**
   * Makes every further answer close its connection. Returns after `drainMs`, during which new connections are still served, so that load
   * balancers notice the stop; with 0, once no connection is left or after a while, longer if another process has replaced this one. Call it
   * before `close`.
   */
  async sayFarewell(drainMs: number, isReplaced = false): Promise<void> {
    if (!this.httpServer.listening) return;
    this.isStopping = true;
    if (drainMs > 0) {
      await sleep(drainMs);
      return;
    }
    const end = performance.now() + (isReplaced ? REPLACED_FAREWELL_MS : FAREWELL_MS);
    while (performance.now() < end && (await this.countConnections()) > 0) await sleep(20);
  }

  /** Stops listening, and resolves when the last request has been answered. */
  override async close(): Promise<void> {
    // A connection that becomes idle during the stop would delay it by its keep-alive time.
    const timer = setInterval(() => {
      this.httpServer.closeIdleConnections();
      this.closeSilentConnections();
    }, 100);
    await super.close();
    clearInterval(timer);
  }

  /** Closes connections that have not sent a byte: browsers open them in advance, and Node does not treat them as idle. */
  private closeSilentConnections(): void {
    const before = performance.now() - SILENT_MS;
    for (const [socket, openedAt] of this.connections)
      if (socket.bytesRead === 0 && openedAt <= before) socket.destroy();
  }

  private countConnections(): Promise<number> {
    return new Promise((resolve) => this.httpServer.getConnections((_error, count) => resolve(count)));
  }

  /** JSON leaves here: content type without charset, length, weak entity tag, headers of the page; pages too. Streams go to Express. */
  override reply(response: Response, body: unknown, statusCode?: number): void | Promise<void> {
    // The time-out has already answered the request.
    if (response.headersSent || response.writableEnded) return;
    if (body instanceof StreamableFile || Buffer.isBuffer(body)) {
      super.reply(response, body, statusCode);
      return;
    }
    if (this.isStopping) response.setHeader('Connection', 'close');
    if (body instanceof LocalFileAnswer) {
      if (statusCode !== undefined) response.statusCode = statusCode;
      return body.write(response);
    }
    if (body instanceof PageAnswer) {
      writePage(response, body);
      return;
    }
    if (statusCode !== undefined) response.statusCode = statusCode;
    const request = response.req as ApiRequest;
    if (body instanceof ConstantAnswer) {
      body.write(request, response);
      return;
    }
    if (request.page) {
      const { headers } = request.page;
      for (const name in headers) response.setHeader(name, headers[name] as string);
    }
    if (body === undefined || response.statusCode === 204 || response.statusCode === 304) {
      response.end();
      return;
    }
    if (typeof body === 'string' && response.hasHeader('Content-Type')) {
      response.end(body);
      return;
    }
    return writeJson(response, body);
  }
}
