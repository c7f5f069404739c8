/** Where administrators look after storage moves. */
export const MOVES_PATH = '/admin/storage_moves';
