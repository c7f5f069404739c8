import { beforeAll, describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';

interface Lint {
  findings(migration: { text: string; isTransaction: boolean }): string[];
}

describe('the lint of migrations', () => {
  let lint: Lint;
  beforeAll(async () => {
    lint = (await import(resolve('scripts/migrations-lint.mjs'))) as Lint;
  });

  it.each([
    ['an index that blocks writers', 'create index foo on users (name)', 'require-concurrent-index-creation'],
    [
      'a concurrent index in a transaction',
      'create index concurrently foo on users (name)',
      'transaction = false',
    ],
    ['another type', 'alter table users alter column id type numeric', 'changing-column-type'],
    [
      'not null without a validated check',
      'alter table users alter column bio set not null',
      'adding-not-nullable',
    ],
    ['a required column', 'alter table users add column x text not null', 'adding-required-field'],
    [
      'a check on all rows',
      `alter table users add constraint c check (name <> '')`,
      'constraint-missing-not-valid',
    ],
    [
      'a foreign key on all rows',
      'alter table a add foreign key (b) references c',
      'adding-foreign-key-constraint',
    ],
    ['renaming', 'alter table users rename column name to title', 'renaming-column'],
    ['an update of many rows', `update users set name = 'a'`, 'use a back-fill'],
    ['a removal of many rows', 'with old as (select 1) delete from users', 'use a back-fill'],
    ['copies of many rows', 'insert into a (b) select c from d', 'use a back-fill'],
  ])('refuses %s', (_, text, finding) => {
    expect(lint.findings({ text: `${text};`, isTransaction: true }).join('\n')).toContain(finding);
  });

  it.each([
    [
      'a new table with its index',
      'create table a (id bigint primary key, b text); create index on a (b)',
      true,
    ],
    ['a column with a default', 'alter table users add column x boolean not null default false', true],
    ['an index created concurrently', 'create index concurrently foo on users (name)', false],
    ['a check on new rows, validated later', 'alter table a add constraint c check (b > 0) not valid', true],
    ['validating that check later', 'alter table a validate constraint c', true],
    [
      'a function that changes rows when it is called',
      'create function f() returns trigger language plpgsql as $$ begin update a set b = 1; return null; end $$',
      true,
    ],
  ])('accepts %s', (_, text, isTransaction) => {
    expect(lint.findings({ text: `${text};`, isTransaction })).toEqual([]);
  });
});
