import { describe, expect, it } from '@jest/globals';
import { imageType } from './image-type.js';

const bytes = (text: string): Buffer => Buffer.from(text.padEnd(16, '\0'), 'latin1');

describe('the type of an image', () => {
  it.each([
    ['a.png', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['a.jpeg', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['A.JPG', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['a.gif', 'GIF89a', 'image/gif'],
    ['a.webp', 'RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['a.bmp', 'BM', 'image/bmp'],
    ['a.tif', 'MM\0*', 'image/tiff'],
    ['a.ico', '\0\0\x01\0', 'image/x-icon'],
    // The file name does not count.
    ['a.gif', '\x89PNG\r\n\x1a\n', 'image/png'],
  ])('of %s beginning with %j is %s', (name, beginning, type) => {
    expect(imageType(name, bytes(beginning))).toBe(type);
  });

  it.each([
    ['a.svg', '<svg xmlns="'],
    ['a.png', '<svg xmlns="'],
    ['a.png', ''],
    ['a.html', '\x89PNG\r\n\x1a\n'],
    ['png', '\x89PNG\r\n\x1a\n'],
    ['a.png.exe', '\x89PNG\r\n\x1a\n'],
    ['a.pdf', '%PDF-1.7'],
    ['a.png', ' \x89PNG\r\n\x1a\n'],
  ])('of %s starting with %j is null', (name, beginning) => {
    expect(imageType(name, bytes(beginning))).toBeNull();
  });
});
