import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Config } from '#kernel/config/config.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

/** Draws a name by weight; null if all weights are zero. `draw(n)` returns an integer from 0 to n - 1. */
export function drawByWeight(
  weights: ReadonlyMap<string, number>,
  draw: (limit: number) => number,
): string | null {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return null;
  let left = draw(total);
  for (const [name, weight] of weights) {
    left -= weight;
    if (left < 0) return name;
  }
  return null;
}

/** Chooses among the configured repository storages. */
@Injectable()
export class StorageChoiceService {
  constructor(
    private readonly config: Config,
    private readonly settings: SettingsService,
  ) {}

  /** Returns whether a storage of this name exists. */
  exists(name: string): boolean {
    return this.config.repositoryStorages.has(name);
  }

  /**
   * Chooses a storage for something new by the setting `repository_storages_weighted`, excluding `except`;
   * null if there is none.
   */
  chooseOrNull(except?: string): string | null {
    const weighted = this.settings.values.repository_storages_weighted;
    const names = [...this.config.repositoryStorages.keys()].filter((name) => name !== except);
    const weights = new Map(names.map((name) => [name, Math.max(0, Math.trunc(weighted[name] ?? 0))]));
    return drawByWeight(weights, (limit) => randomInt(limit));
  }

  /** Chooses a storage; `default` or the first one if none has a weight. */
  choose(): string {
    const names = [...this.config.repositoryStorages.keys()];
    return this.chooseOrNull() ?? (names.includes('default') ? 'default' : (names[0] ?? 'default'));
  }
}
