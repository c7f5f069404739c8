import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ProbeSubject } from './probe.records.js';

const shown = ({ subject, role }: Caller): ProbeSubject => ({ id: subject?.id ?? 0, role });

/** Routes on a project, one for each kind of rule. */
@Controller('api/v4/projects/:id/probe')
export class ProbeProjectsController {
  @Get('open')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @Returns(ProbeSubject)
  open(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Get('signed-in')
  @Access({ project: Role.Guest, publicRead: true })
  @Returns(ProbeSubject)
  signedIn(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Get('reporter')
  @Access({ project: Role.Reporter })
  @Returns(ProbeSubject)
  reporter(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Post('developer')
  @Access({ project: Role.Developer, feature: 'environments' })
  @Returns(ProbeSubject, 201)
  developer(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Post('owner')
  @Access({ project: Role.Owner })
  @Returns(ProbeSubject, 201)
  owner(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }
}

/** Routes on a group, one for each kind of rule. */
@Controller('api/v4/groups/:id/probe')
export class ProbeGroupsController {
  @Get('open')
  @Access({ anyone: true, group: Role.Guest, publicRead: true })
  @Returns(ProbeSubject)
  open(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Get('reporter')
  @Access({ group: Role.Reporter })
  @Returns(ProbeSubject)
  reporter(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }

  @Post('maintainer')
  @Access({ group: Role.Maintainer })
  @Returns(ProbeSubject, 201)
  maintainer(@CurrentCaller() caller: Caller): ProbeSubject {
    return shown(caller);
  }
}
