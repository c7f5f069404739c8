import { describe, expect, it } from '@jest/globals';
import { fillTemplate, MERGE_TEMPLATE } from './message-template.js';

const VALUES = { source_branch: 'a', target_branch: 'main', title: 'T', issues: '', reference: 'g/p!1' };

describe('fillTemplate', () => {
  it('omits the line of an empty variable', () => {
    expect(fillTemplate(MERGE_TEMPLATE, VALUES)).toBe(
      "Merge branch 'a' into 'main'\n\nT\n\nSee merge request g/p!1\n",
    );
    expect(fillTemplate(MERGE_TEMPLATE, { ...VALUES, issues: 'Closes #1' })).toContain(
      '\n\nCloses #1\n\nSee',
    );
  });

  it('does not interpret values as variables', () => {
    expect(fillTemplate('%{title} %{nothing}', { ...VALUES, title: '%{reference} $&' })).toBe(
      '%{reference} $& %{nothing}\n',
    );
  });
});
