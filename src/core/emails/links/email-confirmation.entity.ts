import { Entity } from 'typeorm';
import { MailedLink } from './mailed-link.entity.js';

/** A link mailed to an address: opening it proves that the user reads mail there. */
@Entity('email_confirmations')
export class EmailConfirmation extends MailedLink {}
