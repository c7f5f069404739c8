import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { TestApi } from '../api.js';
import { isPage, judge, senderOf } from './judge.js';
import { mutated } from './mutated.js';
import { baseOf, isRead, pathOf } from './right-requests.js';
import { endShots, ShotPlan, type Shot } from './shots.js';
import { toJson, toQuery } from './values.js';
import { countRows, restoreWorld, WALKER_COOKIE, WALKER_TOKEN } from './world.js';

/** Sends all requests to a route that it must refuse, and reports its errors. */
export class Walker {
  readonly problems: string[] = [];
  requests = 0;
  private readonly plan = new ShotPlan();

  constructor(private readonly api: TestApi) {}

  async walk(route: RouteDescription): Promise<void> {
    if (!isRead(route.method)) await restoreWorld(this.api);
    const shots = this.plan.shotsFor(route);
    if (isRead(route.method)) {
      for (let index = 0; index < shots.length; index += 8)
        await Promise.all(shots.slice(index, index + 8).map((shot) => this.fire(route, shot)));
      return;
    }
    let before = await countRows(this.api);
    for (const shot of shots) {
      const status = await this.fire(route, shot);
      if (status < 400) before = await countRows(this.api);
    }
    const after = await countRows(this.api);
    if (JSON.stringify(before) !== JSON.stringify(after)) await this.findHalfWritten(route, shots);
  }

  /** Sends both ends of every number and time range of a route, and the values just beyond, one at a time. */
  async reachEnds(route: RouteDescription): Promise<void> {
    for (const shot of endShots(route)) await this.fire(route, shot);
  }

  /** Requests existing objects, as users do. */
  async read(route: RouteDescription): Promise<void> {
    await this.fire(route, { what: 'read', path: pathOf(route), params: baseOf(route) });
  }

  /** Sends a request in which chance (0 to below 1) has changed parts of the path and values. */
  async mutate(route: RouteDescription, chance: () => number): Promise<void> {
    await this.fire(route, mutated(route, chance));
  }

  private async fire(route: RouteDescription, { what, path, params, mustFail }: Shot): Promise<number> {
    this.requests += 1;
    const query = Object.entries(params)
      .map(([name, value]) => toQuery(name, value))
      .filter(Boolean)
      .join('&');
    const inQuery = isRead(route.method) && query.length < 6_000;
    const hasBody = !isRead(route.method) && Object.keys(params).length > 0;
    const response = await fetch(`${this.api.url}${path}${inQuery && query !== '' ? `?${query}` : ''}`, {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...(isPage(route) ? WALKER_COOKIE : (senderOf(route)?.headers ?? { 'PRIVATE-TOKEN': WALKER_TOKEN })),
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: toJson(params, this.requests) } : {}),
      signal: AbortSignal.timeout(120_000),
    });
    const text = response.status >= 400 ? await response.text() : (await response.body?.cancel(), '');
    if (text.includes('Token was revoked')) {
      // The previous request was accepted, and revoked the token of the walker.
      await restoreWorld(this.api);
      return this.fire(route, { what, path, params, ...(mustFail ? { mustFail } : {}) });
    }
    const problem = judge(response, text, route, mustFail === true);
    if (problem !== null)
      this.problems.push(`${route.method} ${route.path} [${what}] ${path.slice(0, 100)}: ${problem}`);
    return response.status;
  }

  /** A refused request has written something: each is repeated individually to find it. */
  private async findHalfWritten(route: RouteDescription, shots: readonly Shot[]): Promise<void> {
    for (const shot of shots) {
      const first = await this.changesOf(route, shot);
      if (first.length === 0) continue;
      // A scheduled job may have written during the request, but not a second time.
      const second = await this.changesOf(route, shot);
      const changed = first.filter((table) => second.includes(table));
      if (changed.length > 0)
        this.problems.push(`${route.method} ${route.path} [${shot.what}] changed ${changed.join(', ')}`);
    }
  }

  /** The tables whose rows changed after a refused request. */
  private async changesOf(route: RouteDescription, shot: Shot): Promise<string[]> {
    const before = await countRows(this.api);
    const status = await this.fire(route, shot);
    const after = await countRows(this.api);
    if (status < 400) return [];
    return Object.keys(after).filter((table) => before[table] !== after[table] && !isKept(route, table));
  }
}

/** Wrong passwords and codes are refused, and recorded. */
const isKept = (route: RouteDescription, table: string): boolean =>
  (isPage(route) || route.path.endsWith('/approve')) && table.startsWith('audit_events');
