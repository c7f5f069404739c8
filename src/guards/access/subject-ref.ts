import { queryParameter, type ApiRequest } from '#kernel/http/request.js';
import type { SubjectRef } from './access-statement.js';
import type { RouteInfo } from './route-info.js';

/** Larger numbers cannot be ids; PostgreSQL would reject them. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** A reference that matches nothing: an impossible path gets the same response as a missing one. */
const nothing = (kind: SubjectRef['kind']): SubjectRef => ({ kind, by: 'id', value: -1 });

/**
 * Parses how a request names its subject: digits are an id, anything else is a full path; a project's path
 * contains a slash (`auth-core.md` 5.2). Null if the route has no subject or the request names none.
 */
export function subjectRef(
  request: ApiRequest,
  { subjectKind, subjectParam, byPath }: RouteInfo,
): SubjectRef | null {
  if (subjectKind === null || subjectParam === null) return null;
  const given = request.params[subjectParam] ?? parameter(request, subjectParam);
  if (given === undefined) return null;
  const raw = byPath && typeof given === 'number' ? String(given) : given;
  if (typeof raw === 'number' && Number.isSafeInteger(raw))
    return { kind: subjectKind, by: 'id', value: raw };
  if (
    typeof raw !== 'string' ||
    raw === '' ||
    raw.length > 1024 ||
    raw.includes('\0') ||
    !raw.isWellFormed()
  ) {
    return nothing(subjectKind);
  }
  if (!byPath && /^-?\d+$/.test(raw)) {
    const id = Number(raw);
    return id >= 0 && id <= MAX_ID ? { kind: subjectKind, by: 'id', value: id } : nothing(subjectKind);
  }
  if (subjectKind === 'Project' && !raw.includes('/')) return nothing(subjectKind);
  return { kind: subjectKind, by: 'path', value: raw };
}

function parameter(request: ApiRequest, name: string): unknown {
  const body: unknown = request.body;
  const fromBody =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return fromBody ?? queryParameter(request, name);
}
