import { describe, expect, it } from '@jest/globals';
import { ListQuery } from '#kernel/database/lists/list-query.js';
import { applyIssuableFilters } from './issuable-filters.js';
import { MERGE_REQUEST } from '../issuable-kind.js';

function textOf(length: number): string {
  const query = new ListQuery<object>({ kind: 'X', select: '1', from: 'merge_requests m', key: 'm.id' });
  const names = Array.from({ length }, (_, index) => `name${index}`);
  const lists = { labels: names, assignee_username: names };
  applyIssuableFilters(query, MERGE_REQUEST, { ...lists, not: lists }, null);
  return query.pageStatement(1, 0).text;
}

describe('filters by lists', () => {
  it('use the same statement for lists of similar length, since each text is prepared and kept', () => {
    expect(textOf(4)).not.toBe(textOf(3));
    expect(textOf(200)).toBe(textOf(4));
  });
});
