import { Entity } from 'typeorm';
import { MailedLink } from './mailed-link.entity.js';

/** A link that lets its reader set a new password, once; invalid after the user has changed the address. */
@Entity('password_resets')
export class PasswordReset extends MailedLink {}
