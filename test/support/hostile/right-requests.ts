import { fieldsOf, type FieldSpec } from '#kernel/http/fields/field-spec.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { senderOf } from './judge.js';
import { sampleOf } from './values.js';
import { HERE, partOf } from './world.js';

const PARAMETER = /[:*](\w+)/g;

/** Whether a method only reads. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Names of the parameters in the path of a route. */
export const namesIn = ({ path }: Pick<RouteDescription, 'path'>): string[] =>
  [...path.matchAll(PARAMETER)].map((match) => match[1] as string);

/** Fields of a route that are not in its path. */
export function fieldsIn(route: RouteDescription): FieldSpec[] {
  if (!route.params) return [];
  const inPath = new Set(namesIn(route));
  return fieldsOf(route.params).filter((field) => !inPath.has(field.name));
}

/** Valid parameters. */
export function baseOf(route: RouteDescription): Record<string, unknown> {
  const sent = senderOf(route)?.body ?? {};
  return route.params ? { ...sampleOf(route.params, route.method === 'POST'), ...sent } : { ...sent };
}

/** Path of a route with these parts, and valid values for the others. */
export function pathOf(route: RouteDescription, segments: Readonly<Record<string, string>> = {}): string {
  return route.path.replace(PARAMETER, (_all, name: string) => segments[name] ?? valid(route, name));
}

/** Requests that would delete the shared project, group or user are sent for another one. */
export const sparing = ({ path, method }: RouteDescription): Record<string, string> =>
  method === 'DELETE' && /^\/api\/v4\/\w+\/:id$/.test(path) ? { id: '999999' } : {};

function valid({ path, rule }: RouteDescription, name: string): string {
  if (name === (rule?.from ?? 'id')) {
    if (rule?.project !== undefined) return String(HERE.project);
    if (rule?.group !== undefined) return String(HERE.group);
  }
  if (name === 'id' && path.startsWith('/api/v4/projects/')) return String(HERE.project);
  if (name === 'id' && path.startsWith('/api/v4/groups/')) return String(HERE.group);
  const part = partOf(path, name);
  if (part) return String(part.here);
  return /user/.test(name) || path.startsWith('/api/v4/users/:id') ? String(HERE.user) : '1';
}
