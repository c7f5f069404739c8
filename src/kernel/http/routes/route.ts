import type { RequestHandler } from 'express';

/** What the pipeline must know of a route before it runs it. */
export interface RouteFacts {
  /** The handler reads the body itself: no parser may touch it. */
  readonly rawBody: boolean;
  /** The handler ends its requests by itself, however long they take. */
  readonly longRunning: boolean;
  /** A page: its forms may name the method that they mean. */
  readonly isPage: boolean;
}

/** A route as it was registered, and what decorators say of it. */
export interface Route {
  readonly method: string;
  /** Template below the root, such as `/api/v4/projects/:id`. */
  readonly path: string;
  readonly handler: RequestHandler;
  facts: RouteFacts;
}

/** The route of a request, with the values of its parameters. */
export interface FoundRoute {
  readonly route: Route;
  /** Decoded; a wildcard is the list of its segments. */
  readonly params: Record<string, string | string[]>;
}

/** Of a route without decorators of ours. */
export const PLAIN_FACTS: RouteFacts = { rawBody: false, longRunning: false, isPage: false };

/** A segment as it was meant. @throws URIError */
export const decodeSegment = (segment: string): string =>
  segment.includes('%') ? decodeURIComponent(segment) : segment;
