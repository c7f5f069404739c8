import { Injectable } from '@nestjs/common';
import type { Portable } from '#core/exchange/relation-export.js';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import type { Entity } from '../bulk-import.js';
import { SpecialSteps, type EntityStep } from './entity-step.js';

/** How a relation is imported: by a special step, or as records. */
export type Way = { readonly step: EntityStep } | { readonly pipeline: RelationPipeline };

/** All steps for entities. */
@Injectable()
export class EntityStepsService {
  constructor(
    private readonly special: SpecialSteps,
    private readonly exchanges: ExchangesRegistry,
  ) {}

  /** Returns the relations of an entity with their stages. */
  relationsOf(entity: Entity): readonly { readonly relation: string; readonly stage: number }[] {
    const steps = this.special.all().filter((step) => step.of === entity.of && step.applies(entity));
    return [...steps, ...this.exchanges.pipelinesOf(entity.of)];
  }

  /** Returns how a relation is imported; undefined if this version does not know it. */
  wayOf(of: Portable, relation: string): Way | undefined {
    const step = this.special.all().find((each) => each.of === of && each.relation === relation);
    if (step) return { step };
    const pipeline = this.exchanges.pipelinesOf(of).find((each) => each.relation === relation);
    return pipeline && { pipeline };
  }

  /** Returns whether the failure of that relation fails the entity. */
  failsEntity(of: Portable, relation: string): boolean {
    const way = this.wayOf(of, relation);
    return way !== undefined && 'step' in way && way.step.failsEntity;
  }
}
