import { jest } from '@jest/globals';
import type { TestApi } from '../api.js';
import { CiEngine } from '../ci-engine.js';
import type { Answer } from '../client.js';
import { Chance } from '../hostile/chance.js';
import type { MinuteZone } from './minute-zone.js';
import { periodBy, type ModelWindow, type PeriodModel } from './period-model.js';

const MINUTE = 60_000;
const HALF_SPAN = 2 * 86_400_000;
const NEAR = [-MINUTE, -1_000, -1, 0, 0, 1, 1_000, MINUTE];
const iso = (time: number): string => new Date(time).toISOString();

/** A project whose Maintainer changes its freeze periods by a seed, on a clock that the walk sets. */
export class FreezeWalk {
  readonly chance: Chance;
  readonly periods = new Map<number, PeriodModel>();
  readonly log: string[] = [];
  isEnforced = false;
  now: number;
  private readonly clock = jest.spyOn(Date, 'now');

  private constructor(
    readonly api: TestApi,
    readonly ci: CiEngine,
    private readonly zones: readonly MinuteZone[],
    seed: number,
  ) {
    this.chance = new Chance(seed);
    this.now = zones[0]?.center ?? 0;
    this.jump();
  }

  static async start(api: TestApi, zones: readonly MinuteZone[], seed: number): Promise<FreezeWalk> {
    const ci = await CiEngine.start(api);
    await ci.put({ auto_cancel_pending_pipelines: 'disabled', ci_forward_deployment_enabled: false });
    return new FreezeWalk(api, ci, zones, seed);
  }

  /** Sets the clock back to the true time. */
  end(): void {
    this.clock.mockRestore();
  }

  at(suffix = ''): string {
    return `/projects/${this.ci.project.id}${suffix}`;
  }

  /** Sets the clock to a time near the change of the first zone, mostly to an edge of a period. */
  jump(): void {
    const { chance } = this;
    const center = this.zones[0]?.center ?? 0;
    const edges = [...this.periods.values()].flatMap((period) => period.edges);
    const near = edges.filter((edge) => Math.abs(edge - center) < HALF_SPAN);
    const isAtEdge = near.length > 0 && !chance.oneIn(4);
    this.now = isAtEdge
      ? chance.of(near) + chance.of(NEAR)
      : center - HALF_SPAN + chance.below(2 * HALF_SPAN);
    this.clock.mockReturnValue(this.now);
    this.log.push(`at ${iso(this.now)}`);
  }

  /** Adds, changes or removes a period, or its enforcement. Returns whether waiting jobs are asked again. */
  async change(): Promise<boolean> {
    const { chance, ci } = this;
    const { maintainer } = ci.project;
    const ids = [...this.periods.keys()];
    if (chance.oneIn(4)) {
      const was = this.isEnforced;
      this.isEnforced = chance.oneIn(3) ? !was : true;
      await this.answers(ci.put({ enforce_freeze_periods: this.isEnforced }), 200);
      this.log.push(`enforced ${this.isEnforced}`);
      return was && !this.isEnforced;
    }
    if (ids.length > 2 || (ids.length > 0 && chance.oneIn(3))) {
      const id = chance.of(ids);
      if (chance.oneIn(2)) {
        await this.answers(maintainer.delete(this.at(`/freeze_periods/${id}`)), 204);
        this.periods.delete(id);
        this.log.push(`removed ${id}`);
        return true;
      }
      const period = this.newPeriod();
      const former = JSON.stringify(this.periods.get(id)?.values);
      await this.answers(maintainer.put(this.at(`/freeze_periods/${id}`), period.values), 200);
      this.periods.set(id, period);
      this.log.push(`changed ${id} ${JSON.stringify(period.values)}`);
      return former !== JSON.stringify(period.values);
    }
    const period = this.newPeriod();
    const { id } = await this.answers(
      maintainer.post<{ id: number }>(this.at('/freeze_periods'), period.values),
      201,
    );
    this.periods.set(id, period);
    this.log.push(`added ${id} ${JSON.stringify(period.values)}`);
    return false;
  }

  /** Whether no present freeze ends so soon that what waits for it would go on by itself, by the true time. */
  isCalm(): boolean {
    return this.active().every(([, { end }]) => end - this.now > MINUTE);
  }

  private newPeriod(): PeriodModel {
    for (;;) {
      const period = periodBy(this.chance, this.chance.of(this.zones));
      if ((period.windowAt(this.now)?.end ?? Infinity) - this.now > MINUTE) return period;
    }
  }

  private active(): [number, ModelWindow][] {
    return [...this.periods].flatMap(([id, period]) => {
      const window = period.windowAt(this.now);
      return window ? [[id, window] as [number, ModelWindow]] : [];
    });
  }

  /** When all present freezes have ended; null if there is none. */
  frozenUntil(): number | null {
    const ends = this.active().map(([, { end }]) => end);
    return ends.length === 0 ? null : Math.max(...ends);
  }

  /** Why nothing may be deployed; null if it may. */
  refusal(): string | null {
    const until = this.frozenUntil();
    return this.isEnforced && until !== null ? `Deployments are frozen until ${iso(until)}` : null;
  }

  /** What the status should be. What starts beyond the days that the zones know is left as it is shown. */
  status(shown: { next: { freeze_start_at: string | null; freeze_end_at: string | null } }): object {
    const active = this.active();
    const nexts = [...this.periods.values()].flatMap((period) => period.next(this.now) ?? []);
    const next = nexts.sort((a, b) => a.start - b.start)[0];
    const shownStart = Date.parse(shown.next.freeze_start_at ?? '');
    const open = [...this.periods.values()].map((period) => period.openStart(this.now));
    const isBeyond =
      shownStart < (next?.start ?? Infinity) &&
      (open.includes(shownStart) || shownStart >= Math.min(...this.zones.map(({ end }) => end)));
    const until = this.frozenUntil();
    return {
      frozen: active.length > 0,
      active: active.map(([id, { start, end }]) => ({
        id,
        freeze_start_at: iso(start),
        freeze_end_at: iso(end),
      })),
      next: {
        freeze_start_at: isBeyond ? shown.next.freeze_start_at : next ? iso(next.start) : null,
        freeze_end_at:
          until !== null ? iso(until) : isBeyond ? shown.next.freeze_end_at : next ? undefined : null,
      },
      ends: nexts.filter(({ start }) => start === next?.start).map(({ end }) => iso(end)),
    };
  }

  /** The body of an answer, whose status must be the given one. */
  async answers<Body>(answer: Promise<Answer<Body>>, status: number): Promise<Body> {
    const got = await answer;
    if (got.status !== status) throw new Error(`${got.status} ${got.text}\n${this.log.join('\n')}`);
    return got.body;
  }
}
