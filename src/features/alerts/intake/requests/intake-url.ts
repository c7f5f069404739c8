import { LEGACY_IDENTIFIERS } from '../../integrations/integration-values.js';

/** A project and an integration that a URL may refer to. */
export interface IntakeTarget {
  readonly fullPath: string;
  readonly identifier: string;
}

/** The name before the identifier is only for readers. */
const NAMED = /^\/(.+)\/alerts\/notify\/[^/]+\/([A-Za-z0-9-]{1,64})(?:\.json)?\/?$/;
const UNNAMED = /^\/(.+)\/alerts\/notify(?:\.json)?\/?$/;
const PROMETHEUS = '/prometheus';

/** Possible full paths of projects, as spelled in a URL. */
const FULL_PATH = /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)+$/;
const MAX_PATH = 1024;

/**
 * Returns the possible targets of a request's path (`ops.md` 5.2), most likely first; none for impossible
 * paths. Only the database knows whether a project itself is called `prometheus`.
 */
export function readIntakeUrl(path: string): readonly IntakeTarget[] {
  if (path.length > MAX_PATH + 200 || path.startsWith('/api/')) return [];
  const [, unnamed] = UNNAMED.exec(path) ?? [];
  const [, named = '', identifier = ''] = NAMED.exec(path) ?? [];
  const targets = unnamed === undefined ? [{ fullPath: named, identifier }] : unnamedTargets(unnamed);
  return targets.filter(({ fullPath }) => fullPath.length <= MAX_PATH && FULL_PATH.test(fullPath));
}

function unnamedTargets(fullPath: string): IntakeTarget[] {
  const generic = { fullPath, identifier: LEGACY_IDENTIFIERS.http };
  if (!fullPath.endsWith(PROMETHEUS)) return [generic];
  const project = fullPath.slice(0, -PROMETHEUS.length);
  return [{ fullPath: project, identifier: LEGACY_IDENTIFIERS.prometheus }, generic];
}
