import type { IANAZone } from 'luxon';
import { library } from '#kernel/libraries/library.js';
import { RAILS_ZONES } from './zone-names.js';

const luxon = library('luxon');

const DAY_MS = 86_400_000;

/** Only names: not `+05:30` or a path, which some time zone parsers accept too. */
const ZONE_NAME = /^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/;

/**
 * The wall clock of a time zone. A shown time is a number: the milliseconds of the UTC time that looks the
 * same. If the clock is set forward, skipped times are reached at that moment; if it is set back, a repeated
 * time counts the first time.
 */
export class ZoneClock {
  private constructor(private readonly zone: IANAZone) {}

  /** Returns the clock of a zone by its IANA or Rails name; null for other names. */
  static of(name: string): ZoneClock | null {
    const iana = RAILS_ZONES.get(name) ?? name;
    if (iana.length > 64 || !ZONE_NAME.test(iana)) return null;
    const zone = luxon().IANAZone.create(iana);
    return zone.isValid ? new ZoneClock(zone) : null;
  }

  /**
   * Returns the latest time shown up to an instant: after the clock was set back, this differs from the shown
   * one.
   */
  latestShown(at: number): number {
    const now = at + this.offset(at);
    const before = this.offset(at - DAY_MS);
    if (before <= this.offset(at)) return now;
    return Math.max(now, this.changeWithin(at - DAY_MS, at) + before - 1);
  }

  /** Returns the first instant at which the clock shows this time or a later one. */
  reaches(shown: number): number {
    // Every zone is less than a day from UTC, and none changes twice in two days.
    const before = this.offset(shown - DAY_MS);
    const after = this.offset(shown + DAY_MS);
    if (before === after) return shown - before;
    const change = this.changeWithin(shown - DAY_MS, shown + DAY_MS);
    return shown - before < change ? shown - before : Math.max(change, shown - after);
  }

  private offset(at: number): number {
    return this.zone.offset(at) * 60_000;
  }

  /** Returns the first instant with the later of the two offsets. */
  private changeWithin(from: number, to: number): number {
    const later = this.offset(to);
    let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offset(middle * 1000) === later) high = middle;
      else low = middle;
    }
    return high * 1000;
  }
}
