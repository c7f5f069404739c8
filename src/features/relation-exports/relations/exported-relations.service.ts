import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Portable, RelationExport } from '#core/exchange/relation-export.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { groupSelf, namespaceSettings } from './group-objects.js';
import { autoDevops, ciCdSettings, projectFeature, projectSelf } from './project-objects.js';
import { SingleRelation } from './single-relation.js';
import { ARCHIVES, V4_RELATIONS } from './v4-relations.js';

/** A relation that can be exported. */
export interface ExportedRelation {
  readonly relation: string;
  readonly isBatchable: boolean;
  /** Extension of the file, before `.gz`. */
  readonly extension: 'json' | 'ndjson' | 'tar';
  /** Its records; null for an archive. */
  readonly records: Pick<RelationExport, 'page'> | null;
}

const NOTHING: Pick<RelationExport, 'page'> = { page: () => Promise.resolve([]) };

/**
 * All relations of groups and projects: those of modules, attributes, archives, and empty ones that v4
 * servers request.
 */
@Injectable()
export class ExportedRelationsService {
  private readonly singles: readonly RelationExport[];

  constructor(
    private readonly exchanges: ExchangesRegistry,
    database: ReadDatabase,
  ) {
    this.singles = [
      new SingleRelation(database, 'group', 'self', groupSelf),
      new SingleRelation(database, 'group', 'namespace_settings', namespaceSettings),
      new SingleRelation(database, 'project', 'self', projectSelf),
      new SingleRelation(database, 'project', 'project_feature', projectFeature),
      new SingleRelation(database, 'project', 'ci_cd_settings', ciCdSettings),
      new SingleRelation(database, 'project', 'auto_devops', autoDevops),
    ];
  }

  /** Returns all relations by name, without duplicates; those of modules win over built-in ones. */
  all(of: Portable): readonly ExportedRelation[] {
    const found = new Map<string, ExportedRelation>();
    const empty = V4_RELATIONS[of].map((relation) => records(relation, false, NOTHING));
    const singles = this.singles.filter((single) => single.of === of);
    const offered = [...singles, ...this.exchanges.exportsOf(of)].map((each) =>
      records(each.relation, each.batchable, each),
    );
    for (const each of [...empty, ...ARCHIVES[of].map(archive), ...offered]) found.set(each.relation, each);
    return [...found.values()].sort((a, b) => (a.relation < b.relation ? -1 : 1));
  }

  /** Returns the relation with a name, or null. */
  findOrNull(of: Portable, relation: string): ExportedRelation | null {
    return this.all(of).find((each) => each.relation === relation) ?? null;
  }
}

const records = (
  relation: string,
  isBatchable: boolean,
  source: Pick<RelationExport, 'page'>,
): ExportedRelation => ({
  relation,
  isBatchable,
  extension: relation === 'self' ? 'json' : 'ndjson',
  records: source,
});

const archive = (relation: string): ExportedRelation => ({
  relation,
  isBatchable: false,
  extension: 'tar',
  records: null,
});
