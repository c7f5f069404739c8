// The reference for downloads: Express and its `sendFile`, without any question of rights. Arguments: the file, port.
import express from 'express';

const [path = '', port] = process.argv.slice(2);

express()
  .get('/', (_request, response) => response.end())
  .get('/file', (_request, response) => response.sendFile(path))
  .listen(Number(port), '127.0.0.1');
