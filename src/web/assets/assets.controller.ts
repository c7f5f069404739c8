import { Controller, Get, Param } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { notFound } from '#kernel/http/errors.js';
import type { Asset } from './asset.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

const ASSETS = new Map<string, Asset>([STYLE, SCRIPT].map((one) => [one.name, one]));

/** Serves the style sheet and the script of the pages. */
@Controller('-/assets')
export class AssetsController {
  @Get(':file')
  @Access({ page: 'asset' })
  @ReturnsPage()
  read(@Param('file') file: string): PageAnswer {
    const found = ASSETS.get(file);
    if (!found) throw notFound('File');
    return new PageAnswer(200, found.content, {
      headers: { 'Content-Type': found.type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    });
  }
}
