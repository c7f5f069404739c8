const PEOPLE = `(select json_agg(json_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state))
    from LINK_assignees l join users a on a.id = l.user_id where l.LINK_id = x.id) as assignees`;
const LABELS = `(select array_agg(b.title order by b.title) from LINK_labels l join labels b on b.id = l.label_id where l.LINK_id = x.id) as labels`;
const AUTHOR = 'u.id as user_id, u.username, u.name, u.state as user_state';
const MILESTONE = `m.id as m_id, m.iid as m_iid, m.title as m_title, m.description as m_description, m.state as m_state,
    m.created_at as m_created_at, m.updated_at as m_updated_at, m.due_date as m_due_date, m.start_date as m_start_date`;

const things = (link: 'issue' | 'merge_request'): string =>
  `select x.*, ${AUTHOR}, ${MILESTONE}, ${PEOPLE}, ${LABELS} from ${link}s x left join users u on u.id = x.author_id
     left join milestones m on m.id = x.milestone_id where x.project_id = $1 order by x.created_at desc, x.id desc limit $2`.replaceAll('LINK', link);

/** What a bare server asks for the newest rows of a project, by the last part of the path; values: project, limit. */
export const PLANNING_LISTS: Readonly<Record<string, string>> = {
  issues: things('issue'),
  merge_requests: things('merge_request'),
  events: `select e.*, u.username, u.name, u.state as user_state, i.title from events e join users u on u.id = e.author_id
    left join issues i on i.id = e.target_id where e.project_id = $1 order by e.created_at desc, e.id desc limit $2`,
};
