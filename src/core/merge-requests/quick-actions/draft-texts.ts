import type { TitleTexts } from '#core/quick-actions/actions/title-action.js';
import { isDraftTitle, withoutDraft } from '../writes/draft-title.js';

/** Titles for `/draft` and `/ready`: the draft state is part of the title. */
export const DRAFT_TEXTS: TitleTexts = {
  names: ['draft', 'ready'],
  retitle: (title, { name }) => {
    if (name === 'ready') return withoutDraft(title);
    return isDraftTitle(title) ? title : `Draft: ${title}`;
  },
  event: ({ name }) => (name === 'title' ? {} : { wip_event: name }),
};
