/** A bot was disabled: from now on it is not a member of anything. */
export class BotRemoved {
  constructor(readonly userId: number) {}
}
