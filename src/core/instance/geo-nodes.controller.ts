import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Deprecated } from '#kernel/http/answers/deprecation.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';

/** A secondary site of the instance. */
class GeoNodeRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  url!: string;

  @Flag()
  primary!: boolean;

  @Flag()
  enabled!: boolean;
}

/** Deprecated for v5 (`api-v4.md` 9). */
const GOING = { since: '2023-05-22', sunset: '2028-05-22' };

/** Secondary sites of the instance, of which there are none. */
@Controller('api/v4')
export class GeoNodesController {
  @Get(['geo_nodes', 'geo_sites'])
  @Access({ admin: true })
  @Deprecated(GOING)
  @ReturnsList(GeoNodeRecord)
  list(@Paged() page: Page): GeoNodeRecord[] {
    return page.slice<GeoNodeRecord>([]);
  }
}
