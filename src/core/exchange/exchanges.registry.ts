import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { bothWays, type ExchangedRelation } from '../exchange/both-ways.js';
import type { Portable, RelationExport } from '../exchange/relation-export.js';
import type { RelationPart, RelationPipeline } from '../exchange/relation-pipeline.js';

/**
 * Registry of the relations of groups and projects: modules register theirs in `onModuleInit`, and the
 * engines look them up.
 */
@Injectable()
export class ExchangesRegistry {
  private readonly exports = new Map<string, RelationExport>();
  private readonly pipelines = new Map<string, RelationPipeline>();
  private readonly parts: RelationPart[] = [];

  constructor(private readonly database: ReadDatabase) {}

  /** Adds a relation, and additions to the records of relations that other modules import. */
  register<Row>(relation: ExchangedRelation<Row>, parts: readonly RelationPart[] = []): void {
    const { exported, pipeline } = bothWays(this.database, relation);
    claim(this.exports, exported);
    // The engine passes each pipeline only rows of its own `transform`.
    claim(this.pipelines, pipeline as RelationPipeline);
    this.parts.push(...parts);
  }

  /** Returns all relations that can be exported. */
  exportsOf(of: Portable): readonly RelationExport[] {
    return [...this.exports.values()].filter((each) => each.of === of);
  }

  /** Returns all relations that can be imported. */
  pipelinesOf(of: Portable): readonly RelationPipeline[] {
    return [...this.pipelines.values()].filter((each) => each.of === of);
  }

  /** Returns the additions of other modules to the records of a relation. */
  partsOf(of: Portable, relation: string): readonly RelationPart[] {
    return this.parts.filter((part) => part.of === of && part.relation === relation);
  }
}

function claim<T extends Pick<RelationExport, 'of' | 'relation'>>(map: Map<string, T>, value: T): void {
  const key = `${value.of} ${value.relation}`;
  if (map.has(key)) throw new Error(`Relation ${key} is offered twice`);
  map.set(key, value);
}
