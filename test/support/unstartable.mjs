// node --import unstartable.mjs: the system has no room for another process wherever an argument is UNSTARTABLE.
import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { spawn } = processes;
processes.spawn = (program, args, options) =>
  args.includes(process.env.UNSTARTABLE)
    ? spawn('/nonexistent', args, options)
    : spawn(program, args, options);
syncBuiltinESMExports();
