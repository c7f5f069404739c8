/** A bot was taken out of service: from now on it is a member of nothing. */
export class BotRemoved {
  constructor(readonly userId: number) {}
}
