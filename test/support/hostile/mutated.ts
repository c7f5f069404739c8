import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { baseOf, fieldsIn, namesIn, pathOf, sparing } from './right-requests.js';
import type { Shot } from './shots.js';
import { endsOf, HOSTILE_SEGMENTS, HOSTILE_VALUES } from './values.js';
import { partOf } from './world.js';

/** A request in which chance (0 to below 1) has changed parts of the path and values. */
export function mutated(route: RouteDescription, chance: () => number): Shot {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T;
  const values = Object.values(HOSTILE_VALUES);
  const fields = fieldsIn(route);
  const params: Record<string, unknown> = baseOf(route);
  const hits = fields.length === 0 ? 0 : 1 + Math.floor(chance() * 3);
  for (let hit = 0; hit < hits; hit += 1) {
    const field = pick(fields);
    const plain = pick([...values, ...endsOf(field)]);
    params[field.name] = pick([plain, plain, [plain], { [field.name]: plain }, [[plain], plain]]);
  }
  const names = namesIn(route);
  const segments: Record<string, string> = { ...sparing(route) };
  if (names.length > 0 && chance() < 0.2) {
    const name = pick(names);
    segments[name] = String(pick([...HOSTILE_SEGMENTS, partOf(route.path, name)?.foreign ?? 1]));
  }
  return {
    what: JSON.stringify(params).slice(0, 300),
    path: pathOf(route, segments),
    params,
  };
}
