import type { RequestHandler } from 'express';

/** What the pipeline needs to know about a route before running it. */
export interface RouteFacts {
  /** The handler reads the body itself: no parser may touch it. */
  readonly rawBody: boolean;
  /** The handler ends its requests itself, however long they take. */
  readonly longRunning: boolean;
  /** A page: its forms may name their method in a field. */
  readonly isPage: boolean;
}

/** A route as registered, with the metadata of its decorators. */
export interface Route {
  readonly method: string;
  /** Template from the root, such as `/api/v4/projects/:id`. */
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

/** For a route without decorators of ours. */
export const PLAIN_FACTS: RouteFacts = { rawBody: false, longRunning: false, isPage: false };

/** Decodes a segment. @throws URIError */
export const decodeSegment = (segment: string): string =>
  segment.includes('%') ? decodeURIComponent(segment) : segment;
