import { Entity } from 'typeorm';
import { MailedLink } from './mailed-link.entity.js';

/** A link that was mailed to an address: who opens it reads mail there. */
@Entity('email_confirmations')
export class EmailConfirmation extends MailedLink {}
