import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { taskCounts } from './task-counts.js';

describe('tasks of a description', () => {
  it('are items with a checkbox, also when nested', () => {
    const text = '- [ ] one\n  * [x] two\n\n1. [X] three\n> - [ ] four\n+ [ ]\n';
    expect(taskCounts(text)).toEqual({ count: 5, completed: 2 });
  });

  it('are not found in code, without a space, or in empty texts', () => {
    const text =
      '```\n- [ ] shown\n```\n~~~~ md\n- [x] shown\n~~~\n~~~~\n-[ ] a\n- [] b\n- [x]c\n[x] d\n- [ ] real';
    expect([taskCounts(text), taskCounts(null)]).toEqual([
      { count: 1, completed: 0 },
      { count: 0, completed: 0 },
    ]);
  });

  it('equal the number of lines with one', () => {
    const line = fc.constantFrom('- [ ] a', '* [x] b', 'text', '');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(taskCounts(lines.join('\n'))).toEqual({
          count: lines.filter((one) => one.includes('[')).length,
          completed: lines.filter((one) => one.includes('[x]')).length,
        });
      }),
    );
  });
});
