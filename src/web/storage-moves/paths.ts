/** Path of the administrators' storage move page. */
export const MOVES_PATH = '/admin/storage_moves';
