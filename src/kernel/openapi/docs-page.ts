import express, { Router } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { ConstantAnswer } from '#kernel/http/answers/json/constant-answer.js';

/** Start of the page's script. The page fetches the document, which is generated on the first request. */
const BEGIN = `window.onload = () => {
  const root = location.pathname.replace(/\\/-\\/docs(\\/.*)?$/, '');
  window.ui = SwaggerUIBundle({
    url: root + '/api/v4/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
    docExpansion: 'none',
    validatorUrl: null,
    queryConfigEnabled: false,
  });
};
`;

/** The files of Swagger UI that the page loads; its package contains others, such as a demo page. */
const FILES = new Set([
  'favicon-16x16.png',
  'favicon-32x32.png',
  'index.css',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
]);

/** Renders the page, whose files are in this folder from the browser's point of view. */
const pageWith = (folder: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Forgeplane API</title>
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/index.css">
<link rel="icon" type="image/png" href="${folder}/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="${folder}/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/swagger-ui-standalone-preset.js"></script>
<script src="${folder}/swagger-ui-init.js"></script>
</body>
</html>
`;

/**
 * Creates the router for the interactive page at a path with its scripts and styles; other paths go to the
 * next handler.
 */
export async function docsPage(path: string): Promise<Router> {
  const HTML = 'text/html; charset=utf-8';
  const [begin, page, pageInFolder] = await Promise.all([
    ConstantAnswer.of('text/javascript; charset=utf-8', BEGIN),
    // Relative, because a proxy may serve it under a path prefix.
    ConstantAnswer.of(HTML, pageWith(`.${path.slice(path.lastIndexOf('/'))}`)),
    ConstantAnswer.of(HTML, pageWith('.')),
  ]);
  const files = express.static(
    dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    { index: false, redirect: false },
  );
  const router = Router();
  router.get(path, (request, response) =>
    (request.path.endsWith('/') ? pageInFolder : page).write(request, response),
  );
  router.get(`${path}/swagger-ui-init.js`, (request, response) => begin.write(request, response));
  router.use(path, (request, response, next) => {
    if (FILES.has(request.path.slice(1))) files(request, response, next);
    else next();
  });
  return router;
}
