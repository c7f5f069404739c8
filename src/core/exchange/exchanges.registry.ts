import { Injectable } from '@nestjs/common';
import type { Portable, RelationExport } from '../exchange/relation-export.js';
import type { RelationPart, RelationPipeline } from '../exchange/relation-pipeline.js';

/** What instances exchange of groups and projects: modules offer their relations in `onModuleInit`, those who move them ask here. */
@Injectable()
export class ExchangesRegistry {
  private readonly exports = new Map<string, RelationExport>();
  private readonly pipelines = new Map<string, RelationPipeline>();
  private readonly parts: RelationPart[] = [];

  /** Offers a relation to other instances. */
  registerExport(relation: RelationExport): void {
    claim(this.exports, `${relation.of} ${relation.relation}`, relation);
  }

  /** Takes a relation in from other instances. */
  registerPipeline<Row>(pipeline: RelationPipeline<Row>): void {
    // The engine hands every pipeline the rows of its own `transform` only.
    claim(this.pipelines, `${pipeline.of} ${pipeline.relation}`, pipeline as RelationPipeline);
  }

  /** Adds to the records of a relation that another module takes in. */
  registerPart(part: RelationPart): void {
    this.parts.push(part);
  }

  /** All relations that can be fetched. */
  exportsOf(of: Portable): readonly RelationExport[] {
    return [...this.exports.values()].filter((each) => each.of === of);
  }

  /** All relations that are taken in. */
  pipelinesOf(of: Portable): readonly RelationPipeline[] {
    return [...this.pipelines.values()].filter((each) => each.of === of);
  }

  /** What others add to the records of a relation. */
  partsOf(of: Portable, relation: string): readonly RelationPart[] {
    return this.parts.filter((part) => part.of === of && part.relation === relation);
  }
}

function claim<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.has(key)) throw new Error(`Relation ${key} is offered twice`);
  map.set(key, value);
}
