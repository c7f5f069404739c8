import { describe, expect, it } from '@jest/globals';
import { RouteTemplates } from './route-template.js';

const templates = new RouteTemplates([
  { method: 'POST', path: '/api/v4/projects/:id/uploads' },
  { method: 'PUT', path: '/api/v4/projects/:id' },
  { method: 'POST', path: '/*path/git-upload-pack' },
  { method: 'GET', path: '/api/v4/files/*rest' },
]);
const includes = (method: string, path: string): boolean => templates.include({ path }, method);

describe('RouteTemplates', () => {
  it.each([
    ['POST', '/api/v4/projects/1/uploads'],
    ['POST', '/api/v4/projects/1/uploads/'],
    ['PUT', '/api/v4/projects/a%2Fb'],
    ['POST', '/group/project.git/git-upload-pack'],
    ['POST', '/group/subgroup/project.git/git-upload-pack'],
    ['GET', '/api/v4/files/a'],
    ['GET', '/api/v4/files/a/b/c'],
  ])('includes %s %s', (method, path) => expect(includes(method, path)).toBe(true));

  it.each([
    ['GET', '/api/v4/projects/1/uploads'],
    ['POST', '/api/v4/projects/1/uploads/2'],
    ['POST', '/api/v4/projects/1/2/uploads'],
    ['PUT', '/api/v4/projects'],
    ['PUT', '/api/v4/projects/1/2'],
    ['POST', '/git-upload-pack'],
    ['POST', '/project.git/git-upload-packs'],
    ['GET', '/api/v4/files'],
    ['DELETE', '/api/v4/files/a'],
  ])('does not include %s %s', (method, path) => expect(includes(method, path)).toBe(false));
});
