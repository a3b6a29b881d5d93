import { defineMessages } from "#kernel/message.ts";

/** Fields of signing in, and of what a person sets up for it. */
export const signInFields = defineMessages({
  "field.ticket": ["凭据", "Ticket"],
  "field.username": ["登录名", "Login name"],
});
