import { Controller, Get, Header, Post, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { sentToken } from '../sent-token.js';
import { UserinfoService } from './userinfo.service.js';
import { UserinfoRecord } from './userinfo.record.js';

/** Userinfo for applications that hold a user's token with the scope `openid`. */
@Controller('oauth/userinfo')
export class UserinfoController {
  constructor(private readonly userinfo: UserinfoService) {}

  @Get()
  @Access({ credential: 'oauth' })
  @Returns(UserinfoRecord)
  @Header('Cache-Control', 'no-store')
  show(@Req() request: ApiRequest): Promise<UserinfoRecord> {
    return this.userinfo.of(sentToken(request));
  }

  /** The same for clients that send their token in a form. */
  @Post()
  @Access({ credential: 'oauth' })
  @Returns(UserinfoRecord)
  @Header('Cache-Control', 'no-store')
  showToForm(@Req() request: ApiRequest): Promise<UserinfoRecord> {
    return this.userinfo.of(sentToken(request));
  }
}
