/**
 * Cost settings of the planner: each examined row is expensive, and no page costs more than another. A plan
 * is made once, while a table may still be small, and must still be good when it has grown a thousandfold, of
 * which the planner knows nothing until the table is analyzed.
 */
export const PLANNER_COSTS = '-c random_page_cost=1 -c cpu_tuple_cost=0.2';
