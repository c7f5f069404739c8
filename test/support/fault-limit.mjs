// The limit of each fault test and of its setup, against hanging. The longest take 80 s on a usual machine.
import { jest } from '@jest/globals';

jest.setTimeout(900_000);
