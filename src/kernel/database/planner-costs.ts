/**
 * What the planner of PostgreSQL takes for dear: each row that is looked at, and no page more than another. A plan is made once, while a table may still
 * be small, and must be good when it has grown a thousandfold; nothing tells the planner of that until the table is analyzed.
 */
export const PLANNER_COSTS = '-c random_page_cost=1 -c cpu_tuple_cost=0.2';
