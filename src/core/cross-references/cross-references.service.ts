import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { originText, type NamedOrigin } from '#core/issuables/origin-text.js';
import { MENTION } from '#core/notes/note-origins.service.js';
import { keyOf, type TextReference } from '#core/notes/references/text-references.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { lockNoteable } from '#core/notes/noteables/noteable-lock.js';
import { TextReferenceFinder, type ReferencedNoteable } from './text-reference.finder.js';
import type { ReferenceContext } from './written-texts.queries.js';

/** References of one source, without objects that must not be mentioned (`except`, as `type id`). */
export interface Mention {
  readonly source: NamedOrigin;
  readonly references: readonly TextReference[];
  readonly except?: ReadonlySet<string>;
}

interface Pair {
  readonly source: NamedOrigin;
  readonly noteable: ReferencedNoteable;
}

/** Limit of distinct references at once, over all commits of a push. */
const MAX_PAIRS = 500;

/** A commit is mentioned from one of the projects that contain it, and from that of the object. */
const KNOWN = `exists (select 1 from note_sources x where x.target_type = $1 and x.target_id = $2 and x.source_type = $3 and x.commit_sha = $5
  and (x.source_id = $4 or x.source_type = 'Commit' and $4 is distinct from $6))`;
const IS_KNOWN = `select ${KNOWN} as known`;

/** Returns the key of an object in `Mention.except`. */
export const noteableKey = ({ type, id }: Pick<ReferencedNoteable, 'type' | 'id'>): string => `${type} ${id}`;

const GONE = 404;

/**
 * Writes system notes on mentioned objects: once per source, even if its text changes. They are neither
 * mailed nor published as events.
 */
@Injectable()
export class CrossReferencesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly referenceFinder: TextReferenceFinder,
    private readonly notes: SystemNotesService,
  ) {}

  /** Writes the notes as the author of the mention, on objects that the author can read. Idempotent. */
  async write(actorId: number, context: ReferenceContext, mentions: readonly Mention[]): Promise<void> {
    const all = new Map(mentions.flatMap(({ references }) => references.map((one) => [keyOf(one), one])));
    const found = await this.referenceFinder.find(actorId, context, [...all.values()].slice(0, MAX_PAIRS));
    const pairs = mentions.flatMap((mention) => pairsOf(mention, found)).slice(0, MAX_PAIRS);
    for (const pair of pairs) {
      const { known } = await this.database.always<{ known: boolean }>(IS_KNOWN, valuesOf(pair));
      if (!known) await this.mention(actorId, pair);
    }
  }

  private async mention(actorId: number, pair: Pair): Promise<void> {
    const { source, noteable } = pair;
    const body = `mentioned in ${originText(source, noteable.path)}`;
    try {
      await this.transactions.run(async (tx) => {
        await lockNoteable(tx, noteable.type, noteable.id);
        const [again] = await tx.query<[{ known: boolean }]>(IS_KNOWN, valuesOf(pair));
        if (!again.known) await this.notes.write(tx, noteable, actorId, MENTION, body, source);
      });
    } catch (error) {
      // It was removed in the meantime.
      if (!(error instanceof HttpError) || error.status !== GONE) throw error;
    }
  }
}

function pairsOf(
  { source, references, except }: Mention,
  found: ReadonlyMap<string, ReferencedNoteable>,
): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const reference of references) {
    const noteable = found.get(keyOf(reference));
    if (!noteable || except?.has(noteableKey(noteable))) continue;
    if (noteable.type !== source.type || noteable.id !== source.id)
      pairs.set(noteableKey(noteable), { source, noteable });
  }
  return [...pairs.values()];
}

const valuesOf = ({ source, noteable }: Pair): unknown[] => [
  noteable.type,
  noteable.id,
  source.type,
  source.id,
  source.sha,
  noteable.projectId,
];
