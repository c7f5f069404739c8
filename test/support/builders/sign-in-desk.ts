import type { TestApi } from '../api.js';
import { PageClient, type PageReply } from '../page-client.js';
import { addPerson, type Person } from './person.js';

/** Columns of a user that signing in writes. */
export interface SignInRow {
  failed_attempts: number;
  locked_at: Date | null;
  sign_in_count: number;
  current_sign_in_at: Date | null;
  last_sign_in_at: Date | null;
  current_sign_in_ip: string | null;
  state: string;
}

/** Users at the sign-in page of a service. */
export class SignInDesk {
  private counter = 0;

  constructor(private readonly api: TestApi) {}

  visitor(): PageClient {
    return new PageClient(this.api.url);
  }

  /** Adds a user whose password has not expired. */
  async person(): Promise<Person> {
    this.counter += 1;
    return addPerson(this.api, `person-${this.counter}`);
  }

  async rowOf(id: number): Promise<SignInRow> {
    return (await this.api.sql<SignInRow>('select * from users where id = $1', [id]))[0] as SignInRow;
  }

  /** Changes settings as another process would; returns once this process uses them. */
  async put(values: object): Promise<void> {
    const text = 'update application_settings set values = values || $1::jsonb, version = version + 1';
    await this.api.sql(text, [JSON.stringify(values)]);
    await this.api.root.get('/version');
  }
}

/** Whether the page only reports that name and password do not match. */
export const isWrong = ({ status, text }: PageReply): boolean =>
  status === 422 && text.includes('Invalid login or password.');

/** The header that sets the session cookie, or nothing. */
export const sessionLine = ({ cookies }: PageReply): string =>
  cookies.find((line) => line.startsWith('_service_session=')) ?? '';
