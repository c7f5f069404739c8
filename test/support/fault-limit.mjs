// The limit of each fault test and of its set-up: against hanging, not to measure. The longest start the product two dozen times, 80 s on a usual machine.
import { jest } from '@jest/globals';

jest.setTimeout(900_000);
