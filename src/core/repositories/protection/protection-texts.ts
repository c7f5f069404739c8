/** Messages for pushers when a protection rejects a push (`ops.md` 3.5). */
export const PROTECTION_TEXTS = {
  mayNotPush: 'You are not allowed to push code to this project.',
  push: 'You are not allowed to push code to protected branches on this project.',
  forcePush: 'You are not allowed to force push code to a protected branch on this project.',
  tooMany: 'A push can move at most 500 protected branches.',
  createProtected: 'You are not allowed to create protected branches on this project.',
  deleteDefault: 'The default branch of a project cannot be deleted.',
  deleteProtected:
    'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
  deleteByGit: 'You can only delete protected branches using the web interface.',
  changeTag: 'You are not allowed to change existing tags on this project.',
  updateProtectedTag: 'Protected tags cannot be updated.',
  deleteProtectedTag: 'Protected tags cannot be deleted.',
  createProtectedTag: 'You are not allowed to create this tag as it is protected.',
} as const;
