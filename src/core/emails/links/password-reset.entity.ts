import { Entity } from 'typeorm';
import { MailedLink } from './mailed-link.entity.js';

/** A link that lets its reader choose a new password, once; worth nothing once the user has given up its address. */
@Entity('password_resets')
export class PasswordReset extends MailedLink {}
