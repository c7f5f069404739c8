import { integerIn, recordsIn, timeIn, wordIn, type SourceRecord } from '#core/exchange/source-record.js';
import { LINK_TYPES, type LinkType } from '../links/issue-link.record.js';

/** A link of an imported issue, with its other end as known at the source. */
export interface ImportedIssueLink {
  readonly issueId: number;
  readonly issueTitle: string | null;
  /** Ids of the other issue and of its project at the source; null for the same project. */
  readonly otherSourceId: number;
  readonly otherProjectId: number | null;
  /** Whether the link was created from the issue, as opposed to the other one. */
  readonly isSource: boolean;
  readonly linkType: LinkType;
  /** Null for the present time. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** Parses the links of an issue; skips those that do not include it. */
export function readIssueLinks(
  record: SourceRecord,
  issueId: number,
  issueTitle: string | null,
): ImportedIssueLink[] {
  const ownId = integerIn(record, 'id', 1);
  const ownProjectId = integerIn(record, 'project_id', 1);
  return recordsIn(record, 'issue_links').flatMap((link) => {
    const ends = [integerIn(link, 'source_id', 1), integerIn(link, 'target_id', 1)] as const;
    const [sourceId, targetId] = ends;
    if (ownId === null || sourceId === null || targetId === null) return [];
    if (sourceId === targetId || !ends.includes(ownId)) return [];
    const isSource = sourceId === ownId;
    const projectId = integerIn(link, 'other_project_id', 1);
    return {
      issueId,
      issueTitle,
      otherSourceId: isSource ? targetId : sourceId,
      otherProjectId: projectId === ownProjectId ? null : projectId,
      isSource,
      linkType: wordIn(link, 'link_type', LINK_TYPES, 'relates_to'),
      createdAt: timeIn(link, 'created_at'),
      updatedAt: timeIn(link, 'updated_at'),
    };
  });
}
